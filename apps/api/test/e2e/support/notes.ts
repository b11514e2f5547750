import { noteOf, type Note } from '@sotto/circuits';
import { toSignals } from '@sotto/circuits/testing';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { provenCalldata } from './proofs.js';
import { vector } from './withdrawals.js';

/**
 * So many notes of one wallet, whose secrets these tests know.
 * @param series differs from wallet to wallet
 */
export function notesOf(series: bigint, count: number): readonly Note[] {
  return Array.from({ length: count }, (_, index) =>
    noteOf(series * 1_000n + BigInt(index), series * 2_000n + BigInt(index)),
  );
}

export function commitmentsOf(notes: readonly Note[]): readonly bigint[] {
  return notes.map(({ commitment }) => commitment);
}

/** A withdrawal of one of these notes, which stand alone in their pool, in batches of three. */
export interface NoteWithdrawal {
  readonly notes: readonly Note[];
  readonly index: number;
  readonly fee: bigint;
  /** @default the swap pool, which then swaps it */
  readonly recipient?: bigint;
  /** @default 3 */
  readonly batchSize?: number;
}

/** Calldata of a sound proof of the withdrawal, for the service's fee address. */
export async function withdrawalOf({
  notes,
  index,
  fee,
  recipient = sandboxWorld.swapPool.address,
  batchSize = 3,
}: NoteWithdrawal): Promise<readonly string[]> {
  const note = notes[index];
  if (note === undefined) throw new RangeError('there is no such note');
  const batchStart = index - (index % batchSize);
  const leaves = commitmentsOf(notes);
  const signals = toSignals({
    note,
    leaves,
    recipient,
    relayer: BigInt(vector.relayer),
    feeSats: fee,
    batchStart,
    batchSize,
  });
  return provenCalldata(signals);
}

/** As requests name it. */
export function commitmentText({ commitment }: Note): string {
  return `0x${commitment.toString(16)}`;
}

/** Addresses of a pool or token, as requests name them. */
export const addressText = ({ address }: { readonly address: bigint }): string => toFelt(address);
