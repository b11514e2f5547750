import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import type { FakeExecution } from '../../src/testing/index.js';
import { FakeChain, FakeNodeDown, InMemoryLedger } from '../../src/testing/index.js';
import type { Lane, SubmissionSettings } from '../../src/index.js';
import { LANE, World, flush, settings, submission, type Wanted, inMemory } from './world.js';

const SECOND = toFelt('0x2a4e');
const NOW_MS = 1_700_000_000_000;
const wanted = (felt: bigint, change: Partial<Wanted> = {}): Wanted =>
  submission({ key: `key ${felt}`, calldata: Felts.of([felt]), ...change });

let worlds: World[];
let world: World;
/**
 * An empty ledger after one that had sent calls from the lane: they are on chain, and the domain
 * knows them.
 */
const afterLoss = async (
  change: Partial<SubmissionSettings> = {},
  ledger?: InMemoryLedger,
): Promise<void> => {
  const before = world;
  await before.engine.stop();
  worlds = [];
  world = new World(
    { acceptance: null, ...change },
    {
      clock: before.clock,
      chain: before.chain,
      ledger: ledger ?? new InMemoryLedger({ clock: before.clock }),
    },
  );
  world.asked.push(...before.asked);
  worlds.push(world);
  await world.engine.start();
};
const start = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
  world = new World(change);
  worlds.push(world);
  await world.engine.start();
};
const paid = async (felt: bigint, how: FakeExecution = {}): Promise<void> => {
  await world.submit(wanted(felt));
  await flush();
  world.chain.includeAll(how);
  await world.round();
};
const rounds = async (count: number, ms = 11_000): Promise<void> => {
  for (let round = 0; round < count; round += 1) {
    world.chain.includeAll();
    world.chain.mine();
    await world.round(ms);
  }
};
/** A block's time is that of the clock. */
const startInTime = async (): Promise<void> => {
  const clock = new ManualClock(NOW_MS);
  const chain = new FakeChain({ nowSeconds: () => Math.floor(clock.nowMs() / 1_000) });
  world = new World({}, { clock, chain });
  worlds.push(world);
  await world.engine.start();
};
/** Until it is called, the newest block is this much newer than it is. */
const shiftTime = (seconds: number): (() => void) => {
  const head = world.chain.head.bind(world.chain);
  world.chain.head = async (accounts) => {
    const shown = await head(accounts);
    return { ...shown, timestamp: shown.timestamp + seconds };
  };
  return () => {
    world.chain.head = head;
  };
};
const lane = async (address = LANE): Promise<Lane | undefined> =>
  (await world.ledger.state()).lanes.find((row) => row.address === address);
const adopted = (): number => world.reached.filter((name) => name === 'adopted').length;

beforeEach(() => {
  worlds = [];
});
afterEach(async () => {
  for (const one of worlds) await one.engine.stop();
});

describe('a ledger that is behind its chain', () => {
  it('answers what it knows, accepts and ends nothing, and sends no call', async () => {
    await start();
    const copy = inMemory(world.ledger).copy();
    await paid(1n);
    await copy.apply({
      type: 'request',
      submission: { ...wanted(5n), id: 'waits', deadlineAfterMs: 600_000 },
    });
    await afterLoss({}, copy);
    await rounds(3);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    await expect(world.submit(wanted(6n))).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
      retryAfterSeconds: 30,
    });
    expect(await world.submit(wanted(5n))).toMatchObject({ kind: 'same' });
    await world.round(120_000);
    expect(await world.last('key 5')).toMatchObject({ state: 'accepted' });
  });

  it('adopts the outcomes of its calls when every nonce in question is consumed, and works again', async () => {
    await start();
    await paid(1n);
    await paid(2n, { execution: 'REVERTED', revertReason: 'no' });
    await afterLoss();
    await rounds(5);
    expect([world.engine.status().ledger, adopted()]).toEqual(['LEDGER_BEHIND_CHAIN', 0]);
    await rounds(40);
    expect([world.engine.status().ledger, adopted()]).toEqual([null, 2]);
    expect(await lane()).toMatchObject({ quarantine: null });
    expect(await world.last('key 1')).toMatchObject({
      state: 'succeeded',
      transactionHash: world.chain.included[0],
    });
    expect(await world.last('key 2')).toMatchObject({ state: 'reverted', revertReason: 'no' });
    expect(await world.submit(wanted(1n))).toMatchObject({
      kind: 'same',
      attempt: { state: 'succeeded' },
    });
    await world.submit(wanted(3n));
    await rounds(2);
    expect(await world.last('key 3')).toMatchObject({ state: 'succeeded' });
  });

  it('adopts what was in flight and lands while it waits', async () => {
    await start();
    await world.submit(wanted(1n));
    await flush();
    await afterLoss();
    world.chain.includeAll();
    await rounds(45);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
    expect(world.engine.status().alarms).toMatchObject({ foreign: 0 });
  });

  it('adopts nothing that is not one call of its own: no-ops, several calls and what is not understood', async () => {
    await start();
    const call = wanted(1n);
    for (const calls of [[], [call, call], null, [wanted(9n)]])
      world.chain.includeForeign(LANE, { calls });
    world.remember('key 1', call);
    await afterLoss();
    await rounds(45);
    expect([world.engine.status().ledger, adopted()]).toEqual([null, 0]);
    expect(await world.ledger.lastAttempt('key 1')).toBeNull();
  });

  it('adopts the outcome of the chain as it is when it reads, whatever a rollback has changed meanwhile', async () => {
    await start();
    await paid(1n);
    await afterLoss();
    world.chain.rollback(0, 'waiting');
    world.chain.includeAll({ execution: 'REVERTED', revertReason: 'no' });
    await rounds(45);
    expect([world.engine.status().ledger, adopted()]).toEqual([null, 1]);
    expect(await world.last('key 1')).toMatchObject({ state: 'reverted', undone: null });
  });

  it('adopts nothing from blocks that are not on the chain of its closing read, and reads them again', async () => {
    await start();
    await paid(1n);
    await afterLoss();
    const transactions = world.chain.transactions.bind(world.chain);
    let isOfFork = true;
    let reads = 0;
    world.chain.transactions = async (...range) => {
      reads += 1;
      const { sent, last } = await transactions(...range);
      return { sent, last: isOfFork && last !== null ? { ...last, hash: LANE } : last };
    };
    await rounds(45);
    expect([adopted(), world.engine.status().ledger]).toEqual([0, 'LEDGER_BEHIND_CHAIN']);
    expect(reads).toBeGreaterThan(1);
    isOfFork = false;
    await rounds(10);
    expect([adopted(), world.engine.status().ledger]).toEqual([1, null]);
  });

  it('reads from the last block that it has noted, and some before', async () => {
    await start();
    const read: (readonly [number, number])[] = [];
    const note = (): void => {
      const transactions = world.chain.transactions.bind(world.chain);
      world.chain.transactions = async (accounts, from, to) => {
        read.push([from, to]);
        return transactions(accounts, from, to);
      };
    };
    note();
    world.chain.mine(100);
    await world.round(61_000);
    const { lastBlock } = await world.ledger.state();
    expect(lastBlock).toBe(100);
    const copy = inMemory(world.ledger).copy();
    await paid(1n);
    await afterLoss({}, copy);
    await rounds(45);
    expect(world.engine.status().ledger).toBeNull();
    expect(read[0]?.[0]).toBe(80);
    expect(read.every(([from, to]) => to - from < 50)).toBe(true);
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  describe('the height that it notes', () => {
    const HIGH = 1_000_000_000;
    /** Shows a height that no chain has. */
    const lying = (head: World['chain']['head']): World['chain']['head'] => {
      return async (accounts) => ({ ...(await head(accounts)), blockNumber: HIGH });
    };

    it('is of a block that a closing read confirms', async () => {
      world = new World();
      worlds = [world];
      const head = world.chain.head.bind(world.chain);
      world.chain.mine(100);
      world.chain.head = lying(head);
      await world.engine.start();
      await rounds(3);
      expect((await world.ledger.state()).lastBlock).toBeNull();
      world.chain.head = head;
      await rounds(1);
      expect((await world.ledger.state()).lastBlock).toBe((await head([])).blockNumber);
    });

    it('is the lowest that any node shows', async () => {
      world = new World();
      worlds = [world];
      const head = world.chain.head.bind(world.chain);
      world.chain.mine(100);
      world.chain.addNodes({ head: lying(head) });
      await world.engine.start();
      await rounds(3);
      expect((await world.ledger.state()).lastBlock).toBe(100);
    });

    it('is not where it reads on from if the chain has no such block', async () => {
      await start();
      world.chain.mine(100);
      await paid(1n);
      const empty = new InMemoryLedger({ clock: world.clock });
      await empty.noteBlock(HIGH);
      await afterLoss({}, empty);
      await rounds(45);
      expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
    });
  });

  describe('read from a node whose newest block has a wrong time', () => {
    const YEAR_S = 31_536_000;

    it.each([
      ['in the future', YEAR_S],
      ['long ago', -YEAR_S],
    ])('%s, reads nothing back until the time is right', async (_when, seconds) => {
      await startInTime();
      await paid(1n);
      await afterLoss({ needsYoungHead: true });
      await rounds(5);
      const truth = shiftTime(seconds);
      await rounds(45);
      expect([world.engine.status().ledger, adopted()]).toEqual(['LEDGER_BEHIND_CHAIN', 0]);
      truth();
      await rounds(2);
      expect([world.engine.status().ledger, adopted()]).toEqual([null, 1]);
      expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
    });

    it('does not introduce an account until the time is right', async () => {
      await startInTime();
      await paid(1n);
      world.chain.includeForeign(LANE);
      world.chain.mine(5);
      const truth = shiftTime(YEAR_S);
      await afterLoss({ needsYoungHead: true });
      await rounds(3);
      expect(await lane()).toMatchObject({ nextNonce: null });
      truth();
      await rounds(3);
      expect(await lane()).toMatchObject({ quarantine: { cause: 'behind' } });
    });
  });

  it('is behind as well when an account that it has never met has sent calls, whatever came after them', async () => {
    await start({ lanes: [{ address: SECOND, role: 'relay' }] });
    const ledger = inMemory(world.ledger);
    const copy = ledger.copy();
    await afterLoss({ acceptance: 'always' }, ledger);
    await paid(1n);
    world.chain.includeForeign(LANE);
    world.chain.mine(700);
    await afterLoss(
      { lanes: [...settings.lanes, { address: SECOND, role: 'relay' }], adoptBackMs: 3_600_000 },
      copy,
    );
    await world.round();
    expect(await lane()).toMatchObject({ nextNonce: null });
    expect(world.engine.status()).toMatchObject({
      ledger: 'NOT_JUDGED',
      lanes: [{ state: 'resting', reason: 'HISTORY_NOT_READ' }, {}],
    });
    await rounds(4);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    await rounds(45);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('is behind as well when such a call lands while the older blocks are read', async () => {
    await start({ lanes: [{ address: SECOND, role: 'relay' }] });
    world.chain.includeForeign(LANE);
    world.chain.mine(700);
    const before = world;
    await before.engine.stop();
    const call = wanted(1n);
    world = new World(
      {
        lanes: [...settings.lanes, { address: SECOND, role: 'relay' }],
        acceptance: null,
        adoptBackMs: 3_600_000,
      },
      before,
    );
    worlds = [world];
    world.remember('key 1', call);
    await world.engine.start();
    expect(await lane()).toMatchObject({ nextNonce: null });
    world.chain.includeForeign(LANE, { calls: [call] });
    world.chain.includeForeign(LANE);
    for (let round = 0; round < 8; round += 1) await world.round(1_000);
    expect(await lane()).toMatchObject({ quarantine: { cause: 'behind' } });
  });

  it('does without an account that it has never met when that can not be read', async () => {
    await start();
    world.chain.unreadable(SECOND);
    const before = world;
    await before.engine.stop();
    world = new World(
      { lanes: [...settings.lanes, { address: SECOND, role: 'relay' }], acceptance: null },
      before,
    );
    worlds = [world];
    await world.engine.start();
    await world.submit(wanted(1n));
    await rounds(1);
    expect(world.engine.status().ledger).toBe('NOT_JUDGED');
    await rounds(8);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('sends nothing before it knows what took a nonce that the chain had passed at the start', async () => {
    const lanes = [
      { address: LANE, role: 'relay' },
      { address: SECOND, role: 'relay' },
    ] as const;
    await start({ lanes });
    await world.submit(wanted(1n));
    await flush();
    const before = world;
    const held = (await before.ledger.openNonces(LANE)).length > 0 ? LANE : SECOND;
    const copy = inMemory(before.ledger).copy();
    const waiting = wanted(2n, { replayProtected: false });
    await copy.apply({
      type: 'request',
      submission: { ...waiting, id: 'waits', deadlineAfterMs: 600_000 },
    });
    await before.engine.stop();
    // The lost ledger gave the nonce of one call to the other, which waits in the copy.
    before.chain.includeForeign(held, { calls: [waiting] });
    const sent = before.chain.sent.length;
    world = new World(
      { lanes, acceptance: null },
      { clock: before.clock, chain: before.chain, ledger: copy },
    );
    worlds = [world];
    world.remember('key 2', waiting);
    world.historyFailure = new FakeNodeDown('the history can not be read');
    await world.engine.start();
    await rounds(3, 1_000);
    expect(world.engine.status().ledger).toBe('NOT_JUDGED');
    expect(world.chain.sent).toHaveLength(sent);
    world.historyFailure = null;
    await rounds(45);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('key 2')).toMatchObject({ state: 'succeeded', id: 'waits' });
  });

  it('ends no quarantine while the blocks can not be read', async () => {
    await start();
    await paid(1n);
    await afterLoss();
    world.chain.unreadable(1);
    await rounds(45);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    world.chain.unreadable(1, false);
    await rounds(2);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('puts its other lanes into quarantine too, and they end theirs together', async () => {
    const lanes = [
      { address: LANE, role: 'relay' },
      { address: SECOND, role: 'relay' },
    ] as const;
    await start({ lanes });
    const copy = inMemory(world.ledger).copy();
    await paid(1n);
    await afterLoss({ lanes }, copy);
    await rounds(4);
    expect([await lane(), await lane(SECOND)]).toMatchObject([
      { quarantine: { cause: 'behind' } },
      { quarantine: { cause: 'behind' } },
    ]);
    await rounds(45);
    expect([await lane(), await lane(SECOND)]).toMatchObject([
      { quarantine: null },
      { quarantine: null },
    ]);
    expect(await world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });
});

describe('a new lane beside known ones', () => {
  it('ends its own quarantine when its nonces are consumed, and adopts nothing', async () => {
    await start();
    await paid(1n);
    const before = world;
    await before.engine.stop();
    worlds = [];
    const lanes = [...settings.lanes, { address: SECOND, role: 'relay' } as const];
    world = new World({ lanes, acceptance: null }, before);
    worlds.push(world);
    await world.engine.start();
    await rounds(45);
    expect(await lane(SECOND)).toMatchObject({ quarantine: null });
    expect(adopted()).toBe(0);
  });
});

describe('the height that a ledger notes', () => {
  it('is the chain’s, at the start and once a minute', async () => {
    await start();
    await world.round();
    const first = (await world.ledger.state()).lastBlock;
    expect(first).toBe(0);
    world.chain.mine(7);
    await world.round();
    expect((await world.ledger.state()).lastBlock).toBe(first);
    await world.round(60_000);
    expect((await world.ledger.state()).lastBlock).toBe(7);
  });

  it('is not noted while the ledger is behind its chain: it has to read on from there', async () => {
    await start({ acceptance: null });
    world.chain.mine(7);
    await world.round(61_000);
    await world.round(61_000);
    expect((await world.ledger.state()).lastBlock).toBeNull();
  });
});
