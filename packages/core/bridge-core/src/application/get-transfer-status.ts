import { CODES_OF } from '@sotto/facts';
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
import type { TransferStatusReport } from '../domain/status-report.js';
import { UNSEEN, advance, hasEnded } from '../domain/transfer.js';
import { TransferNotFound } from '../errors.js';
import type { BridgeProtocol } from '../ports/bridge-protocol.port.js';
import type { TransferStore } from '../ports/transfer-store.port.js';

/** Format of the transfer ids that protocols return: printable ASCII without spaces. */
const TRANSACTION_ID = /^[\x21-\x7e]{1,256}$/;

/**
 * Time in milliseconds for which the protocol is not queried again about an id that it did not
 * know. The cache cannot hide a new transfer, because a protocol knows a transfer before it returns
 * the id.
 */
const UNKNOWN_FOR_MS = 5_000;
/** Maximum number of cached unknown ids. This many ids use a few megabytes. */
const MOST_UNKNOWN = 5_000;

export interface StatusInput {
  readonly transactionId: string;
  /** @default a single caller that represents all requests without a caller */
  readonly caller?: Caller;
}

/**
 * Returns the progress of a transfer: the status that the protocol reports now, merged with all
 * stored reports.
 */
export class GetTransferStatus {
  /** Error codes of the bridge status route. */
  static readonly throws = CODES_OF.bridgeStatus;

  /** Cached responses of the protocol for ids that are not in the store. */
  readonly #answers: Cached<Answer>;

  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly memory: TransferStore,
    private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    private readonly budget: Pick<UpstreamBudget, 'spend'> = UNLIMITED_BUDGET,
  ) {
    this.#answers = new Cached({
      clock,
      freshMs: ({ report }) => (report === null ? UNKNOWN_FOR_MS : 0),
      maxEntries: MOST_UNKNOWN,
    });
  }

  /**
   * Returns the status of a transfer. The stored status is returned if the transfer has ended, if
   * the protocol no longer knows the transfer, or if the caller's request budget is used up. An id
   * that store and protocol did not know a moment ago is not requested again.
   * @throws TransferNotFound if neither store nor protocol knows the id; Overloaded if the budget
   *   is used up and the id is not stored; errors of protocol and store
   */
  async execute({ transactionId, caller = UNNAMED_CALLER }: StatusInput): Promise<TransferStatus> {
    if (!TRANSACTION_ID.test(transactionId)) throw new TransferNotFound();
    const remembered = await this.memory.get(transactionId);
    if (remembered !== null && hasEnded(remembered))
      return reportTransfer(remembered, this.#nowSeconds());

    const read = async (): Promise<Answer> => {
      this.budget.spend(caller);
      const requestedAtMs = this.clock.nowMs();
      const terms = remembered?.terms ?? null;
      return { requestedAtMs, report: await this.protocol.status(transactionId, terms) };
    };
    const answer = await (remembered === null
      ? this.#answers.get(transactionId, read)
      : read().catch(nullIfOverloaded));
    const nowMs = this.clock.nowMs();
    const nowSeconds = this.#nowSeconds();
    const report = answer?.report ?? null;
    if (answer === null || report === null) {
      if (remembered === null) throw new TransferNotFound();
      return reportTransfer(remembered, nowSeconds);
    }
    const { requestedAtMs } = answer;
    const deadlineSeconds = report.deadlineSeconds ?? null;
    const known = remembered ?? UNSEEN;
    if (advance(known, report, nowSeconds, requestedAtMs) === known)
      return reportTransfer(known, nowSeconds, deadlineSeconds);
    const advanced = await this.memory.update(transactionId, nowMs, (present) =>
      advance(present ?? UNSEEN, report, nowSeconds, requestedAtMs),
    );
    return reportTransfer(advanced, nowSeconds, deadlineSeconds);
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1_000);
  }
}

/** Report of the protocol, and the start time of the request for the report. */
interface Answer {
  readonly requestedAtMs: number;
  readonly report: TransferStatusReport | null;
}

function nullIfOverloaded(error: unknown): null {
  if (error instanceof Overloaded) return null;
  throw error;
}
