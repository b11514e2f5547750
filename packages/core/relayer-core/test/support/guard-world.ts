import { toFelt, type Clock, type Felt, UNNAMED_CALLER } from '@sotto/kernel';
import type { Submissions, Terms } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import {
  ControlPools,
  ExclusiveLocks,
  FairSemaphore,
  SettlementWindow,
  PoolCircuitBreaker,
  type GuardLimits,
  type MoneyEntry,
  type RelayedPool,
} from '../../src/index.js';
import {
  FakeSubmissions,
  InMemorySubmissionLocks,
  InMemorySettlementHistory,
  InMemoryPoolControls,
} from '../../src/testing/index.js';

const STRK = 10n ** 18n;

export const LIMITS: GuardLimits = {
  revertsInARow: 3,
  lossesInARow: 4,
  upstreamFailuresInARow: 2,
  pauseMs: 60_000,
  hourlyGasPerPoolFri: 10n * STRK,
  hourlyGasInAllFri: 25n * STRK,
  hourlyLossPerPoolFri: 4n * STRK,
  callerLossPercent: 25,
  lossBudgetCloses: false,
  swapRevertsPerNote: 2,
};

/** Milliseconds after which a snapshot of the history is no longer used. */
export const SNAPSHOT_MS = 1_000;

/**
 * Terms with a fee that is worth one STRK. Both tokens have equal prices, and the fee token has 8
 * decimals.
 */
export const TERMS: Terms = {
  feeAmount: 10n ** 8n,
  feeToken: toFelt('0x37b'),
  costFri: STRK,
  strkUsdE8: 1n,
  feeTokenUsdE8: 1n,
};

let entries = 0;

/**
 * Creates the history entry of a withdrawal that earned twice its cost and ended at `endedAtMs`.
 */
export function anEntry(
  pool: RelayedPool,
  endedAtMs: number,
  changes: Partial<MoneyEntry> = {},
): MoneyEntry {
  entries += 1;
  return {
    id: `entry-${entries}`,
    key: `key-${entries}`,
    kind: changes.terms === null ? 'deploy_batch' : 'withdraw',
    subject: pool.address,
    state: 'succeeded',
    role: 'relay',
    revertReason: null,
    terms: TERMS,
    gasPaidFri: STRK / 2n,
    acceptedAtMs: endedAtMs - 9_000,
    endedAtMs,
    ...changes,
  };
}

/**
 * Creates circuit breakers with separate stores. The test writes ended attempts into the history.
 */
export function aGuard(
  clock: Clock,
  submissions: Submissions,
  pools: readonly RelayedPool[],
  paused: ReadonlyMap<Felt, string> = new Map(),
  limits: GuardLimits = LIMITS,
) {
  const money = new InMemorySettlementHistory();
  const controls = new InMemoryPoolControls();
  const claimStore = new InMemorySubmissionLocks();
  const claims = new ExclusiveLocks(claimStore, submissions, clock);
  /** Creates another instance, or the same instance after a restart. */
  const instance = () => {
    const view = new SettlementWindow(money, controls, clock);
    const guard = new PoolCircuitBreaker(view, controls, claims, clock, {
      limits,
      pools,
      paused,
      maxWaitingPerRole: 200,
    });
    return { view, guard, control: new ControlPools(guard, controls, view, clock, pools) };
  };
  const slots = new FairSemaphore({ slots: 4, slotsPerName: 3, waitingPerName: 8 });
  return { money, controls, claimStore, claims, instance, slots, ...instance() };
}

/** Starts an attempt with this cost. The row of the attempt can’t be read yet. */
export async function entered(
  guard: PoolCircuitBreaker,
  of: RelayedPool,
  key: string,
  costFri = 0n,
): Promise<void> {
  await guard.confirm(
    {
      pool: of,
      kind: 'relay',
      key,
      requested: { effect: key },
      costFri,
      role: 'relay',
      caller: UNNAMED_CALLER,
    },
    () => new FakeSubmissions().submit({ ...aSubmission(key), key }),
  );
}

export type Guarding = ReturnType<typeof aGuard>;
