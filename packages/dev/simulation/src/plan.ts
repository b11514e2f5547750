import { toFelt } from '@sotto/kernel';
import { CHAIN_ID } from './chain/node-ports.js';
import { withMixedViews, withYoungCopy } from './copies-and-views.js';
import { drawHappenings } from './happenings.js';
import { drawPushes } from './pushes.js';
import { Streams, type Random } from './random.js';
import type { CallerPlan, LanePlan, RunKind, RunPlan } from './run-plan.js';
import { drawWeather, record, type FaultKind } from './weather.js';

export const MEMPOOL_LIFETIME_MS = 40_000;
const LANE_ADDRESSES = ['0xa1', '0xa2', '0xc1'] as const;
const GWEI = 10n ** 9n;

/** Percentage of runs of each kind. All other runs are of the kind `usual`. */
const SHARES = [
  ['ledger lost', 16],
  ['lanes change', 10],
  ['acceptance', 6],
  ['lying provider', 6],
  ['slow polls', 14],
  ['rollbacks', 6],
  ['young copy', 10],
  ['mixed views', 6],
] as const satisfies readonly (readonly [RunKind, number])[];

/** Draws the plan of a run. @param wanted kind of the run; null to draw the kind */
export function drawPlan(seed: string, wanted: RunKind | null = null): RunPlan {
  const streams = new Streams(seed);
  const random = streams.of('plan');
  const dice = random.next();
  const kind = wanted ?? kindBy(dice);
  const plan = drawUsual(seed, streams, random, kind);
  return withLastBlocks(withKind(plan, streams), streams);
}

function withKind(plan: RunPlan, streams: Streams): RunPlan {
  if (plan.kind === 'rollbacks') return withRollbacks(plan, streams);
  if (plan.kind === 'young copy') return withYoungCopy(plan, streams);
  if (plan.kind === 'mixed views') return withMixedViews(plan, streams);
  return plan.kind === 'slow polls' ? withSlowPolls(plan, streams) : plan;
}

/**
 * Gives the calls of some callers a last block. Some last blocks are so near that the calls may not
 * be signed at all.
 */
function withLastBlocks(plan: RunPlan, streams: Streams): RunPlan {
  const random = streams.of('last blocks');
  // Last blocks end calls early, but runs with slow polls need many calls that compete for a nonce.
  const share = random.pick(plan.kind === 'slow polls' ? [0, 0, 0, 1] : [0, 0.5, 1]);
  return {
    ...plan,
    callers: plan.callers.map((caller) => {
      const blocks = random.chance(0.1) ? 1 + random.below(5) : 6 + random.below(10);
      const hasLastBlock = random.chance(caller.isProtected ? share : 0.3 * share);
      return { ...caller, blocks: hasLastBlock ? blocks : null };
    }),
  };
}

function kindBy(dice: number): RunKind {
  let left = dice * 100;
  for (const [kind, share] of SHARES) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'usual';
}

function drawUsual(seed: string, streams: Streams, random: Random, kind: RunKind): RunPlan {
  const weather = drawWeather(streams);
  const durationMs = random.between(25_000, 90_000);
  const hasCurator = random.chance(0.5);
  const needsTwo = kind === 'lanes change' || kind === 'young copy';
  const relayLanes = needsTwo || random.chance(0.5) ? 2 : 1;
  const lanes = LANE_ADDRESSES.flatMap((address, index): LanePlan[] => {
    if (index === 2) return hasCurator ? [{ address: toFelt(address), role: 'curator' }] : [];
    return index < relayLanes ? [{ address: toFelt(address), role: 'relay' }] : [];
  });
  const l1DelayMs = random.between(12_000, 45_000);
  const window = 4 + random.below(4);
  const specialAtMs = random.between(0.15, 0.8) * durationMs;
  return {
    seed,
    kind,
    weather,
    durationMs,
    lanes,
    callers: drawCallers(
      streams,
      durationMs,
      hasCurator,
      kind === 'ledger lost' ? specialAtMs : null,
    ),
    happenings: drawHappenings(streams, weather, durationMs),
    specialAtMs,
    copyAgeMs: specialAtMs * random.between(0, 0.8),
    meeting: 'as they come',
    processes: random.chance(0.5) ? 1 : random.chance(0.6) ? 2 : 3,
    chain: {
      blockMs: random.between(1_000, 5_000),
      l1DelayMs,
      inclusion: random.chance(0.5) ? 0.9 : random.between(0.2, 0.9),
      replicas: 1 + random.below(3),
      reportsL1: random.chance(0.7),
    },
    push: drawPushes(streams),
    settings: {
      chainId: CHAIN_ID,
      answerAt: random.chance(0.6) ? 'preconfirmed' : 'accepted_on_l2',
      maxInFlightPerLane: 1 + random.below(window),
      nonceWindow: window,
      pollIntervalMs: random.pick([500, 1_000, 1_500]),
      idleIntervalMs: random.pick([2_500, 5_000]),
      lookTimeoutMs: random.pick([8_000, 25_000]),
      leaseTtlMs: random.pick([6_000, 12_000]),
      resendAfterMs: random.pick([3_000, 8_000]),
      queueTimeoutMs: random.pick([15_000, 40_000]),
      deadlineMs: random.pick([30_000, 90_000]),
      ceilingL2PriceFri: 150n * GWEI,
      noopLimits: { l2Gas: 5_000_000n, l1Gas: 256n, l1DataGas: 1_024n, priceMultiplier: 2n },
      mempoolLifetimeMs: MEMPOOL_LIFETIME_MS,
      attentionAfterMs: MEMPOOL_LIFETIME_MS,
      horizonMs: l1DelayMs + 60_000,
      adoptBackMs: 3_600_000,
      needsYoungHead: true,
      storeHasNoClock: streams.of('store clock').chance(0.5),
      pauseOnForeign: random.chance(0.3),
      strict: random.chance(0.1),
      retentionMs: 1_800_000,
      redactionIntervalMs: 10_000,
    },
    spared: new Set(),
  };
}

/** Kinds of faults that make polls overlap with other work. */
const OF_SLOW_POLLS: ReadonlySet<FaultKind> = new Set([
  'read slow',
  'send slow',
  'send refused',
  'send answer lost',
  'price jump',
]);

/**
 * Makes reads of the chain slow and disables most other faults. First sends are rejected, and many
 * callers compete for few nonces.
 */
function withSlowPolls(plan: RunPlan, streams: Streams): RunPlan {
  // The name of a stream is part of its seed: a new name would change every run of this kind.
  const random = streams.of('slow looks');
  const weather = record((kind) =>
    OF_SLOW_POLLS.has(kind) ? random.between(0.6, 1) : random.chance(0.9) ? 0 : plan.weather[kind],
  );
  const lanes = plan.lanes
    .filter(({ role }) => role === 'relay')
    .slice(0, random.chance(0.7) ? 1 : 2);
  const durationMs = random.between(50_000, 90_000);
  return {
    ...plan,
    weather,
    lanes,
    durationMs,
    happenings: drawHappenings(streams, { ...weather, 'price jump': 3 }, durationMs),
    callers: Array.from({ length: 8 + random.below(8) }, (_, index) => ({
      index,
      atMs: random.between(0, 0.6) * durationMs,
      key: 1 + index,
      role: 'relay' as const,
      // Without nullifiers, a call that is sent twice is paid twice.
      isProtected: (1 + index) % 2 === 1,
      blocks: null,
      patienceMs: random.between(5_000, 20_000),
      disconnects: false,
      requestsAgain: random.below(2),
    })),
    processes: 1,
    chain: {
      ...plan.chain,
      blockMs: random.between(1_000, 2_500),
      inclusion: random.between(0.5, 0.9),
      replicas: 1,
    },
    settings: {
      ...plan.settings,
      maxInFlightPerLane: 1 + random.below(2),
      pollIntervalMs: 500,
      lookTimeoutMs: 25_000,
      resendAfterMs: 8_000,
      queueTimeoutMs: 40_000,
      deadlineMs: 90_000,
      pauseOnForeign: false,
      strict: false,
    },
  };
}

/**
 * Kinds of faults that create several transactions under one nonce, and that change which one
 * lands.
 */
const OF_ROLLBACKS: ReadonlySet<FaultKind> = new Set([
  'rollback',
  'pre-confirmed vanishes',
  'eviction',
  'copy arrives',
  'price jump',
  'send arrives later',
  'send answer lost',
  'no longer wanted',
  'foreign',
]);

/** Makes blocks short, and undoes them often before L1 accepts them. */
function withRollbacks(plan: RunPlan, streams: Streams): RunPlan {
  const random = streams.of('rollbacks');
  const weather = record((kind) =>
    OF_ROLLBACKS.has(kind) ? random.between(0.5, 1) : random.chance(0.8) ? 0 : plan.weather[kind],
  );
  const l1DelayMs = random.between(30_000, 45_000);
  return {
    ...plan,
    weather,
    happenings: drawHappenings(streams, { ...weather, rollback: 3, foreign: 4 }, plan.durationMs),
    callers: plan.callers.map((caller) => ({ ...caller, disconnects: false, requestsAgain: 3 })),
    chain: { ...plan.chain, blockMs: random.between(1_000, 2_000), l1DelayMs },
    // Short deadlines create no-ops, which compete with calls for a nonce.
    settings: {
      ...plan.settings,
      horizonMs: l1DelayMs + 60_000,
      resendAfterMs: 3_000,
      deadlineMs: random.pick([8_000, 15_000, 60_000]),
      pauseOnForeign: false,
    },
  };
}

/**
 * Draws the callers. @param lossAtMs time at which the ledger is lost; many requests must be in
 * flight then
 */
function drawCallers(
  streams: Streams,
  durationMs: number,
  hasCurator: boolean,
  lossAtMs: number | null,
): CallerPlan[] {
  const random = streams.of('callers');
  const keys = 2 + random.below(5);
  const isCrowd = random.chance(0.4);
  return Array.from({ length: 3 + random.below(12) }, (_, index) => {
    const key = 1 + random.below(keys);
    const isProtected = key % 2 === 1;
    const anyTimeMs = random.between(0, isCrowd ? durationMs * 0.2 : durationMs * 0.85);
    const justBeforeMs = random.between(0.5, 1);
    return {
      index,
      atMs:
        lossAtMs !== null && random.chance(0.5)
          ? lossAtMs - justBeforeMs * Math.min(6_000, lossAtMs)
          : anyTimeMs,
      key,
      role: hasCurator && !isProtected ? 'curator' : 'relay',
      isProtected,
      blocks: null,
      patienceMs: random.between(500, 20_000),
      disconnects: random.chance(0.2),
      requestsAgain: random.below(4),
    };
  });
}
