import type { Felt } from '@sotto/kernel';
import { LATEST_START_MS } from './copies-and-views.js';
import { drawLoss } from './disk.js';
import { CHAIN_ID } from './chain/node-ports.js';
import { MEMPOOL_LIFETIME_MS } from './plan.js';
import type { Random } from './random.js';
import type { World } from './world.js';

/**
 * Waits until a lane that must change has work in flight: maximum number of waits, and duration of
 * one wait in ms.
 */
const MOST_WAITS = 30;
const WAIT_MS = 300;

/** Probability that the store recognises that its ledger is a copy. */
const RECOGNISED = 0.5;

/** Prepares the special event of a run. */
export function beforeSpecial(world: World): void {
  const { plan, streams, processes, scheduler, disk, judge, taps, chain } = world;
  const random = streams.of('special start');
  if (plan.kind === 'ledger lost' || plan.kind === 'young copy') {
    const { copyAgeMs, specialAtMs } = plan;
    scheduler.after(Math.max(specialAtMs - copyAgeMs, 1), async () => {
      await disk.backUp();
      judge.backUp();
      taps.backUp();
      if (plan.kind !== 'young copy') return;
      if (plan.meeting === 'one node lags') return holdUntilSeen(world);
      holdNodes(world, copyAgeMs, random);
      holdLater(world, copyAgeMs, random);
    });
  }
  if (plan.kind === 'lanes change' && random.chance(0.4)) processes.lanes = plan.lanes.slice(1);
  if (plan.kind !== 'acceptance') return;
  const how = random.pick(['right', 'wrong', 'none'] as const);
  const nonces = new Map(
    plan.lanes.map(({ address }, index) => [
      address,
      chain.account(address).nonce + (how === 'wrong' && index === 0 ? 1n : 0n),
    ]),
  );
  processes.acceptance = how === 'none' ? null : { chainId: CHAIN_ID, nonces };
}

/** Performs the special event of a run. */
export async function special(world: World): Promise<void> {
  const { plan, streams } = world;
  const random = streams.of('special');
  if (plan.kind === 'ledger lost')
    return loseLedger(world, drawLoss(random), random.chance(0.5) ? 'null' : 'stale');
  if (plan.kind === 'young copy') return loseLedger(world, 'copy', 'null');
  if (plan.kind === 'lanes change') return changeLanes(world);
  if (plan.kind === 'acceptance') return acceptance(world);
}

/**
 * Kills the processes and replaces their ledger. The settings may still contain an operator's
 * acceptance with wrong nonces.
 */
async function loseLedger(
  world: World,
  wanted: 'empty' | 'copy',
  leftBehind: 'null' | 'stale',
): Promise<void> {
  const { processes, disk, judge, story, taps, streams, chain } = world;
  for (const process of processes.alive) processes.kill(process);
  const isRecognised = streams.of('copy recognised').chance(RECOGNISED);
  const by = await disk.replace(wanted, isRecognised);
  const { unknown, given } = taps.ledgerLost(by);
  judge.lost({ by, isRecognised, unknown, given });
  if (by === 'copy') {
    sawCopy(world, unknown);
    if (world.plan.meeting === 'one node lags') landLater(world, unknown);
    world.scheduler.after(MEMPOOL_LIFETIME_MS, () => {
      if (!judge.lostLedger.isOnChain()) world.network.forget(unknown);
    });
  }
  story.report(
    () =>
      `THE LEDGER IS LOST, and ${by === 'empty' ? 'an empty one' : `an older copy, which is ${isRecognised ? '' : 'not '}recognised as one,`} is in its place`,
  );
  // Every nonce in this acceptance is wrong, so the new process must ignore it.
  const nonces = new Map(
    processes.lanes.map(({ address }) => [address, chain.account(address).nonce + 1_000n]),
  );
  processes.acceptance = leftBehind === 'null' ? null : { chainId: CHAIN_ID, nonces };
  // The lost ledger's transactions in flight may still arrive at any time. This makes the loss
  // dangerous.
  const random = streams.of('calls in flight');
  for (const tx of world.network.copies.values()) {
    if (random.chance(0.5))
      world.scheduler.after(random.between(0, 120_000), () => world.network.arrive(tx));
  }
  await restartSoon(world);
}

/**
 * Freezes some or all nodes: they show the current chain until the ledger is lost and for some time
 * afterwards.
 */
function holdNodes({ network, scheduler, chain }: World, ageMs: number, random: Random): void {
  if (!random.chance(0.7)) return;
  const areAllHeld = random.chance(0.5);
  const held = network.replicas.filter(() => areAllHeld || random.chance(0.5));
  for (const replica of held) replica.hold();
  scheduler.after(ageMs + random.between(3_000, 20_000), () => {
    for (const replica of held) replica.release(chain);
  });
}

/**
 * Returns the time in ms from the loss until nodes show a first block to a process that started
 * after the loss.
 */
const shownAfterMs = ({ plan }: World): number => LATEST_START_MS + 1.5 * plan.chain.blockMs;

/**
 * Freezes all nodes at the current chain. After the new process has started, all nodes show new
 * blocks again. From then on, one node shows no newer blocks for some time.
 */
function holdUntilSeen(world: World): void {
  const { network, scheduler, chain, plan, streams } = world;
  const [first] = network.replicas;
  for (const replica of network.replicas) replica.hold();
  scheduler.after(plan.copyAgeMs + shownAfterMs(world), () => {
    for (const replica of network.replicas) replica.release(chain);
    if (network.isFair) return;
    first?.hold();
    const lagMs = streams.of('one node lags').between(6_000, 15_000);
    scheduler.after(lagMs, () => first?.release(chain));
  });
}

/**
 * Removes the lost ledger's transactions from the mempool until nodes show the first block to the
 * new process. The transactions return soon after this block.
 */
function landLater(world: World, unknown: ReadonlySet<Felt>): void {
  const { network, scheduler, pool, streams } = world;
  const random = streams.of('one node lags');
  network.dropPreConfirmed();
  for (const tx of [...network.copies.values()].filter(({ hash }) => unknown.has(hash))) {
    pool.drop(tx);
    scheduler.after(shownAfterMs(world) + random.between(0, 1_500), () => network.arrive(tx));
  }
}

/** Makes some nodes lag again, after the copy of the ledger was compared with the chain. */
function holdLater({ network, scheduler, chain }: World, ageMs: number, random: Random): void {
  if (!random.chance(0.5)) return;
  const held = network.replicas.filter(() => random.chance(0.5));
  const fromMs = ageMs + random.between(3_000, 12_000);
  scheduler.after(fromMs, () => {
    if (network.isFair) return;
    for (const replica of held) replica.hold();
    scheduler.after(random.between(3_000, 15_000), () => {
      for (const replica of held) replica.release(chain);
    });
  });
}

/**
 * Records for each call that the copy does not know whether it is on chain, in the mempool or
 * neither.
 */
function sawCopy({ network, judge, situations }: World, unknown: ReadonlySet<Felt>): void {
  const included = new Set(judge.included().map(({ tx }) => tx.hash));
  for (const tx of network.copies.values()) {
    if (!unknown.has(tx.hash) || tx.call === null) continue;
    if (included.has(tx.hash)) situations.saw('a copy did not know a call that had landed');
    else if (network.pool.has(tx)) situations.saw('a copy did not know a call in the mempool');
    else situations.saw('a copy did not know a call in transit');
  }
}

/** Changes the lanes in the settings: retires a lane, removes a lane or adds a lane. */
async function changeLanes(world: World, waits = MOST_WAITS): Promise<void> {
  const { processes, story, streams, plan, situations, scheduler } = world;
  const [lane] = plan.lanes;
  const isAtWork =
    lane !== undefined &&
    (await world.disk.ledger.openNonces(lane.address)).some(({ owner }) => owner !== null);
  // A lane with work in flight tests more than an idle lane, so the change waits for work.
  if (!isAtWork && waits > 0) return scheduler.after(WAIT_MS, () => changeLanes(world, waits - 1));
  const random = streams.of('special');
  const [first] = plan.lanes;
  if (first === undefined) return;
  const rest = plan.lanes.slice(1);
  const how =
    processes.lanes.length < plan.lanes.length
      ? 'added'
      : random.pick(['retired', 'taken out'] as const);
  story.report(() => `the lane ${first.address} is ${how}`);
  processes.lanes =
    how === 'retired'
      ? [{ ...first, isRetiring: true }, ...rest]
      : how === 'taken out'
        ? rest
        : plan.lanes;
  processes.acceptance = null;
  if (how === 'retired' && isAtWork) situations.saw('a lane was retired with work in flight');
  for (const process of processes.alive) processes.kill(process);
  await restartSoon(world);
}

/**
 * Restarts a service without the operator's acceptance with which it had started. The service must
 * work as before.
 */
async function acceptance(world: World): Promise<void> {
  const { processes } = world;
  processes.acceptance = null;
  for (const process of processes.alive) processes.kill(process);
  await restartSoon(world);
}

async function restartSoon({ plan, processes, scheduler, streams }: World): Promise<void> {
  const mostMs = plan.kind === 'young copy' ? LATEST_START_MS : 8_000;
  scheduler.after(streams.of('special').between(100, mostMs), () => processes.restart(['slot 1']));
}
