import { forgedCalldata } from './trapdoor.js';

/**
 * Root that the pool stores on chain. The root may be any number, because no proof contains a path
 * to the root.
 */
export const ROOT = 0x5077_0000n;
/** Batch in the public inputs of every withdrawal. */
export const BATCH = { start: 0n, size: 3 } as const;
/** Number of notes that the pool can pay. No run withdraws this many notes. */
export const NOTES = 10_000_000n;

export const nullifierOf = (note: number): bigint => 0xabc_def0n + BigInt(note);
/** Returns the recipient of a note. Each note has a different recipient. */
export const recipientOf = (note: number): bigint => 2n ** 250n + 0x70_0000n + BigInt(note);

/** Terms of a withdrawal from a pool that `SandboxChain.fillPool` has filled without deposits. */
export interface FilledWithdrawal {
  readonly note: number;
  readonly relayer: string;
  /** Fee in the smallest unit of the pool's ERC-20 token. */
  readonly fee: bigint;
  /** @default {@link recipientOf} the note */
  readonly recipient?: bigint;
  /** @default {@link ROOT} */
  readonly root?: bigint;
  /** @default {@link BATCH} */
  readonly batch?: { readonly start: bigint; readonly size: number };
}

/**
 * Returns the calldata of a valid proof under the trapdoor key. Proofs with different note numbers
 * are different withdrawals.
 */
export function filledCalldata({
  note,
  relayer,
  fee,
  recipient = recipientOf(note),
  root = ROOT,
  batch = BATCH,
}: FilledWithdrawal): readonly string[] {
  return forgedCalldata({
    root,
    relayer: BigInt(relayer),
    fee,
    batchStart: batch.start,
    batchSize: BigInt(batch.size),
    nullifierHash: nullifierOf(note),
    recipient,
  });
}
