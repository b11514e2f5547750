import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import {
  judgePool,
  type GuardFacts,
  type PoolVerdict,
} from '../../src/circuit-breaker/domain/pool-circuit-breaker.js';
import type { AttemptKind, MoneyEntry } from '../../src/index.js';
import { LIMITS, anEntry } from './guard-world.js';
import { NOW_MS, pool } from './world.js';

export interface JudgedFacts extends Partial<Omit<GuardFacts, 'ended'>> {
  readonly entries?: readonly MoneyEntry[];
}

/** Returns the verdict on a pool for which only these facts are known. */
export function judge(
  { entries = [], ...facts }: JudgedFacts,
  kind: AttemptKind = 'relay',
  of = pool,
  limits = LIMITS,
): PoolVerdict {
  const calm = {
    nowMs: NOW_MS,
    live: [],
    control: null,
    configured: null,
    upstreamAnsweredAtMs: null,
  };
  return judgePool(of, kind, { ...calm, ended: new SettledAttempt(entries), ...facts }, limits);
}

/** Creates entries that ended one second apart. The last entry ended a second ago. */
export function run(...changes: readonly Partial<MoneyEntry>[]): readonly MoneyEntry[] {
  return changes.map((change, index) =>
    anEntry(pool, NOW_MS - 1_000 * (changes.length - index), change),
  );
}
