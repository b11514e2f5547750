import { FLOOR_FRI } from './chain/chain.js';
import { nameOf } from './chain/network.js';
import type { Nonsense } from './chain/replica.js';
import type { Happening } from './happenings.js';
import type { World } from './world.js';

const MAX_PROCESSES = 3;
const NONSENSE: readonly Nonsense[] = [
  'a time in the future',
  'a time in the past',
  'an L1 height above its head',
];

/** Applies one event to the simulated world. */
export async function happen(world: World, { index, kind, dice }: Happening): Promise<void> {
  const { processes, scheduler, story, chain, network, pool, plan, taps, situations } = world;
  const [first, second, third] = dice;
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(first * items.length)];
  const lane = pick(plan.lanes)?.address;
  const process = pick(processes.alive);
  const say = (text: string): void => story.report(() => `[${index}] ${text}`);
  switch (kind) {
    case 'crash':
      if (process === undefined) return;
      say(`crash of ${process.os.name}`);
      processes.kill(process);
      scheduler.after(200 + second * 6_000, () => processes.restart([process.slot]));
      return;
    case 'crash at a call':
      if (process === undefined) return;
      say(
        `${process.os.name} will die ${third < 0.5 ? 'before' : 'after'} its call ${1 + Math.floor(second * 25)} from here`,
      );
      process.os.callsLeft ??= { count: 1 + Math.floor(second * 25), takesEffect: third >= 0.5 };
      scheduler.after(10_000, () => processes.restart([process.slot]));
      return;
    case 'stop':
      if (process === undefined) return;
      say(`${process.os.name} is stopped`);
      process.os.stop();
      scheduler.after(500 + second * 25_000, () => {
        if (process.os.isStopped && !process.os.isDead)
          situations.saw('a process was stopped and continued');
        story.report(() => `${process.os.name} goes on`);
        process.os.goOn();
      });
      if (third < 0.5 && processes.alive.length < MAX_PROCESSES)
        scheduler.after(300, () => processes.restart(['slot 3']));
      return;
    case 'another process':
      if (processes.alive.length >= MAX_PROCESSES) return;
      say('another process starts');
      await processes.restart([`slot ${2 + Math.floor(second * 2)}`]);
      return;
    case 'clock step':
      if (process === undefined) return;
      process.os.wallOffsetMs = (second - 0.5) * 7_200_000;
      say(
        `the clock of ${process.os.name} is set off by ${Math.round(process.os.wallOffsetMs)} ms`,
      );
      return;
    case 'store clock step':
      // The clock of a store may jump forwards by up to 20 s. In the store, only leases depend on
      // this clock.
      world.storeClock.offsetMs += second * 20_000;
      say(`the store's clock jumps to ${Math.round(world.storeClock.offsetMs)} ms ahead`);
      return;
    case 'rollback':
      say('rollback');
      network.rollBack(1 + Math.floor(first * first * 5));
      return;
    case 'pre-confirmed vanishes':
      return network.dropPreConfirmed();
    case 'eviction': {
      const tx = pick(pool.all());
      if (tx === undefined) return;
      say(`${nameOf(tx)} is evicted`);
      pool.drop(tx);
      taps.evicted(tx);
      return;
    }
    case 'copy arrives': {
      const tx = pick(network.copiesAround());
      if (tx !== undefined) network.arrive(tx);
      return;
    }
    case 'price jump':
      chain.l2PriceFri = (FLOOR_FRI * BigInt(10 + Math.floor(first * first * 90))) / 10n;
      say(`L2 gas costs ${chain.l2PriceFri}`);
      scheduler.after(2_000 + second * 20_000, () => void (chain.l2PriceFri = FLOOR_FRI));
      return;
    case 'pool full':
      say('the pool is full');
      pool.isFull = true;
      scheduler.after(1_000 + second * 15_000, () => void (pool.isFull = false));
      return;
    case 'foreign':
      if (lane !== undefined) network.foreign(lane);
      return;
    case 'account broken':
      if (lane === undefined) return;
      say(`the account ${lane} can't sign`);
      chain.broken.set(lane, third < 0.5 ? 'WRONG_KEY' : 'NOT_DEPLOYED');
      scheduler.after(1_000 + second * 40_000, () => void chain.broken.delete(lane));
      return;
    case 'account poor':
      if (lane === undefined) return;
      say(`the account ${lane} has nothing left`);
      chain.fund(lane, BigInt(Math.floor(third * 4)) * 10n ** 17n);
      scheduler.after(1_000 + second * 20_000, () => chain.fund(lane, 10n ** 20n));
      return;
    case 'replica lags': {
      const replica = pick(network.replicas);
      if (replica === undefined) return;
      replica.lagMs = second * second * 25_000;
      say(`a replica may lag by ${Math.round(replica.lagMs)} ms`);
      scheduler.after(third * 40_000, () => void (replica.lagMs = 0));
      return;
    }
    case 'node down': {
      const node = pick(network.replicas);
      if (node === undefined) return;
      node.isDown = true;
      say(`${node.name} is down`);
      scheduler.after(500 + second * 30_000, () => void (node.isDown = false));
      return;
    }
    case 'views mixed': {
      const mixedMs = first < 0.5 ? 100 + second * 900 : second * 20_000;
      say(`other blocks replace the newest, and views are mixed for ${Math.round(mixedMs)} ms`);
      if (network.replicas.length > 1) situations.saw('two views were mixed');
      network.replaceBlocks(1 + Math.floor(first * first * 2), mixedMs, third < 0.6);
      return;
    }
    case 'L1 undone':
      say('blocks that L1 had accepted are undone');
      return network.undoL1(1 + Math.floor(first * 4));
    case 'nonsense': {
      const replica = pick(network.replicas);
      if (replica === undefined) return;
      replica.nonsense = NONSENSE[Math.floor(second * NONSENSE.length)] ?? null;
      say(`${replica.name} reports ${replica.nonsense}`);
      situations.saw('a node reported nonsense');
      scheduler.after(third * 30_000, () => void (replica.nonsense = null));
      return;
    }
    case 'lane paused':
      if (lane === undefined) return;
      say(`an operator stops ${lane}`);
      await world.disk.ledger.pauseLane(lane, 'OPERATOR');
      scheduler.after(
        1_000 + second * 15_000,
        async () => void (await world.disk.ledger.pauseLane(lane, null)),
      );
      return;
    case 'no longer wanted': {
      const { key } = pick(plan.callers) ?? { key: 0 };
      say(`K${key} is no longer wanted`);
      world.unwanted.add(key);
      scheduler.after(2_000 + second * 30_000, () => void world.unwanted.delete(key));
      return;
    }
  }
}
