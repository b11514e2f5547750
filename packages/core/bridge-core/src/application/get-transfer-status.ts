import { BRIDGE_PROTOCOL_ERRORS, LEDGER_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import {
  Cached,
  Overloaded,
  UNLIMITED_BUDGET,
  UNNAMED_CALLER,
  type Caller,
  type Clock,
  type UpstreamBudget,
} from '@sotto/kernel';
import { reportTransfer, type TransferStatus } from '../domain/transfer-status.js';
import { UNSEEN, advance, hasEnded, type TransferStatusReport } from '../domain/transfer.js';
import { TransferNotFound } from '../errors.js';
import type { BridgeProtocol } from '../ports/bridge-protocol.port.js';
import type { TransferStore } from '../ports/transfer-store.port.js';

/** Ids of protocols are short words without spaces. */
const TRANSACTION_ID = /^[\x21-\x7e]{1,256}$/;

/**
 * For so long an unknown id is not asked for again: a protocol knows a transfer before it returns
 * the id.
 */
const UNKNOWN_FOR_MS = 5_000;
/** A few megabytes at most. */
const MOST_UNKNOWN = 5_000;

export interface StatusInput {
  readonly transactionId: string;
  /** @default the one of requests that name none */
  readonly caller?: Caller;
}

/**
 * How far a transfer has come: what the protocol says now, on top of everything that was seen
 * before.
 */
export class GetTransferStatus {
  /** Codes of its errors. */
  static readonly throws = [
    'TRANSFER_NOT_FOUND',
    'OVERLOADED',
    ...codesOf(BRIDGE_PROTOCOL_ERRORS),
    ...codesOf(LEDGER_ERRORS),
  ] as const satisfies readonly ErrorCode[];

  /** What the protocol said of ids that are not in memory. */
  readonly #reports: Cached<TransferStatusReport | null>;

  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly memory: TransferStore,
    private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    private readonly budget: Pick<UpstreamBudget, 'spend'> = UNLIMITED_BUDGET,
  ) {
    this.#reports = new Cached({
      clock,
      freshMs: (report) => (report === null ? UNKNOWN_FOR_MS : 0),
      maxEntries: MOST_UNKNOWN,
    });
  }

  /**
   * A transfer that has ended is answered from memory, one that the protocol has forgotten as well;
   * an id that neither knew a moment ago is not asked for again. A known transfer is answered from
   * memory if the caller may cause no further request now.
   * @throws TransferNotFound when neither knows the id; Overloaded; errors of protocol and memory
   */
  async execute({ transactionId, caller = UNNAMED_CALLER }: StatusInput): Promise<TransferStatus> {
    if (!TRANSACTION_ID.test(transactionId)) throw new TransferNotFound();
    const remembered = await this.memory.get(transactionId);
    if (remembered !== null && hasEnded(remembered)) return reportTransfer(remembered);

    const read = async (): Promise<TransferStatusReport | null> => {
      this.budget.spend(caller);
      return this.protocol.status(transactionId);
    };
    const sighting = await (remembered === null
      ? this.#reports.get(transactionId, read)
      : read().catch(nullIfOverloaded));
    if (sighting === null) {
      if (remembered === null) throw new TransferNotFound();
      return reportTransfer(remembered);
    }
    const nowMs = this.clock.nowMs();
    const nowSeconds = Math.floor(nowMs / 1_000);
    const known = remembered ?? UNSEEN;
    if (advance(known, sighting, nowSeconds) === known) return reportTransfer(known);
    const advanced = await this.memory.update(transactionId, nowMs, (present) =>
      advance(present ?? UNSEEN, sighting, nowSeconds),
    );
    return reportTransfer(advanced);
  }
}

function nullIfOverloaded(error: unknown): null {
  if (error instanceof Overloaded) return null;
  throw error;
}
