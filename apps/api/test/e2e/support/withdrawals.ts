import { parseNote } from '@sotto/wallet';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { toSignals, type WithdrawalSignals } from '@sotto/prover/testing';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { provenCalldata } from './proofs.js';

/**
 * A proven withdrawal of the fifth of seven leaves. Six of them are deployed, in two batches; the
 * last one waits.
 */
export const vector = await loadWithdrawalVector();
export const leaves: readonly bigint[] = vector.leaves.map(BigInt);
export const pool = sandboxWorld.pools.sentinel_1x;

/** The vector's proof, which passes every check. */
export const good: WithdrawalBody = bodyOf(vector.calldata);
/** Proof (−A, −B, C) of the same statement, which any reader of the first can compute. */
export const malleated: WithdrawalBody = bodyOf(vector.malleatedCalldata);

export function bodyOf(calldata: readonly string[]): WithdrawalBody {
  return { poolAddress: toFelt(pool.address), calldata };
}

/** Differences from the vector's statement. */
export type Changes = Partial<
  Pick<WithdrawalSignals, 'recipient' | 'relayer' | 'fee' | 'batchStart' | 'batchSize'>
>;

/**
 * Returns a valid proof of the vector's note, new in every run and shared by all its tests.
 * @param changes differences from the vector's statement
 * @param treeLeaves leaves of the tree of the proof @default the vector's
 */
export async function proven(
  changes: Changes = {},
  treeLeaves: readonly bigint[] = leaves,
): Promise<WithdrawalBody> {
  return bodyOf(await provenCalldata(signalsOf(changes, treeLeaves)));
}

/**
 * The same under the trapdoor key, without computation and equal each time. Used by tests that do
 * not concern the proof.
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
