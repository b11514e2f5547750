import { filledCalldata, recipientOf } from '@sotto/load-kit';
import { feeAddress, poolAddress } from '../processes/world.js';

/** In sats: above what a withdrawal costs at the sandbox's prices, below the pool's most. */
const FEE_SATS = 150n;

/** What distinguishes a withdrawal from its neighbours. */
interface Choice {
  readonly note: number;
  /** @default the note's */
  readonly recipient?: number;
}

/** Calldata of a sound withdrawal. */
export function calldataOf({ note, recipient = note }: Choice): readonly string[] {
  return filledCalldata({
    note,
    relayer: feeAddress,
    fee: FEE_SATS,
    recipient: recipientOf(recipient),
  });
}

/** The body of `POST /api/relayer/withdraw`. */
export function bodyOf(calldata: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ poolAddress, calldata }));
}

/**
 * Bodies of withdrawals, each of another note. Made ahead, because making one takes as long as what
 * is measured.
 */
export class Withdrawals {
  readonly #ready: Buffer[] = [];
  #next = 0;

  /** Has so many ready. */
  prepare(count: number): void {
    while (this.#ready.length < count) this.#ready.push(bodyOf(calldataOf({ note: this.note() })));
  }

  take(): Buffer {
    return this.#ready.pop() ?? bodyOf(calldataOf({ note: this.note() }));
  }

  /** The number of an unused note. */
  note(): number {
    this.#next += 1;
    return this.#next;
  }
}
