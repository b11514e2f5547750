import type { Felt } from '@sotto/kernel';
import { isLandable, type Attempt, type Ledger } from '@sotto/submission-core';
import { CONTRACTS, FLOOR_FRI } from './chain/chain.js';
import { nameOf } from './chain/network.js';
import type { Tx } from './chain/transaction.js';
import { aboveHoles } from './holes.js';
import type { CallerPlan } from './run-plan.js';
import type { World } from './world.js';

/** Maximum virtual time in ms from the end of all faults until everything must have settled. */
const PATIENCE_MS = 900_000;
const ROUND_MS = 3_000;
const ROLES = ['relay', 'curator'] as const;

/**
 * Ends all faults of a run. From then on, everything must settle, lanes must work, and every answer
 * must match the chain.
 */
export async function fairEnd(world: World, isBroken: () => boolean): Promise<void> {
  const { scheduler, judge, network, plan } = world;
  await clearUp(world);
  await untilSettled(world, isBroken);
  if (isBroken()) return;
  // All copies of transactions that can still land arrive at the sequencer now.
  for (const tx of network.copiesAround()) network.arrive(tx);
  await scheduler.run(scheduler.nowMs + 4 * plan.chain.blockMs + 12_000, isBroken);
  if (isBroken()) return;
  const strays = await straysOf(world);
  if (strays.length > 0) judge.broken('no hole is left', strays.map(nameOf).join(', '));
  await probe(world, isBroken);
  // A poll during the probe may have reopened a nonce whose final block was undone long before.
  if (!isBroken()) await untilSettled(world, isBroken);
  if (!isBroken()) await judgeEnd(world);
}

/** Runs until everything has settled. Reports a violation if this lasts too long. */
async function untilSettled(world: World, isBroken: () => boolean): Promise<void> {
  const { scheduler, judge } = world;
  const untilMs = scheduler.nowMs + PATIENCE_MS;
  let left: readonly string[];
  do {
    await scheduler.run(scheduler.nowMs + ROUND_MS, isBroken);
    await operate(world);
    left = await unsettled(world);
  } while (left.length > 0 && scheduler.nowMs < untilMs && !isBroken());
  if (left.length > 0 && !isBroken())
    judge.broken('in fair weather everything settles', `${left.join('; ')} (${explained(world)})`);
}

async function straysOf({ chain, pool, taps, disk }: World): Promise<readonly Tx[]> {
  const { lanes } = await disk.ledger.state();
  return aboveHoles({
    waiting: pool.all(),
    freeNonce: (account) => chain.account(account).nonce,
    nextNonce: (account) => lanes.find(({ address }) => address === account)?.nextNonce ?? null,
    wasRefused: (hash) => taps.wasRefused(hash),
  });
}

async function clearUp(world: World): Promise<void> {
  const { calls, network, nodeFaults, pool, chain, plan, processes, story, storeClock, streams } =
    world;
  story.report(() => 'FAIR WEATHER from here on');
  calls.isFair = true;
  network.isFair = true;
  world.pushes.isFair = true;
  nodeFaults.unread = 0;
  pool.isFull = false;
  chain.broken.clear();
  world.unwanted.clear();
  chain.l2PriceFri = FLOOR_FRI;
  for (const { address } of plan.lanes) chain.fund(address, 10n ** 20n);
  for (const replica of network.replicas) {
    replica.lagMs = 0;
    replica.isDown = false;
    replica.nonsense = null;
    while (replica.isHeld) replica.release(chain);
  }
  const random = streams.of('fair end');
  for (const tx of network.copiesAround()) if (random.chance(0.5)) network.arrive(tx);
  for (const process of processes.alive) {
    process.os.callsLeft = null;
    process.os.goOn();
  }
  putBack(world, () => true);
  // On a file, each instance measures time from the clock at its own start. If an instance started
  // before a clock step, it would consider the entries of instances that started later too old.
  if (storeClock.offsetMs > 0) for (const process of processes.alive) processes.kill(process);
  if (processes.alive.length === 0) await processes.restart(['slot 1']);
}

/**
 * Adds a removed lane again as a retiring lane if it had work in flight. Only the lane's key can
 * sign the transactions that this work may need.
 */
function putBack({ plan, processes }: World, isMissed: (address: Felt) => boolean): void {
  const missing = plan.lanes.filter(
    ({ address }) => !processes.lanes.some((lane) => lane.address === address) && isMissed(address),
  );
  if (missing.length === 0) return;
  processes.lanes = [...processes.lanes, ...missing.map((lane) => ({ ...lane, isRetiring: true }))];
  for (const process of processes.alive) processes.kill(process);
}

/**
 * Acts like an operator who has read the status: adds lanes that are still needed and resumes
 * paused lanes.
 */
async function operate(world: World): Promise<void> {
  const { disk, processes, story } = world;
  const { lanes } = await disk.ledger.state();
  const inQuestion = new Set(
    lanes.flatMap(({ address, quarantine }) => (quarantine === null ? [] : [address])),
  );
  // A lane that was removed while it had work may need its key, because only this key can end the
  // work.
  for (const { engine } of processes.alive)
    for (const { lane } of engine.status().stuck) inQuestion.add(lane);
  putBack(world, (address) => inQuestion.has(address));
  if (processes.alive.length === 0) await processes.restart(['slot 1']);
  for (const { address, pausedFor } of lanes) {
    if (pausedFor === null) continue;
    story.report(() => `an operator resumes ${address}, which was stopped for ${pausedFor}`);
    await disk.ledger.pauseLane(address, null);
    for (const { engine, os } of processes.alive) os.enter(() => engine.wake());
  }
}

async function unsettled({ disk, chain, callers, processes }: World): Promise<string[]> {
  const { ledger } = disk;
  const left: string[] = [];
  if (callers.busy > 0) left.push(`${callers.busy} callers are busy`);
  for (const { address, quarantine } of (await ledger.state()).lanes) {
    if (quarantine !== null) left.push(`${address} is in quarantine`);
    for (const { row, owner, transactions } of await ledger.openNonces(address)) {
      if (owner !== null || transactions.some(isLandable))
        left.push(`${address}/${row.nonce} is open`);
      else if (row.nonce < (chain.head.accounts.get(address)?.nonce ?? 0n))
        left.push(`${address}/${row.nonce} was passed by the chain`);
    }
    const unfinal = await ledger.unfinalNonces(address, 'oldest', 1);
    for (const { nonce } of unfinal) left.push(`${address}/${nonce} is not final`);
  }
  const usable = new Set(
    processes.alive.flatMap(({ engine }) =>
      engine
        .status()
        .lanes.filter(({ state }) => state === 'ready')
        .map(({ address }) => address),
    ),
  );
  for (const { address, isRetiring } of processes.lanes)
    if (isRetiring !== true && !usable.has(address)) left.push(`${address} is not ready`);
  for (const role of ROLES)
    for (const { id } of await ledger.waiting(role, 100)) left.push(`${id} waits`);
  return left;
}

function explained({ processes }: World): string {
  return processes.alive
    .map(({ os, engine }) => {
      const { ledger, lanes, stuck } = engine.status();
      const states = lanes
        .map(
          ({ address, state, reason, openNonces }) =>
            `${address} ${state} ${reason ?? ''} ${openNonces}`,
        )
        .join(', ');
      return `${os.name}${os.isStopped ? ' (stopped)' : ''}: ledger ${ledger}, ${states}, stuck ${stuck.map(({ nonce }) => nonce).join(' ')}`;
    })
    .join(' | ');
}

/** Checks that the service carries out a new request of each lane role. */
async function probe(world: World, isBroken: () => boolean): Promise<void> {
  const { plan, scheduler, callers, streams, judge, processes, chain, pool } = world;
  const random = streams.of('probes');
  for (const [index, role] of ROLES.entries()) {
    if (!processes.lanes.some((lane) => lane.role === role && lane.isRetiring !== true)) continue;
    const key = 101 + index;
    chain.reverting.delete(key);
    pool.rejected.delete(key);
    const requested: CallerPlan = {
      index: key,
      atMs: 0,
      key,
      role,
      isProtected: role === 'relay',
      blocks: null,
      patienceMs: 5_000,
      disconnects: false,
      requestsAgain: 0,
    };
    const probed: { outcome: string | null; isOver: boolean } = {
      outcome: 'has no answer',
      isOver: false,
    };
    void callers
      .probe(requested, random)
      .then((outcome) => Object.assign(probed, { outcome, isOver: true }));
    const untilMs = scheduler.nowMs + 200_000;
    while (!probed.isOver && !isBroken() && scheduler.nowMs < untilMs) {
      await scheduler.run(scheduler.nowMs + ROUND_MS, () => probed.isOver || isBroken());
      await operate(world);
    }
    if (probed.outcome !== null && !isBroken()) {
      judge.broken(
        'a lane that is ready serves its callers',
        `a fresh ${role} call of ${plan.seed} ${probed.outcome} (${explained(world)})`,
      );
    }
  }
}

/** Checks that the outcome in every attempt's row matches the chain. */
async function judgeEnd(world: World): Promise<void> {
  const { judge } = world;
  const { ledger } = world.disk;
  const included = judge.included();
  for (const id of judge.acknowledged) {
    const attempt = judge.attempts.get(id);
    if (attempt === undefined || attempt.isForgotten) continue;
    const row = await ledger.attemptById(id);
    if (row === null) judge.broken('nothing acknowledged is lost', id);
  }
  for (const attempt of judge.attempts.values()) {
    if (attempt.isForgotten) continue;
    const row = await ledger.attemptById(attempt.id);
    if (row === null) continue;
    const serials = judge.serialsOf(attempt);
    // A payment by the lost ledger belongs to its request, even if another attempt adopted it.
    const own = included.filter(
      ({ tx }) => judge.attemptOf(tx) === attempt || serials.includes(tx.call?.serial ?? -1),
    );
    const paid = own.find(({ execution }) => execution === 'SUCCEEDED');
    const truth =
      own.length === 0
        ? 'not on the chain'
        : paid === undefined
          ? 'REVERTED'
          : `SUCCEEDED by ${paid.tx.hash}`;
    const isSo =
      own.length === 0
        ? row.state === 'refused' || row.state === 'expired'
        : isOutcome(row.state, row.transactionHash, own, paid?.tx.hash ?? null);
    if (isSo) continue;
    // Adoption corrects an outcome without a receipt, even after a case that the judge excuses.
    if (!((await isPast(world, row)) && judge.isExcused(attempt, own)))
      judge.broken(
        'in the end every attempt is reported as the chain has it',
        `${attempt.id} (${attempt.key}) is ${row.state} by ${row.transactionHash}, and ${truth}`,
      );
  }
  await judgeKeys(judge, ledger);
  await judgePromises(world);
  await judgeTrust(world);
}

/**
 * Returns true if an adoption would belong to a later attempt: this attempt has a receipt, or a
 * caller has requested its key again.
 */
async function isPast({ disk, judge }: World, row: Attempt): Promise<boolean> {
  if (row.transactionHash !== null) return true;
  const next = await disk.ledger.attempt({ key: row.key, attempt: row.attempt + 1 });
  return next !== null && judge.wasRequested(next.id);
}

/** Checks that no process believes a provider after one of its rejections was disproved. */
async function judgeTrust({ taps, disk, judge, processes }: World): Promise<void> {
  if (taps.disproved.size === 0) return;
  const { disprovedRefusals } = await disk.ledger.state();
  const believing = processes.alive
    .filter(({ engine }) => !engine.status().isStrict)
    .map(({ os }) => os.name);
  if (disprovedRefusals === 0)
    judge.broken('a refusal that was disproved raises an alarm', 'the ledger knows of none');
  if (believing.length > 0)
    judge.broken(
      'a refusal that was disproved ends all belief in refusals',
      `${believing.join(', ')} still believe`,
    );
}

function isOutcome(
  state: string,
  hash: string | null,
  own: ReturnType<World['judge']['included']>,
  paid: string | null,
): boolean {
  if (paid !== null)
    return (
      state === 'succeeded' &&
      own.some(({ tx, execution }) => tx.hash === hash && execution === 'SUCCEEDED')
    );
  return state === 'reverted' && own.some(({ tx }) => tx.hash === hash);
}

/** Checks that every paid key is reported as paid, even if a lost ledger paid it. */
async function judgeKeys(judge: World['judge'], ledger: Ledger): Promise<void> {
  for (const { tx, execution } of judge.included()) {
    if (tx.call === null || execution !== 'SUCCEEDED') continue;
    const last = await ledger.lastAttempt(`K${tx.call.key}`);
    const isLost = judge.lostLedger.unknown.has(tx.hash);
    if ((last === null && !isLost) || last?.state === 'succeeded') continue;
    // If a rollback restored the first attempt of a protected call, the next attempt may have ended
    // before that.
    if (tx.call.to === CONTRACTS.withNullifiers && judge.rollbacks > 0) continue;
    judge.broken(
      'a key that was paid is reported as paid',
      `${nameOf(tx)} SUCCEEDED, and the last attempt of its key is ${last?.state ?? 'unknown'} ${last?.rejectionCode ?? ''}`,
    );
  }
}

/**
 * Checks callers to whom a lost ledger had reported their payment. If the current ledger knows the
 * attempt's id, it must report the same payment for this id.
 */
async function judgePromises(world: World): Promise<void> {
  const { judge } = world;
  const { ledger } = world.disk;
  for (const { attempt, hash } of judge.promises()) {
    const row = await ledger.attemptById(attempt.id);
    if (row === null || row.state === 'succeeded') continue;
    if ((await isPast(world, row)) && judge.lostLedger.excusesKey(attempt.key)) continue;
    judge.broken(
      'an answer of a lost ledger holds',
      `${attempt.id} (${attempt.key}) was answered SUCCEEDED by ${hash}, which is on the chain, and is ${row.state} ${row.rejectionCode ?? ''}`,
    );
  }
}
