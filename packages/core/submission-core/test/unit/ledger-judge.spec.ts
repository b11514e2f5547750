import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerJudge } from '../../src/application/ledger/ledger-judge.js';
import type { ChainHead, LedgerState } from '../../src/index.js';
import { LaneBench } from '../support/lane.js';
import { LANE } from './world.js';

let lane: LaneBench;
let shown: { nonce: bigint; blockNumber: number };
let judge: LedgerJudge;
const nowS = (): number => lane.clock.nowMs() / 1_000;

/**
 * Creates a ledger whose nonces 0 and 1 are open, and a node that returns the account as in
 * `shown`.
 */
beforeEach(async () => {
  lane = await LaneBench.held();
  for (const nonce of [0n, 1n])
    await lane.ledger.apply({ type: 'import', lane: LANE, nonce, through: nonce, fence: 1n });
  const { deps, settings } = lane.account;
  const head = async (): ReturnType<LaneBench['head']> => ({
    ...(await lane.head()),
    blockNumber: shown.blockNumber,
    accounts: new Map([[LANE, { nonce: shown.nonce, balanceFri: 0n }]]),
  });
  const heads = async (): Promise<readonly ChainHead[]> => [await head()];
  const reader = Object.assign(Object.create(lane.chain), { head, heads });
  judge = new LedgerJudge({ ...deps, reader }, settings);
});

const judged = async (nonce: bigint, blockNumber: number): Promise<boolean> => {
  shown = { nonce, blockNumber };
  await judge.judge();
  return judge.isUpToChain;
};

describe('nonces that the chain had passed at the first comparison', () => {
  it('a ledger counts as compared with its chain only after all nonces passed at the first comparison are settled', async () => {
    expect(await judged(1n, 10)).toBe(false);
    expect(await judged(1n, 11)).toBe(false);
  });

  it('nonces that the chain passes after the first comparison do not block the lane', async () => {
    expect(await judged(0n, 10)).toBe(true);
    expect(await judged(2n, 11)).toBe(true);
  });

  it.each([10, 11])(
    'a rollback lowers the number of nonces that must be settled first: block %i after block 10',
    async (blockNumber) => {
      expect(await judged(1n, 10)).toBe(false);
      expect(await judged(0n, blockNumber)).toBe(true);
    },
  );

  it('a lagging node does not lower the number of nonces that must be settled first', async () => {
    expect(await judged(1n, 10)).toBe(false);
    expect(await judged(0n, 9)).toBe(false);
    expect(await judged(1n, 10)).toBe(false);
  });

  it('each nonce that remains undecided is logged once', async () => {
    const warned = (): readonly unknown[] =>
      lane.said.flatMap(({ level, fields }) => (level === 'warn' ? [fields] : []));
    await judged(1n, 10);
    lane.clock.advance(29_999);
    await judged(1n, 11);
    expect(warned()).toEqual([]);
    lane.clock.advance(1);
    await judged(1n, 12);
    await judged(1n, 13);
    expect(warned()).toEqual([{ lane: LANE, nonce: '0' }]);
  });
});

const nonceOf = (nonce: bigint): Pick<ChainHead, 'accounts'> => ({
  accounts: new Map([[LANE, { nonce, balanceFri: 0n }]]),
});

/** Ledger with one lane and no open nonces, in a process that starts at 100 s. */
describe('head that a ledger is judged by', () => {
  const START_S = 100;
  const heads: Partial<ChainHead>[] = [];
  let shownHeads: () => Promise<readonly ChainHead[]>;

  beforeEach(async () => {
    lane = await LaneBench.held();
    heads.length = 0;
    const { deps, settings } = lane.account;
    const usual = await lane.head();
    shownHeads = async () => heads.map((head) => ({ ...usual, ...head }));
    const reader = Object.assign(Object.create(lane.chain), { heads: shownHeads });
    judge = new LedgerJudge({ ...deps, reader }, { ...settings, needsYoungHead: true });
  });

  const judgedBy = async (...shownBy: readonly Partial<ChainHead>[]): Promise<unknown> => {
    heads.splice(0, heads.length, ...shownBy);
    await judge.judge();
    return judge.notJudged;
  };

  it('T4: a head from before the start of the process is not enough to compare the ledger with its chain', async () => {
    const block = 7;
    expect(await judgedBy({ timestamp: START_S - 3, blockNumber: block })).toEqual({
      why: 'NO_YOUNG_HEAD',
      block,
      olderMs: 3_000,
    });
    expect(await judgedBy({ timestamp: START_S })).toMatchObject({ why: 'NO_YOUNG_HEAD' });
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
  });

  describe('with times of the ledger an hour ahead of the machine’s clock', () => {
    const AHEAD_MS = 3_600_000;
    const build = (storeHasNoClock: boolean): void => {
      const { deps, settings } = lane.account;
      const reader = Object.assign(Object.create(lane.chain), { heads: shownHeads });
      const state = async (): Promise<LedgerState> => {
        const real = await lane.ledger.state();
        return { ...real, nowMs: real.nowMs + AHEAD_MS };
      };
      const ledger = Object.assign(Object.create(lane.ledger), {
        state,
        openNonces: lane.ledger.openNonces.bind(lane.ledger),
      });
      judge = new LedgerJudge(
        { ...deps, reader, ledger },
        { ...settings, needsYoungHead: true, storeHasNoClock },
      );
    };
    const old = { why: 'NO_YOUNG_HEAD' };
    /**
     * Judges the ledger twice: first with a head whose time is the clock's time, and a minute later
     * with a head of this age.
     */
    const judgedAfterAMinute = async (ageS: number): Promise<unknown> => {
      expect(await judgedBy({ timestamp: nowS() })).toMatchObject(old);
      lane.clock.advance(60_000);
      return judgedBy({ timestamp: nowS() - ageS });
    };

    it('O4: a head is enough to compare the ledger with its chain if clock and blocks agreed for a minute before it', async () => {
      build(true);
      expect(await judgedAfterAMinute(2)).toBeNull();
    });

    it('T4: a head from before the agreement of clock and blocks is not enough to compare the ledger with its chain', async () => {
      build(true);
      expect(await judgedAfterAMinute(60)).toMatchObject(old);
    });

    it('T4: the head of a node that is catching up is not enough to compare the ledger with its chain', async () => {
      build(true);
      expect(await judgedAfterAMinute(-16)).toMatchObject(old);
      expect(await judgedBy({ timestamp: nowS() })).toMatchObject(old);
    });

    it('T4: a head is not enough to compare the ledger with its chain if clock and blocks disagreed within the last minute', async () => {
      build(true);
      await judgedBy({ timestamp: nowS() });
      lane.clock.advance(30_000);
      await judgedBy({ timestamp: nowS() - 300 });
      lane.clock.advance(30_000);
      expect(await judgedBy({ timestamp: nowS() })).toMatchObject(old);
    });

    it('T4: heads are compared with the store’s clock if the store has its own clock', async () => {
      build(false);
      expect(await judgedAfterAMinute(2)).toMatchObject(old);
    });
  });

  it('T4: an old head can prove that a nonce is used, but not that it is unused', async () => {
    const young = { timestamp: START_S + 1, blockNumber: 9, ...nonceOf(0n) };
    const old = { timestamp: START_S - 3, blockNumber: 7 };
    expect(await judgedBy(young, { ...old, ...nonceOf(1n) })).toEqual({
      why: 'NONCE_JUMP',
      lane: LANE,
      nonce: 1n,
    });
    // A nonce that a node has shown remains an obstacle until a quarantine explains it.
    expect(await judgedBy(young, { ...old, ...nonceOf(0n) })).toMatchObject({ why: 'NONCE_JUMP' });
    expect(judge.jumpOf(LANE)).toBe(1n);
  });

  it('T4: a higher account nonce on the lane of another instance blocks sends until the ledger contains this nonce', async () => {
    const { deps, settings } = lane.account;
    const reader = Object.assign(Object.create(lane.chain), { heads: shownHeads });
    judge = new LedgerJudge(
      { ...deps, reader },
      { ...settings, instance: 'another', needsYoungHead: true },
    );
    const young = { timestamp: START_S + 1, blockNumber: 9 };
    const jump = { why: 'NONCE_JUMP', lane: LANE, nonce: 3n };
    expect(await judgedBy({ ...young, ...nonceOf(3n) })).toEqual(jump);
    expect(await judgedBy({ ...young, ...nonceOf(0n) })).toEqual(jump);
    await lane.ledger.apply({ type: 'import', lane: LANE, nonce: 0n, through: 0n, fence: 1n });
    expect(await judgedBy({ ...young, ...nonceOf(0n) })).toBeNull();
  });

  it('a single young head is enough to compare the ledger with its chain, even if all other nodes lag', async () => {
    expect(
      await judgedBy(
        { timestamp: START_S - 3, blockNumber: 7, ...nonceOf(0n) },
        { timestamp: START_S + 1, blockNumber: 9, ...nonceOf(0n) },
      ),
    ).toBeNull();
  });

  it('a young head is not enough to compare the ledger with its chain if the lane’s account is missing in it', async () => {
    expect(
      await judgedBy(
        { timestamp: START_S + 1, accounts: new Map() },
        { timestamp: START_S - 3, ...nonceOf(0n) },
      ),
    ).toEqual({ why: 'ACCOUNT_NOT_READ', lane: LANE });
  });

  it('a head that is more than 15 s ahead of the store’s clock is not enough to compare the ledger with its chain', async () => {
    const ahead = { timestamp: START_S + 16, blockNumber: 7 };
    expect(await judgedBy(ahead)).toEqual({ why: 'HEAD_IN_FUTURE', block: 7, aheadMs: 16_000 });
    expect(await judgedBy({ timestamp: START_S + 15 })).toBeNull();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'a head with the timestamp %d is not enough to compare the ledger with its chain',
    async (timestamp) => {
      expect(await judgedBy({ timestamp })).not.toBeNull();
      expect(judge.isUpToChain).toBe(false);
    },
  );

  it('a head below the highest block that the ledger has stored is not enough to compare the ledger with its chain', async () => {
    await lane.ledger.noteBlock(9);
    expect(await judgedBy({ timestamp: START_S + 1, blockNumber: 8 })).toEqual({
      why: 'HEAD_BELOW_LEDGER',
      block: 8,
      notedBlock: 9,
    });
  });

  it('a head of another chain is not enough to compare the ledger with its chain', async () => {
    expect(await judgedBy({ timestamp: START_S + 1, chainId: toFelt('0xbad') })).toEqual({
      why: 'NO_ANSWER',
    });
  });

  it('T4: the ledger is not compared with its chain while an account without a lane row has sent transactions', async () => {
    const other = toFelt('0x2a4e');
    const lanes = [LANE, other].map((address) => ({ address, role: 'relay' }) as const);
    judge = new LedgerJudge(
      {
        ...lane.account.deps,
        reader: Object.assign(Object.create(lane.chain), { heads: shownHeads }),
      },
      { ...lane.account.settings, lanes, needsYoungHead: true },
    );
    const both = (nonce: bigint): Pick<ChainHead, 'accounts'> => ({
      accounts: new Map([LANE, other].map((address) => [address, { nonce, balanceFri: 0n }])),
    });
    const young = { timestamp: START_S + 1 };
    expect(
      await judgedBy(
        { ...young, ...both(0n) },
        { accounts: new Map([[other, { nonce: 1n, balanceFri: 0n }]]) },
      ),
    ).toEqual({ why: 'ACCOUNT_NOT_INTRODUCED' });
    expect(await judgedBy({ ...young, ...nonceOf(0n) }, { timestamp: 1, ...both(0n) })).toEqual({
      why: 'ACCOUNT_NOT_READ',
      lane: other,
    });
    expect(await judgedBy({ ...young, ...both(0n) })).toBeNull();
  });

  it('T4: no unprotected call is allowed after the store was replaced under a running process', async () => {
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
    expect(await judge.isStillUpToChain()).toBe(true);
    lane.ledger.markPossibleCopy();
    expect(await judge.isStillUpToChain()).toBe(false);
  });

  it('T4: no unprotected call is allowed while the transaction under an imported nonce is unknown', async () => {
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
    heads.splice(0, heads.length, nonceOf(1n));
    expect(await judge.isStillUpToChain()).toBe(false);
    const imported = { type: 'import', lane: LANE, nonce: 0n, through: 0n, fence: 1n } as const;
    expect(await lane.ledger.apply(imported)).toMatchObject({ applied: true });
    expect(await judge.isStillUpToChain()).toBe(false);
  });

  it('T4: no unprotected call is allowed after the import of a nonce', async () => {
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
    const imported = { type: 'import', lane: LANE, nonce: 0n, through: 0n, fence: 1n } as const;
    expect(await lane.ledger.apply(imported)).toMatchObject({ applied: true });
    heads.splice(0, heads.length, nonceOf(0n));
    expect(await judge.isStillUpToChain()).toBe(false);
  });

  it('T4: a higher account nonce from one node blocks unprotected calls for a mempool lifetime', async () => {
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
    heads.splice(0, heads.length, nonceOf(1n));
    expect(await judge.isStillUpToChain()).toBe(false);
    heads.splice(0, heads.length, nonceOf(0n));
    expect(await judge.isStillUpToChain()).toBe(false);
    lane.clock.advance(lane.account.settings.mempoolLifetimeMs);
    expect(await judge.isStillUpToChain()).toBe(true);
  });

  it('an unprotected call is allowed only if new heads of all nodes contain no higher account nonce than the ledger', async () => {
    expect(await judgedBy({ timestamp: START_S + 1 })).toBeNull();
    heads.splice(0, 1, nonceOf(0n), nonceOf(0n));
    expect(await judge.isStillUpToChain()).toBe(true);
    heads.splice(1, 1, nonceOf(1n));
    expect(await judge.isStillUpToChain()).toBe(false);
    heads.length = 0;
    expect(await judge.isStillUpToChain()).toBe(false);
  });
});
