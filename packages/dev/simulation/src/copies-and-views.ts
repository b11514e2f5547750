import { drawHappenings } from './happenings.js';
import { MEETINGS, type CallerPlan, type RunPlan } from './run-plan.js';
import type { Random, Streams } from './random.js';
import { record } from './weather.js';

/** Maximum time from the loss of the ledger to the start of the next process, in milliseconds. */
export const LATEST_START_MS = 3_000;

export function withYoungCopy(plan: RunPlan, streams: Streams): RunPlan {
  const drawn = withCopy(plan, streams);
  const random = streams.of('meeting');
  const meeting = random.chance(0.4) ? 'as they come' : random.pick(MEETINGS);
  switch (meeting) {
    case 'as they come':
      return drawn;
    case 'after another':
      return { ...afterAnother(drawn, random), meeting };
    case 'one node lags':
      return { ...oneNodeLags(drawn, random), meeting };
    case 'ended before':
      return { ...endedBefore(drawn, random), meeting };
  }
}

/**
 * Plans a run in which all lanes send unprotected calls just before the ledger is lost. A copy that
 * is seconds old replaces the ledger. Soon after that, the callers repeat their requests.
 */
function withCopy(plan: RunPlan, streams: Streams): RunPlan {
  const random = streams.of('young copy');
  const weather = record((kind) => {
    // If the domain rejects a call for a while, the call's attempt waits and may end, although the
    // lost ledger had sent the call.
    if (kind === 'admission fails' || kind === 'no longer wanted')
      return random.chance(0.3) ? 1 : 0;
    return random.chance(0.75) ? 0 : plan.weather[kind];
  });
  const durationMs = random.between(70_000, 110_000);
  const specialAtMs = random.between(12_000, 30_000);
  const copyAgeMs = random.between(1_000, 10_000);
  const callers = Array.from({ length: 3 + random.below(6) }, (_, index): CallerPlan[] => {
    const key = 1 + index;
    const caller = {
      key,
      role: 'relay' as const,
      isProtected: key % 2 === 1,
      blocks: null,
      patienceMs: random.between(2_000, 20_000),
      disconnects: false,
      requestsAgain: 1 + random.below(3),
    };
    // Most calls are sent from the lost ledger, and callers request them again soon after the loss.
    const beforeMs = specialAtMs - random.between(0, random.chance(0.7) ? copyAgeMs : 14_000);
    const afterMs = specialAtMs + random.between(500, random.chance(0.6) ? 10_000 : 45_000);
    return [
      { ...caller, index: 2 * index, atMs: Math.max(beforeMs, 0) },
      { ...caller, index: 2 * index + 1, atMs: afterMs },
    ];
  }).flat();
  return {
    ...plan,
    weather,
    durationMs,
    specialAtMs,
    copyAgeMs,
    callers: random.chance(0.7)
      ? callers.map((caller) => ({ ...caller, key: 2 * caller.key, isProtected: false }))
      : callers,
    happenings: drawHappenings(streams, weather, durationMs),
    lanes: plan.lanes.filter(({ role }) => role === 'relay').slice(0, random.chance(0.85) ? 2 : 1),
    chain: {
      ...plan.chain,
      blockMs: random.between(1_000, 3_000),
      inclusion: random.pick([0.05, 0.1, 0.3, 0.9]),
      replicas: 1 + random.below(3),
    },
    settings: {
      ...plan.settings,
      answerAt: random.chance(0.3) ? 'preconfirmed' : 'accepted_on_l2',
      maxInFlightPerLane: 1 + random.below(3),
      nonceWindow: Math.max(plan.settings.nonceWindow, 3),
      queueTimeoutMs: random.pick([4_000, 15_000, 40_000]),
      pauseOnForeign: false,
      strict: false,
    },
  };
}

/**
 * Plans a run in which the lost ledger has sent a call that waits in the mempool. The copy first
 * receives other requests, which get this call's nonce, and then receives the request for this call
 * again.
 */
function afterAnother(plan: RunPlan, random: Random): RunPlan {
  const { specialAtMs } = plan;
  const copyAgeMs = random.between(1_500, 6_000);
  const afterMs = specialAtMs + LATEST_START_MS + random.between(0, 3_000);
  const others = 1 + random.below(2);
  return {
    ...quiet(plan, random),
    copyAgeMs,
    callers: [
      { ...callerOf(0, 2, specialAtMs - copyAgeMs * random.between(0.1, 0.7)), requestsAgain: 0 },
      callerOf(1, 2, afterMs + random.between(50, 8_000)),
      ...Array.from({ length: others }, (_, index) => callerOf(2 + index, 4 + 2 * index, afterMs)),
    ],
    settings: { ...plan.settings, maxInFlightPerLane: 2, queueTimeoutMs: 40_000 },
  };
}

/**
 * Plans a run in which one node lags. All callers repeat their requests before nodes show the first
 * block that is newer than the start of the process.
 */
function oneNodeLags(plan: RunPlan, random: Random): RunPlan {
  const { specialAtMs } = plan;
  const afterMs = specialAtMs + LATEST_START_MS + random.between(0, 300);
  const waiting = quiet(plan, random);
  return {
    ...waiting,
    callers: [
      { ...callerOf(0, 2, specialAtMs - random.between(250, 700)), requestsAgain: 0 },
      callerOf(1, 4, afterMs),
      callerOf(2, 2, afterMs + random.between(50, 300)),
    ],
    chain: { ...waiting.chain, inclusion: 0.8, replicas: 2 },
    settings: {
      ...plan.settings,
      idleIntervalMs: 5_000,
      maxInFlightPerLane: 2,
      queueTimeoutMs: 40_000,
    },
  };
}

/**
 * Plans a run in which calls wait when the copy of the ledger is made. The lost ledger then sends
 * the calls. The copy ends their attempts as not sent in time, before the sent calls land.
 */
function endedBefore(plan: RunPlan, random: Random): RunPlan {
  const copyAgeMs = random.between(1_500, 6_000);
  const backUpAtMs = plan.specialAtMs - copyAgeMs;
  return {
    ...quiet(plan, random),
    copyAgeMs,
    callers: Array.from({ length: 1 + random.below(2) }, (_, index) => ({
      ...callerOf(index, 2 + 2 * index, backUpAtMs - random.between(10, 150)),
      requestsAgain: 0,
    })),
    settings: { ...plan.settings, maxInFlightPerLane: 2, queueTimeoutMs: 4_000 },
  };
}

/** Makes sent transactions wait long in the mempool, and disables most other faults. */
function quiet(plan: RunPlan, random: Random): RunPlan {
  return {
    ...plan,
    weather: record((kind) => (random.chance(0.9) ? 0 : plan.weather[kind])),
    happenings: [],
    chain: {
      ...plan.chain,
      blockMs: random.between(1_000, 2_000),
      inclusion: random.pick([0.02, 0.05]),
      replicas: 1 + random.below(3),
    },
  };
}

/** Returns a caller that requests a call without replay protection. */
function callerOf(index: number, key: number, atMs: number): CallerPlan {
  return {
    index,
    key,
    atMs: Math.max(atMs, 0),
    role: 'relay',
    isProtected: false,
    blocks: null,
    patienceMs: 15_000,
    disconnects: false,
    requestsAgain: 1,
  };
}

/**
 * Plans a run in which blocks are replaced immediately. Some replicas still show the old blocks
 * while others show the new blocks. L1 accepts the new blocks soon.
 */
export function withMixedViews(plan: RunPlan, streams: Streams): RunPlan {
  const random = streams.of('mixed views plan');
  const weather = record((kind) =>
    kind === 'views mixed'
      ? 1
      : kind === 'nonsense' || kind === 'L1 undone'
        ? Number(random.chance(kind === 'nonsense' ? 0.4 : 0.7))
        : random.chance(0.85)
          ? 0
          : plan.weather[kind],
  );
  const l1DelayMs = random.between(4_000, 20_000);
  return {
    ...plan,
    weather,
    happenings: drawHappenings(
      streams,
      {
        ...weather,
        'views mixed': 8,
        nonsense: 3 * weather.nonsense,
        'L1 undone': 10 * weather['L1 undone'],
      },
      plan.durationMs,
    ),
    chain: {
      ...plan.chain,
      blockMs: random.between(1_000, 2_500),
      l1DelayMs,
      replicas: 2 + random.below(2),
      reportsL1: true,
    },
    settings: { ...plan.settings, horizonMs: l1DelayMs + 60_000, pauseOnForeign: false },
  };
}
