import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LaneEntry, type Entry } from '../../src/application/lane/lane-entry.js';
import type { Lane } from '../../src/index.js';
import { LaneBench } from '../support/lane.js';
import { LANE } from './world.js';

const SECOND = toFelt('0x2a4e');

let lane: LaneBench;
let entry: LaneEntry;
beforeEach(async () => {
  lane = await LaneBench.held();
  entry = new LaneEntry(lane.account);
});

const row = async ({ account, ledger } = lane): Promise<Lane> => {
  const found = (await ledger.state()).lanes.find(({ address }) => address === account.address);
  if (found === undefined) throw new Error('the lane has a row');
  return found;
};

/** Compares the lane with the current state of its account. */
async function follow(change: Partial<Entry> = {}, bench = lane): Promise<string | null> {
  const head = await bench.head();
  const account = head.accounts.get(bench.account.address);
  if (account === undefined) throw new Error('the account can be read');
  const state = await bench.ledger.state();
  const behind = state.lanes.some(({ quarantine }) => quarantine?.cause === 'behind');
  const usual = { row: await row(bench), account, head, behind, canSign: true, state };
  const obstacle = await entry.follow({ ...usual, ...change });
  await bench.sender.idle();
  return obstacle;
}

/** Compares the lane with an account that a node reports with this nonce at this block. */
const at = async (blockNumber: number, nonce: bigint): Promise<string | null> =>
  follow({ account: { nonce, balanceFri: 0n }, head: { ...(await lane.head()), blockNumber } });

/** Puts the lane into an aged quarantine that ends at this nonce. */
async function aged(until: bigint): Promise<void> {
  for (const isAged of [false, true])
    await lane.ledger.apply({ type: 'quarantine', lane: LANE, fence: 1n, until, isAged });
}

/** Records the nonces of all no-ops that are signed after this call. */
function signedNoops(): readonly bigint[] {
  const nonces: bigint[] = [];
  const signNoop = lane.signer.signNoop.bind(lane.signer);
  lane.signer.signNoop = async (request) => {
    nonces.push(request.nonce);
    return signNoop(request);
  };
  return nonces;
}

describe('ledger that is not judged yet', () => {
  beforeEach(async () => {
    lane = new LaneBench();
    await lane.worker.poll();
    entry = new LaneEntry(lane.account);
    lane.fresh();
  });

  it('T4: a ledger that was not compared with its chain yet is behind its chain after one response with a higher account nonce', async () => {
    expect(await at(10, 2n)).toBeNull();
    expect(await row()).toMatchObject({
      nextNonce: 2n,
      quarantine: { cause: 'behind', until: 2n + 8n, isAged: false },
    });
    expect(lane.errors()).toMatchObject([{ fields: { ledgerNonce: '0', accountNonce: '2' } }]);
  });

  it('T4: a ledger that was not compared with its chain yet remains behind its chain even after a rollback of the higher account nonce', async () => {
    await at(10, 2n);
    for (const blockNumber of [9, 10, 11]) await at(blockNumber, 0n);
    expect(await row()).toMatchObject({ quarantine: { cause: 'behind', until: 10n } });
  });

  it('a ledger that was not compared with its chain yet accepts a jump of the account nonce at once', async () => {
    expect(await at(10, 60_000_000n)).toBe('NONCE_JUMP');
    expect(await row()).toMatchObject({
      nextNonce: 0n,
      quarantine: { cause: 'behind', until: 200n + 8n },
    });
  });

  it('T4: a ledger that was not compared with its chain yet is behind its chain if any node returns a higher account nonce', async () => {
    const head = await lane.head();
    const accounts = new Map([[LANE, { nonce: 3n, balanceFri: 0n }]]);
    lane.chain.addNodes({ head: async () => ({ ...head, accounts }) });
    await lane.account.judge.judge();
    lane.chain.addNodes();
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({
      nextNonce: 0n,
      quarantine: { cause: 'behind', until: 11n },
    });
    await lane.account.judge.judge();
    expect(lane.account.judge.notJudged).toEqual({ why: 'LEDGER_BEHIND_CHAIN' });
  });

  it('the nonces of a lane without a key are imported, but the lane does not enter quarantine', async () => {
    expect(await follow({ canSign: false, account: { nonce: 1n, balanceFri: 0n } })).toBeNull();
    expect(await row()).toMatchObject({ nextNonce: 1n, quarantine: null });
  });
});

describe('nonces that the chain has passed', () => {
  beforeEach(async () => void (await follow()));

  it('passed nonces are imported in parts if a mempool can hold all of them', async () => {
    lane.chain.jump(LANE, 200n);
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({ nextNonce: 25n, quarantine: null });
    expect(await lane.open()).toHaveLength(25);
  });

  it('passed nonces are imported as one row if they are more than a mempool can hold', async () => {
    lane.chain.jump(LANE, 201n);
    expect(await follow()).toBe('NONCE_JUMP');
    lane.chain.mine();
    lane.fresh();
    expect(await follow()).toBeNull();
    expect(lane.ledger.events).toEqual(['quarantine', 'import']);
    expect(await row()).toMatchObject({ nextNonce: 201n });
  });

  it('a jump of the account nonce is accepted only when a later block confirms it', async () => {
    for (const blockNumber of [10, 8, 9, 10])
      expect(await at(blockNumber, 400n)).toBe('NONCE_JUMP');
    expect(await at(11, 400n)).toBeNull();
  });

  it('a jump of the account nonce is accepted only up to the lower account nonce of two blocks', async () => {
    lane.chain.jump(LANE, 300n);
    expect(await follow()).toBe('NONCE_JUMP');
    lane.chain.mine();
    lane.chain.jump(LANE, 60_000_000n);
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({ nextNonce: 300n, quarantine: { until: 308n } });
    lane.chain.jump(LANE, -60_000_000n);
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({ nextNonce: 300n });
  });

  it('a jump of the account nonce of a quarantined lane starts no second quarantine', async () => {
    await lane.ledger.apply({
      type: 'quarantine',
      lane: LANE,
      fence: 1n,
      until: 8n,
      isAged: false,
    });
    lane.chain.jump(LANE, 201n);
    lane.fresh();
    expect(await follow()).toBe('NONCE_JUMP');
    expect(lane.ledger.events).toEqual([]);
    lane.chain.mine();
    expect(await follow()).toBeNull();
    expect([lane.ledger.events, lane.errors()]).toEqual([['import'], []]);
  });

  it('M9: a jump of the account nonce in a single response does not extend a quarantine', async () => {
    lane = await LaneBench.held({ acceptance: null, mempoolLifetimeMs: 0 }, SECOND, lane);
    entry = new LaneEntry(lane.account);
    lane.clock.advance(1);
    lane.chain.jump(SECOND, 60_000_000n);
    expect(await follow()).toBe('NONCE_JUMP');
    lane.chain.jump(SECOND, -60_000_000n);
    lane.chain.mine();
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({
      nextNonce: 0n,
      quarantine: { cause: 'introduced', until: 8n, isAged: true },
    });
  });
});

describe('introduced lane', () => {
  it('logs an introduced lane and whether an operator has accepted it', async () => {
    for (const [acceptance, level] of [
      ['always', 'info'],
      [null, 'warn'],
    ] as const) {
      lane = new LaneBench({ acceptance });
      await lane.poll();
      const isAccepted = acceptance !== null;
      expect(lane.said).toContainEqual({ level, fields: { lane: LANE, nonce: '0', isAccepted } });
    }
  });

  it('the introduction of a lane is not logged if another holder of the lane prevented it', async () => {
    lane = new LaneBench();
    await lane.lease.hold();
    await lane.ledger.unlease(LANE, 'one', 1n);
    await lane.ledger.lease(LANE, 'two', 15_000);
    entry = new LaneEntry(lane.account);
    lane.fresh();
    expect(await follow()).toBeNull();
    expect(lane.said).toEqual([{ level: 'warn', fields: { lane: LANE, fence: '1' } }]);
  });

  it('the quarantine of a new lane retains its cause while another lane is behind its chain', async () => {
    const other = await LaneBench.held({ acceptance: null }, SECOND, lane);
    await aged(8n);
    entry = new LaneEntry(other.account);
    lane.ledger.events.length = 0;
    expect(await follow({}, other)).toBeNull();
    expect(lane.ledger.events).toEqual([]);
    expect(await row(other)).toMatchObject({ quarantine: { cause: 'introduced' } });
  });
});

describe('nonces in question', () => {
  it('each free nonce in quarantine gets a no-op unless the chain has passed the nonce', async () => {
    await lane.withGaps(2);
    await aged(5n);
    const signed = signedNoops();
    const before = lane.chain.sent.length;
    lane.fresh();
    const account = { nonce: 1n, balanceFri: 0n };
    expect(await follow({ account })).toBeNull();
    expect(signed).toEqual([1n, 3n, 4n]);
    expect(lane.reached.filter((checkpoint) => checkpoint === 'filled')).toHaveLength(3);
    expect(lane.chain.sent.length - before).toBe(3);
  });

  it('no free nonce above the end of the quarantine gets a no-op', async () => {
    await lane.withGaps(2);
    await aged(1n);
    const signed = signedNoops();
    await follow();
    expect(signed).toEqual([0n]);
  });

  it('M9: quarantined nonces get their no-ops in parts, however far the quarantine extends', async () => {
    await aged(60_000_000n);
    const signed = signedNoops();
    await follow();
    expect(signed).toEqual(Array.from({ length: 16 }, (_, nonce) => BigInt(nonce)));
  });

  it('quarantined nonces get no no-ops while nonces that the chain has passed are missing in the ledger', async () => {
    await follow();
    await aged(100n);
    lane.chain.jump(LANE, 60n);
    const signed = signedNoops();
    await follow();
    expect([signed, await row()]).toMatchObject([[], { nextNonce: 25n }]);
  });

  it('quarantined nonces get no no-op if the lane can not pay it', async () => {
    await aged(2n);
    lane.chain.setBalance(LANE, 10n ** 15n);
    const signed = signedNoops();
    lane.fresh();
    expect(await follow()).toBe('SHORT_OF_FUNDS');
    expect([signed, lane.ledger.events]).toEqual([[], []]);
  });

  it('quarantined nonces get no no-op if the lane has no key', async () => {
    await aged(2n);
    const signed = signedNoops();
    lane.fresh();
    expect(await follow({ canSign: false })).toBeNull();
    expect([signed, lane.ledger.events]).toEqual([[], []]);
  });
});

/** Settles nonce 0, and leaves nonce 1 open. */
async function oneSettled(): Promise<void> {
  await lane.sent('a');
  await lane.sent('b');
  lane.chain.include(lane.chain.sent[0] ?? LANE);
  await lane.poll();
}

describe('account below its ledger', () => {
  it('a lane sends nothing if its account’s nonce on chain is below every open nonce for half a minute', async () => {
    await oneSettled();
    const open = await lane.open();
    expect(await entry.judgeBelow(open, 0n)).toBeNull();
    lane.clock.advance(29_999);
    expect(await entry.judgeBelow(open, 0n)).toBeNull();
    lane.clock.advance(1);
    expect(await entry.judgeBelow(open, 0n)).toBe('ACCOUNT_NONCE_BELOW_LEDGER');
  });

  it('an account whose nonce was not read is not compared with the ledger', async () => {
    await oneSettled();
    lane.fresh();
    for (let poll = 0; poll < 2; poll += 1) {
      expect(await entry.judgeBelow([], null)).toBeNull();
      lane.clock.advance(30_000);
    }
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('writes after the lane was released', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a quarantine', () => follow({ behind: true })],
    [
      'an import',
      async () => {
        lane.chain.includeForeign(LANE);
        lane.chain.mine();
        const isJump = await follow();
        lane.chain.mine();
        return [isJump, await follow({ canSign: false })];
      },
    ],
    [
      'a no-op',
      async () => {
        const quarantine = { cause: 'behind', until: 2n, sinceMs: 0, isAged: true } as const;
        return follow({ row: { ...(await row()), quarantine } });
      },
    ],
    ['an introduction', async () => follow({ row: { ...(await row()), nextNonce: null } })],
    [
      'a nonce that a rollback has reopened',
      async () => {
        lane.account.nextNonce = 1n;
        await entry.judgeBelow([], 0n);
        lane.clock.advance(30_000);
        return entry.judgeBelow([], 0n);
      },
    ],
  ])('the lane does not write %s after its lease was released', async (_what, happens) => {
    await lane.lease.giveBack();
    lane.fresh();
    await happens();
    expect(lane.ledger.events).toEqual([]);
  });
});
