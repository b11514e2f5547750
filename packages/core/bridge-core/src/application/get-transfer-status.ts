import type { Clock } from '@sotto/kernel';
import { reportTransfer, type TransferStatus } from '../domain/transfer-status.js';
import { UNSEEN, advance, hasEnded } from '../domain/transfer.js';
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

/**
 * How far a transfer has come: what the protocol says now, on top of everything that was seen
 * before.
 */
export class GetTransferStatus {
  /** Until when ids count as unknown, in the order in which they were asked for. */
  readonly #unknownUntil = new Map<string, number>();

  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly memory: TransferStore,
    private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  ) {}

  /**
   * A transfer that has ended is answered from memory, one that the protocol has forgotten as well;
   * an id that neither knew a moment ago is not asked for again.
   * @throws TransferNotFound when neither knows the id; errors of protocol and memory
   */
  async execute({ transactionId }: { readonly transactionId: string }): Promise<TransferStatus> {
    if (!TRANSACTION_ID.test(transactionId)) throw new TransferNotFound();
    const remembered = await this.memory.get(transactionId);
    if (remembered !== null && hasEnded(remembered)) return reportTransfer(remembered);

    if (remembered === null && this.#isUnknown(transactionId)) throw new TransferNotFound();
    const sighting = await this.protocol.status(transactionId);
    if (sighting === null) {
      if (remembered === null) {
        this.#noteUnknown(transactionId);
        throw new TransferNotFound();
      }
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

  #isUnknown(transactionId: string): boolean {
    return (this.#unknownUntil.get(transactionId) ?? 0) > this.clock.monotonicMs();
  }

  #noteUnknown(transactionId: string): void {
    const nowMs = this.clock.monotonicMs();
    this.#unknownUntil.delete(transactionId);
    for (const [oldest, untilMs] of this.#unknownUntil) {
      if (this.#unknownUntil.size < MOST_UNKNOWN && untilMs > nowMs) break;
      this.#unknownUntil.delete(oldest);
    }
    this.#unknownUntil.set(transactionId, nowMs + UNKNOWN_FOR_MS);
  }
}
