import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { firstUnknownBlock } from '../../src/application/ledger/read-back.js';
import { FakeChain } from '../../src/testing/index.js';
import { LostLedger } from '../support/lost-ledger.js';
import { LANE, World } from './world.js';

const NOW_MS = 1_700_000_000_000;

let lost: LostLedger;
beforeEach(() => {
  lost = new LostLedger();
});
afterEach(async () => {
  await lost.stop();
});

/** Starts an engine on a chain whose block times equal the clock's time. */
async function startInTime(): Promise<void> {
  const clock = new ManualClock(NOW_MS);
  const chain = new FakeChain({ nowSeconds: () => Math.floor(clock.nowMs() / 1_000) });
  await lost.use(new World({}, { clock, chain })).engine.start();
}

/**
 * Shifts the timestamp of the newest block by `seconds`. Calling the returned function ends this.
 */
function shiftTime(seconds: number): () => void {
  const { chain } = lost.world;
  const head = chain.head.bind(chain);
  chain.head = async (accounts) => {
    const shown = await head(accounts);
    return { ...shown, timestamp: shown.timestamp + seconds };
  };
  return () => {
    chain.head = head;
  };
}

describe('first block that a ledger may not know', () => {
  const BACK_MS = 7_200_000;
  /**
   * Finds the first unknown block for a head that is `aheadMs` ahead of the store's clock. In this
   * test, the number of a block is its age in seconds.
   */
  async function first(
    aheadMs: number,
    needsYoungHead = true,
    lastBlock: number | null = null,
  ): Promise<number | null> {
    const accountHistory = new FakeChain();
    accountHistory.blockAt = async (timestamp) => NOW_MS / 1_000 - timestamp;
    return firstUnknownBlock(
      { accountHistory },
      { adoptBackMs: BACK_MS, needsYoungHead },
      { lastBlock, nowMs: NOW_MS },
      { blockNumber: 100, timestamp: (NOW_MS + aheadMs) / 1_000 },
    );
  }

  it.each([
    ['15 s ahead', 15_000, 7_200],
    ['now', 0, 7_200],
    ['a minute old', -60_000, 7_260],
    ['as old as the range', -BACK_MS, 14_400],
  ])(
    'computes the first block that the ledger may not know if the timestamp of the head is %s',
    async (_when, aheadMs, ageS) => {
      expect(await first(aheadMs)).toBe(ageS);
    },
  );

  it.each([
    ['more than 15 s ahead', 16_000],
    ['older than the range', -BACK_MS - 1_000],
    ['without a time', Number.NaN],
  ])(
    'no block can be computed that the ledger may not know if the timestamp of the head is %s',
    async (_when, aheadMs) => {
      expect(await first(aheadMs)).toBeNull();
    },
  );

  it('computes the first unknown block for a head with any timestamp if the settings do not require young blocks', async () => {
    expect(await first(86_400_000, false)).toBe(7_200);
    expect(await first(-86_400_000, false)).toBe(93_600);
  });

  it('the first block that the ledger may not know is slightly below the last block that the ledger has stored', async () => {
    expect(await first(86_400_000, true, 90)).toBe(70);
    expect(await first(0, true, 5)).toBe(0);
    expect(await first(0, true, 121)).toBe(7_200);
  });
});

describe('lost ledger whose node shows a wrong time of the newest block', () => {
  const YEAR_S = 31_536_000;

  it.each([
    ['in the future', YEAR_S],
    ['long ago', -YEAR_S],
  ])(
    'does not read the lost ledger’s calls from the chain while the head’s timestamp is wrong: %s',
    async (_when, seconds) => {
      await startInTime();
      await lost.pay(1n);
      await lost.lose({ needsYoungHead: true });
      await lost.rounds(5);
      const truth = shiftTime(seconds);
      await lost.rounds(45);
      expect([lost.world.engine.status().ledger, lost.adopted]).toEqual(['LEDGER_BEHIND_CHAIN', 0]);
      truth();
      await lost.rounds(2);
      expect([lost.world.engine.status().ledger, lost.adopted]).toEqual([null, 1]);
      expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
    },
  );

  it('introduces no lane while the head’s timestamp is wrong', async () => {
    await startInTime();
    await lost.pay(1n);
    lost.world.chain.includeForeign(LANE);
    lost.world.chain.mine(5);
    const truth = shiftTime(YEAR_S);
    await lost.lose({ needsYoungHead: true });
    await lost.rounds(3);
    expect(await lost.lane()).toMatchObject({ nextNonce: null });
    expect(lost.world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'HEAD_TIME_WRONG' },
    ]);
    truth();
    await lost.rounds(3);
    expect(await lost.lane()).toMatchObject({ quarantine: { cause: 'behind' } });
  });
});
