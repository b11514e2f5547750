import { noteOf, type Note } from '@sotto/wallet';
import { toSignals, type WithdrawalSignals } from '@sotto/prover/testing';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { provenCalldata } from './proofs.js';
import { vector } from './withdrawals.js';

/**
 * Creates notes of one wallet, whose secrets these tests know.
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

/** A withdrawal of one of these notes, the only ones in their pool, in batches of three. */
export interface NoteWithdrawal {
  readonly notes: readonly Note[];
  readonly index: number;
  readonly fee: bigint;
  /** @default the swap pool, which then swaps it */
  readonly recipient?: bigint;
  /** @default 3 */
  readonly batchSize?: number;
}

/** Calldata of a valid proof of the withdrawal, for the service's fee address. */
export async function withdrawalOf(withdrawal: NoteWithdrawal): Promise<readonly string[]> {
  return provenCalldata(signalsOf(withdrawal));
}

/**
 * The same under the trapdoor key, without computation: for tests that do not concern the proof.
 */
export function forgedWithdrawalOf(withdrawal: NoteWithdrawal): readonly string[] {
  return forgedCalldata(signalsOf(withdrawal));
}

function signalsOf({
  notes,
  index,
  fee,
  recipient = sandboxWorld.swapPool.address,
  batchSize = 3,
}: NoteWithdrawal): WithdrawalSignals {
  const note = notes[index];
  if (note === undefined) throw new RangeError('there is no such note');
  const batchStart = index - (index % batchSize);
  const leaves = commitmentsOf(notes);
  return toSignals({
    note,
    leaves,
    recipient,
    relayer: BigInt(vector.relayer),
    feeAmount: fee,
    batchStart,
    batchSize,
  });
}

/** Commitment in the format of requests. */
export function commitmentText({ commitment }: Note): string {
  return `0x${commitment.toString(16)}`;
}

/** Address of a pool or token in the format of requests. */
export const addressText = ({ address }: { readonly address: bigint }): string => toFelt(address);
