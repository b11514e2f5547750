import { noteOf, type Note } from '@sotto/wallet/advanced';
import { toSignals, type WithdrawalSignals } from '@sotto/prover/testing';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { provenCalldata } from './proofs.js';
import { vector } from './withdrawals.js';

/**
 * Creates notes of one wallet whose secrets the tests know.
 * @param series number of the wallet: each number gives different notes
 */
export function notesOf(series: bigint, count: number): readonly Note[] {
  return Array.from({ length: count }, (_, index) =>
    noteOf(series * 1_000n + BigInt(index), series * 2_000n + BigInt(index)),
  );
}

export function commitmentsOf(notes: readonly Note[]): readonly bigint[] {
  return notes.map(({ commitment }) => commitment);
}

/**
 * A withdrawal of one of these notes. The pool contains only these notes, in batches of three by
 * default.
 */
export interface NoteWithdrawal {
  readonly notes: readonly Note[];
  readonly index: number;
  readonly fee: bigint;
  /** @default the swap pool's address, so that the swap pool receives the amount and can swap it */
  readonly recipient?: bigint;
  /** @default 3 */
  readonly batchSize?: number;
}

/** Returns calldata of a valid proof of the withdrawal, with the service's fee address. */
export async function withdrawalOf(withdrawal: NoteWithdrawal): Promise<readonly string[]> {
  return provenCalldata(signalsOf(withdrawal));
}

/**
 * Returns calldata of the withdrawal that is valid under the trapdoor key. No proof is computed:
 * for tests that do not concern proofs.
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

/** Returns the note's commitment in the format of requests. */
export function commitmentText({ commitment }: Note): string {
  return `0x${commitment.toString(16)}`;
}

/** Returns the address of a pool or ERC-20 token in the format of requests. */
export const addressText = ({ address }: { readonly address: bigint }): string => toFelt(address);
