import type { DomainError } from '@sotto/kernel';
import type { MoneyEntry } from '../../src/index.js';
import { SNAPSHOT_MS, anEntry } from './guard-world.js';
import { calldataWith, proofOf, vector } from './vector.js';
import { PRICES, pool, type World } from './world.js';

const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);

export const SPENT = { state: 'reverted', revertReason: 'already withdrawn' } as const;
export const SLIPPED = {
  state: 'reverted',
  revertReason: 'Insufficient tokens received',
  role: 'swap_owner',
} as const;
export const BROKEN = { state: 'reverted', revertReason: 'invalid proof' } as const;

/** Creates a valid proof of another note of the pool. The fake verifier accepts this proof. */
export function note(world: Pick<World, 'verifier'>, offset: bigint) {
  const calldata = calldataWith({ nullifierHash: nullifierHash - offset });
  world.verifier.accept(proofOf(calldata));
  return calldata;
}

export const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: DomainError) => error.code,
  );

/** Ends the newest attempt, both in the ledger and in the history. */
export function endLast(world: World, change: Partial<MoneyEntry>): void {
  const attempt = world.submissions.attempts.at(-1);
  if (attempt === undefined) throw new Error('nothing was accepted');
  world.submissions.execute(attempt.id, change.state === 'reverted' ? 'REVERTED' : 'SUCCEEDED');
  world.guarding.money.end(
    anEntry(pool, world.clock.nowMs(), {
      id: attempt.id,
      key: attempt.key,
      role: attempt.role,
      ...change,
    }),
    attempt.effect,
  );
  world.clock.pass(SNAPSHOT_MS);
}

/** Advances the time by `ms` and refreshes all prices. */
export function passWithPrices({ clock, prices, secondPrices }: World, ms: number): void {
  clock.pass(ms);
  for (const source of [prices, secondPrices])
    source.set(PRICES.map((price) => ({ ...price, observedAtMs: clock.nowMs() })));
}
