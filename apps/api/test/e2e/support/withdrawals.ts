import { parseNote } from '@sotto/wallet/advanced';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { toSignals, type WithdrawalSignals } from '@sotto/prover/testing';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { provenCalldata } from './proofs.js';

/**
 * A proven withdrawal of the fifth of seven leaves. Two batches with six of the leaves are
 * deployed; the last leaf waits for its batch.
 */
export const vector = await loadWithdrawalVector();
export const leaves: readonly bigint[] = vector.leaves.map(BigInt);
export const pool = sandboxWorld.pools.sentinel_1x;

/** The proof of the test vector, which passes every check. */
export const good: WithdrawalBody = bodyOf(vector.calldata);
/**
 * Proof (−A, −B, C) of the test vector's statement. Anyone who has the vector's proof (A, B, C) can
 * compute this proof without the note's secrets.
 */
export const malleated: WithdrawalBody = bodyOf(vector.malleatedCalldata);

export function bodyOf(calldata: readonly string[]): WithdrawalBody {
  return { poolAddress: toFelt(pool.address), calldata };
}

/** Fields of the statement that a test can change, compared with the test vector's statement. */
export type Changes = Partial<
  Pick<WithdrawalSignals, 'recipient' | 'relayer' | 'fee' | 'batchStart' | 'batchSize'>
>;

/**
 * Returns a valid proof of the test vector's note. The proof is computed once per run and shared by
 * all tests of the run.
 * @param changes differences from the test vector's statement
 * @param treeLeaves leaves of the Merkle tree of the proof @default the leaves of the test vector
 */
export async function proven(
  changes: Changes = {},
  treeLeaves: readonly bigint[] = leaves,
): Promise<WithdrawalBody> {
  return bodyOf(await provenCalldata(signalsOf(changes, treeLeaves)));
}

/**
 * Returns a withdrawal of the test vector's note that is valid under the trapdoor key. No proof is
 * computed, and equal arguments give equal calldata. Used by tests that do not concern proofs.
 */
export function forged(
  changes: Changes = {},
  treeLeaves: readonly bigint[] = leaves,
): WithdrawalBody {
  return bodyOf(forgedCalldata(signalsOf(changes, treeLeaves)));
}

function signalsOf(changes: Changes, treeLeaves: readonly bigint[]): WithdrawalSignals {
  const { recipient, relayer, feeSats, batchStart, batchSize } = vector;
  const terms = {
    recipient: BigInt(recipient),
    relayer: BigInt(relayer),
    feeAmount: BigInt(feeSats),
    batchStart,
    batchSize,
  };
  return {
    ...toSignals({ ...terms, note: parseNote(vector.note.text), leaves: treeLeaves }),
    ...changes,
  };
}
