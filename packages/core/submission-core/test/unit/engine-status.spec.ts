import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { StoreTime } from '../../src/application/store-time.js';
import {
  LedgerOfAnotherChain,
  LedgerUnavailable,
  type SubmissionSettings,
} from '../../src/index.js';
import { FakeChain, InMemoryLedger } from '../../src/testing/index.js';
import { gate, watched } from '../support/gate.js';
import { LANE, World, flush, settings } from './world.js';

const SECOND = toFelt('0x2a4e');
const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
const call = (felt: bigint) => ({ key: `key ${felt}`, calldata: Felts.of([felt]) });

let worlds: World[];
let world: World;
const start = async (...given: ConstructorParameters<typeof World>): Promise<World> => {
  world = new World(...given);
  worlds.push(world);
  await world.engine.start();
  return world;
};
/**
 * Stops the engine, and starts a second engine with other settings on the same ledger and chain.
 */
const restart = async (change: Partial<SubmissionSettings>): Promise<void> => {
  await world.engine.stop();
  const before = world;
  worlds = [];
  await start(change, before);
};
const status = () => world.engine.status();
const states = (): unknown => status().lanes.map(({ state, reason }) => [state, reason]);
beforeEach(() => {
  worlds = [];
});
afterEach(async () => {
  for (const one of worlds) await one.engine.stop();
});

describe('status of the machine', () => {
  it('the engine reports each lane as `held_elsewhere` before the first poll', () => {
    world = new World();
    expect(status()).toEqual({
      lanes: [
        {
          address: LANE,
          role: 'relay',
          state: 'held_elsewhere',
          reason: null,
          openNonces: 0,
          isConfigured: true,
        },
      ],
      polledAgoMs: null,
      notJudged: null,
      ledger: 'NOT_READ',
      stuck: [],
      alarms: {
        foreign: 0,
        reopened: 0,
        reopenedFinal: 0,
        disprovedRefusals: 0,
        sharedInstanceIds: 0,
      },
      clockSkewMs: { store: null, chain: null },
      isStrict: false,
    });
  });

  it('reports the age of the last poll and the number of undecided nonces', async () => {
    await start();
    await world.submit();
    await world.round();
    world.clock.advance(300);
    expect(status()).toMatchObject({
      polledAgoMs: 300,
      ledger: null,
      lanes: [{ state: 'ready', openNonces: 1, isConfigured: true }],
    });
  });

  it('reports the difference between the machine’s clock and the store’s clock', async () => {
    const clock = new ManualClock(1_800_000_000_000);
    await start(
      {},
      {
        clock,
        chain: new FakeChain({ nowSeconds: () => 1_800_000_000 }),
        ledger: new InMemoryLedger({ clock }),
      },
    );
    expect(status().clockSkewMs).toEqual({ store: 0, chain: 0 });
    clock.step(70_000);
    expect(status().clockSkewMs).toEqual({ store: 70_000, chain: 70_000 });
  });

  const REFUSED = { kind: 'refused', code: 'X', cause: 'call' } as const;
  /**
   * Checks that the engine treats a rejection of the next call as inconclusive: the call may still
   * be broadcast.
   */
  const believesNoRejection = async (): Promise<void> => {
    world.chain.script({ answer: REFUSED, arrives: false });
    await world.submit(call(2n));
    await flush();
    expect(await world.last('key 2')).toMatchObject({ state: 'broadcast' });
  };

  it('the engine accepts no refusal as proof if the settings are strict', async () => {
    await start({ strict: true });
    expect(status().isStrict).toBe(true);
    await believesNoRejection();
  });

  it('the engine accepts no refusal as proof after one refusal was disproved', async () => {
    await start();
    expect(status().isStrict).toBe(false);
    world.chain.script({ answer: REFUSED, arrives: true });
    await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(status()).toMatchObject({ isStrict: true, alarms: { disprovedRefusals: 1 } });
    await restart({});
    expect(status()).toMatchObject({
      isStrict: true,
      alarms: { disprovedRefusals: 0, sharedInstanceIds: 0 },
    });
    await believesNoRejection();
  });

  it('rejects settings with more transactions in flight per lane than nonces in the nonce window', () => {
    expect(() => new World({ maxInFlightPerLane: 9, nonceWindow: 8 })).toThrow(RangeError);
  });
});

describe('chain of a ledger', () => {
  it('rejects the start if the ledger belongs to another chain, and sends nothing', async () => {
    await start();
    await world.engine.stop();
    worlds = [];
    const other = new World(
      {},
      { clock: world.clock, ledger: world.ledger, chain: new FakeChain({ name: 'another' }) },
    );
    await other.submit();
    await expect(other.engine.start()).rejects.toBeInstanceOf(LedgerOfAnotherChain);
    await other.round();
    expect(other.engine.status().ledger).toBe('LEDGER_OF_ANOTHER_CHAIN');
    expect(other.chain.sent).toEqual([]);
    await other.engine.stop();
  });

  it('the ledger is not bound to a chain while the node serves another network', async () => {
    world = new World();
    worlds.push(world);
    world.chain.setChainId(toFelt('0xbad'));
    await world.engine.start();
    expect((await world.ledger.state()).chain).toBeNull();
    expect(status().ledger).toBe('NOT_READ');
    world.chain.setChainId(settings.chainId);
    await world.round();
    expect((await world.ledger.state()).chain).toMatchObject({ chainId: settings.chainId });
    expect(status().ledger).toBeNull();
  });

  it('no lane sends anything while the node serves another chain', async () => {
    await start();
    world.chain.setChainId(toFelt('0xbad'));
    await world.round();
    await world.submit();
    await world.round();
    expect(states()).toEqual([['resting', 'WRONG_CHAIN']]);
    expect(world.chain.sent).toEqual([]);
    world.chain.setChainId(settings.chainId);
    await world.round();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
  });
});

/** Blocks all reads about this account. Returns a function that stops the blocking. */
function hang(account: Felt): () => void {
  const head = world.chain.head.bind(world.chain);
  world.chain.head = (accounts) =>
    accounts.length === 1 && accounts[0] === account
      ? new Promise(() => undefined)
      : head(accounts);
  return () => {
    world.chain.head = head;
  };
}

describe('independent polls of lanes', () => {
  it('a poll without a response is abandoned after its timeout', async () => {
    await start({ lanes: BOTH });
    hang(LANE);
    await world.round(4 * settings.idleIntervalMs);
    for (let felt = 1n; felt <= 3n; felt += 1n) await world.submit(call(felt));
    for (let round = 0; round < 12; round += 1) {
      world.chain.includeAll();
      await world.round(settings.lookTimeoutMs + 1_000);
    }
    for (const felt of [1, 2, 3])
      expect(await world.last(`key ${felt}`)).toMatchObject({ state: 'succeeded', lane: SECOND });
  });

  it('a lane whose poll was abandoned is polled again once its node responds', async () => {
    await start();
    await world.submit(call(1n));
    await flush();
    world.chain.includeAll();
    const answer = hang(LANE);
    await world.round();
    await world.round(settings.lookTimeoutMs);
    expect(await world.last('key 1')).toMatchObject({ state: 'broadcast' });
    answer();
    await world.round(settings.lookTimeoutMs);
    await world.round(settings.lookTimeoutMs);
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('a lane whose account can not be read sends nothing', async () => {
    await start({ lanes: BOTH });
    world.chain.unreadable(LANE);
    await world.round();
    expect(states()).toEqual([
      ['resting', 'ACCOUNT_NOT_READ'],
      ['ready', null],
    ]);
    await world.submit(call(1n));
    await flush();
    expect(await world.last('key 1')).toMatchObject({ state: 'broadcast', lane: SECOND });
  });

  it('a stop waits at most the poll timeout for a poll without a response', async () => {
    await start();
    hang(LANE);
    await world.round();
    const stopping = world.engine.stop();
    await world.round(settings.lookTimeoutMs);
    await expect(stopping).resolves.toBeUndefined();
    worlds = [];
  });

  it('a stop lets the running poll end, and starts no further work', async () => {
    await start({ redactionIntervalMs: 0 });
    hang(LANE);
    await world.round();
    const began: string[] = [];
    world.ledger.state = async () => Promise.reject(new Error(String(began.push('state'))));
    world.ledger.waiting = async () => Promise.reject(new Error(String(began.push('waiting'))));
    world.ledger.redact = async () => Promise.reject(new Error(String(began.push('redact'))));
    const stopping = world.engine.stop();
    await world.round(settings.lookTimeoutMs);
    await stopping;
    expect(began).toEqual([]);
    worlds = [];
  });

  it('a stop waits for a running recovery of a lost ledger, at most for the poll timeout', async () => {
    await start();
    const slow = gate();
    const head = world.chain.head.bind(world.chain);
    world.chain.head = async (accounts) => {
      if (accounts.length === 0) await slow.opened;
      return head(accounts);
    };
    world.chain.mine();
    await world.round(60_000);
    await world.round(settings.lookTimeoutMs);
    const stopping = watched(world.engine.stop());
    await flush();
    expect(stopping.isOver()).toBe(false);
    slow.open();
    await stopping.ended;
    expect((await world.ledger.state()).lastBlock).toBe((await head([])).blockNumber);
    worlds = [];
  });

  it('a long redaction delays neither the start nor the polls', async () => {
    const slow = gate();
    let wipes = 0;
    world = new World({ redactionIntervalMs: 0 });
    worlds.push(world);
    world.ledger.redact = async () => {
      wipes += 1;
      await slow.opened;
      return 0;
    };
    await world.engine.start();
    await world.submit();
    await world.round();
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(wipes).toBe(1);
    slow.open();
    await world.round();
    expect(wipes).toBe(2);
  });

  it('a stop waits for a running redaction, at most for the poll timeout', async () => {
    world = new World();
    world.ledger.redact = async () => new Promise<never>(() => undefined);
    await world.engine.start();
    const stopping = watched(world.engine.stop());
    await flush();
    expect(stopping.isOver()).toBe(false);
    await world.round(settings.lookTimeoutMs);
    await stopping.ended;
  });

  it('a stop leaves the leases to expire if the store is unavailable', async () => {
    for (const unlease of [
      async () => Promise.reject(new LedgerUnavailable({ message: 'down' })),
      async () => new Promise<never>(() => undefined),
    ]) {
      await start();
      world.ledger.unlease = unlease;
      const stopping = world.engine.stop();
      await world.round(settings.lookTimeoutMs);
      await expect(stopping).resolves.toBeUndefined();
      worlds = [];
    }
  });
});

describe('lanes of the ledger and of the settings', () => {
  it('a retiring lane gets no new attempts, but its transactions are polled until they are settled', async () => {
    await start({ lanes: BOTH });
    await world.submit(call(1n));
    await world.submit(call(2n));
    await flush();
    expect(await world.ledger.openNonces(LANE)).toHaveLength(1);
    await restart({
      lanes: [
        { address: LANE, role: 'relay', isRetiring: true },
        { address: SECOND, role: 'relay' },
      ],
    });
    for (let felt = 3n; felt <= 5n; felt += 1n) await world.submit(call(felt));
    await flush();
    expect(await world.ledger.openNonces(LANE)).toHaveLength(1);
    expect(states()).toEqual([
      ['retiring', null],
      ['full', null],
    ]);
    world.chain.includeAll();
    await world.round();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('a lane that is not in the settings is polled until its transactions are settled and final', async () => {
    await start({ lanes: BOTH });
    await world.submit(call(1n));
    await flush();
    const { lane } = await world.last('key 1');
    await restart({ lanes: BOTH.filter(({ address }) => address !== lane) });
    expect(status().lanes.find(({ address }) => address === lane)).toMatchObject({
      state: 'retiring',
      reason: 'NOT_IN_SETTINGS',
      openNonces: 1,
      isConfigured: false,
    });
    // The stored bytes of the lane can be sent again, but the lane can sign no other transaction
    // without its key.
    world.chain.drop(world.chain.sent[0] ?? LANE);
    await world.round(11_000);
    expect(new Set(world.chain.sent).size).toBe(1);
    expect(world.chain.sent.length).toBeGreaterThan(1);
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
    // The lane is still followed, because a rollback may undo its settlement.
    await restart({ lanes: BOTH.filter(({ address }) => address !== lane) });
    expect(status().lanes).toHaveLength(2);
    world.chain.acceptOnL1(1);
    await world.round();
    await restart({ lanes: BOTH.filter(({ address }) => address !== lane) });
    expect(status().lanes).toHaveLength(1);
  });

  it('a lane that is not in the settings is polled by only one worker', async () => {
    const third = { address: toFelt('0x3a4e'), role: 'relay' } as const;
    await start({ lanes: [...BOTH, third] });
    for (let felt = 1n; felt <= 3n; felt += 1n) await world.submit(call(felt));
    await flush();
    const openNonces = world.ledger.openNonces.bind(world.ledger);
    const requested: Felt[] = [];
    world.ledger.openNonces = async (lane) => {
      requested.push(lane);
      if (requested.length === 2) throw new LedgerUnavailable();
      return openNonces(lane);
    };
    await restart({ lanes: [third] });
    expect([requested, status().ledger]).toEqual([[LANE, SECOND], 'NOT_READ']);
    await world.round();
    expect(status().lanes.map(({ address }) => address)).toEqual([third.address, LANE, SECOND]);
  });

  it('a lane that an operator has paused gets no new attempts, but its transactions in flight continue', async () => {
    await start();
    await world.submit(call(1n));
    await flush();
    expect(await world.ledger.pauseLane(LANE, 'MAINTENANCE')).toBe(true);
    await world.round();
    await world.submit(call(2n));
    await flush();
    expect(states()).toEqual([['paused', 'MAINTENANCE']]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
    expect(await world.last('key 2')).toMatchObject({ state: 'accepted' });
  });

  it('a pause of a lane is reported at the next poll interval at the latest', async () => {
    await start();
    await flush();
    await world.ledger.pauseLane(LANE, 'MAINTENANCE');
    await flush();
    expect(states()).toEqual([['ready', null]]);
    world.engine.rereadLane(LANE);
    expect(states()).toEqual([['unknown', 'NOT_LOOKED_AT']]);
    world.clock.advance(100);
    await flush();
    expect(states()).toEqual([['paused', 'MAINTENANCE']]);
  });
});

describe('time of the store', () => {
  it('the store’s time follows the process’s monotonic clock, not the machine’s wall clock', () => {
    const clock = new ManualClock(100_000);
    const time = new StoreTime(clock);
    expect([time.nowMs(), time.skewMs()]).toEqual([null, null]);
    time.read(90_000);
    clock.advance(500);
    expect([time.nowMs(), time.skewMs()]).toEqual([90_500, 10_000]);
    clock.step(-60_000);
    expect([time.nowMs(), time.skewMs()]).toEqual([90_500, -50_000]);
    time.read(95_000);
    expect(time.nowMs()).toBe(95_000);
  });

  it('a machine whose clock is ahead ends no attempt early, because the store’s time decides about deadlines', async () => {
    await start();
    world.chain.setBalance(LANE, 0n);
    await world.round();
    await world.submit();
    world.clock.step(3_600_000);
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    await world.round(settings.queueTimeoutMs);
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'NOT_SENT_IN_TIME',
    });
  });
});
