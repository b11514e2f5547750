import type { Felt } from '@sotto/kernel';
import type { Attempt } from './rows.js';

/**
 * Waiting attempts in the order in which lanes take them: round robin over the contracts that they
 * call, where the contract with fewer in flight comes first; within one contract by age. So the
 * long queue of one pool holds up no other pool.
 * @param waiting oldest first
 * @param inFlight attempts that hold a nonce, by called contract
 */
export function inFairOrder<Waiting extends Pick<Attempt, 'target'>>(
  waiting: readonly Waiting[],
  inFlight: ReadonlyMap<Felt, number>,
): readonly Waiting[] {
  const turns = new Map(inFlight);
  return waiting
    .map((attempt, age) => {
      const turn = turns.get(attempt.target.to) ?? 0;
      turns.set(attempt.target.to, turn + 1);
      return { attempt, turn, age };
    })
    .toSorted((a, b) => a.turn - b.turn || a.age - b.age)
    .map(({ attempt }) => attempt);
}
