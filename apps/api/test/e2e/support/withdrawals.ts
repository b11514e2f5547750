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

/** The vector's proof: passes every check. */
export const good: WithdrawalBody = bodyOf(vector.calldata);
/** (−A, −B, C): another proof of the same, which anybody can make. */
export const malleated: WithdrawalBody = bodyOf(vector.malleatedCalldata);

export function bodyOf(calldata: readonly string[]): WithdrawalBody {
  return { poolAddress: toFelt(pool.address), calldata };
}

/** What is stated otherwise than in the vector. */
export type Changes = Partial<
  Pick<WithdrawalSignals, 'recipient' | 'relayer' | 'fee' | 'batchStart' | 'batchSize'>
>;

/**
 * A sound proof of the vector's note, fresh in every run and the same for all tests of it.
 * @param changes to the vector's statement
 * @param treeLeaves of the tree that it is proven in @default the vector's
 */
export async function proven(
  changes: Changes = {},
  treeLeaves: readonly bigint[] = leaves,
): Promise<WithdrawalBody> {
  return bodyOf(await provenCalldata(signalsOf(changes, treeLeaves)));
}

/**
 * The same under the trapdoor key, in no time, and the same each time: for tests of what is not
 * the proof.
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
