import { forgedCalldata } from '@sotto/load-kit';
import { feeAddress, poolAddress } from '../processes/world.js';

/** The tree's root, as it is set on chain: any number, since no case proves a path to it. */
export const ROOT = 0x5077_0000n;
/** The one batch that every withdrawal names. */
export const BATCH = { start: 0n, size: 3 } as const;
/** How many notes the pool can pay for: more than any run withdraws. */
export const NOTES = 10_000_000n;
/** In sats: above what a withdrawal costs at the sandbox's prices, below the pool's most. */
const FEE_SATS = 150n;
/** Each withdrawal pays its own recipient. */
const FIRST_RECIPIENT = 2n ** 250n + 0x70_0000n;
const FIRST_NULLIFIER = 0xabc_def0n;

/** What distinguishes a withdrawal from its neighbours. */
interface Choice {
  readonly note: number;
  /** @default the note's */
  readonly recipient?: number;
}

/** Calldata of a sound withdrawal. */
export function calldataOf({ note, recipient = note }: Choice): readonly string[] {
  return forgedCalldata({
    root: ROOT,
    relayer: BigInt(feeAddress),
    fee: FEE_SATS,
    batchStart: BATCH.start,
    batchSize: BigInt(BATCH.size),
    nullifierHash: FIRST_NULLIFIER + BigInt(note),
    recipient: FIRST_RECIPIENT + BigInt(recipient),
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
