import { filledCalldata, recipientOf } from '@sotto/load-kit';
import { feeAddress, poolAddress } from '../processes/world.js';

/**
 * Fee in sats, above the cost of a withdrawal at the sandbox's prices and below the pool's maximum.
 */
const FEE_SATS = 150n;

/** Numbers of the note and of the recipient of a withdrawal. */
interface Choice {
  readonly note: number;
  /** Number of the recipient. @default the note's number */
  readonly recipient?: number;
}

/** Returns the calldata of a valid withdrawal. */
export function calldataOf({ note, recipient = note }: Choice): readonly string[] {
  return filledCalldata({
    note,
    relayer: feeAddress,
    fee: FEE_SATS,
    recipient: recipientOf(recipient),
  });
}

/** Returns the body of `POST /api/relayer/withdraw`. */
export function bodyOf(calldata: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ poolAddress, calldata }));
}

/**
 * Request bodies of withdrawals, each for a different note. Bodies are prepared in advance, because
 * the preparation needs as much time as the measured work.
 */
export class Withdrawals {
  readonly #ready: Buffer[] = [];
  #next = 0;

  /** Prepares request bodies until `count` bodies are ready. */
  prepare(count: number): void {
    while (this.#ready.length < count) this.#ready.push(bodyOf(calldataOf({ note: this.note() })));
  }

  take(): Buffer {
    return this.#ready.pop() ?? bodyOf(calldataOf({ note: this.note() }));
  }

  /** Returns the number of a note that was not used before. */
  note(): number {
    this.#next += 1;
    return this.#next;
  }
}
