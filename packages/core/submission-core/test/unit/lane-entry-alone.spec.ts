import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LaneEntry, type Entry } from '../../src/application/lane-entry.js';
import type { Lane } from '../../src/index.js';
import { LaneBench } from '../support/lane.js';
import { LANE } from './world.js';

const SECOND = toFelt('0x2a4e');

let lane: LaneBench;
let entry: LaneEntry;
beforeEach(async () => {
  lane = await LaneBench.held();
  entry = new LaneEntry(lane.context, lane.sender);
});

const row = async ({ context, ledger } = lane): Promise<Lane> => {
  const found = (await ledger.state()).lanes.find(({ address }) => address === context.address);
  if (found === undefined) throw new Error('the lane has a row');
  return found;
};

/** Compares the lane with its account, as both are now. */
async function follow(change: Partial<Entry> = {}, bench = lane): Promise<string | null> {
  const head = await bench.head();
  const account = head.accounts.get(bench.context.address);
  if (account === undefined) throw new Error('the account can be read');
  const { lastBlock, lanes } = await bench.ledger.state();
  const behind = lanes.some(({ quarantine }) => quarantine?.cause === 'behind');
  const usual = { lane: await row(bench), account, head, behind, canSign: true, lastBlock };
  const obstacle = await entry.follow({ ...usual, ...change });
  await bench.sender.idle();
  return obstacle;
}

/** The same, by a node that shows the account's nonce at a block. */
const at = async (blockNumber: number, nonce: bigint): Promise<string | null> =>
  follow({ account: { nonce, balanceFri: 0n }, head: { ...(await lane.head()), blockNumber } });

/** The lane is in quarantine below this nonce, and its no-ops may be stored. */
async function aged(until: bigint): Promise<void> {
  for (const isAged of [false, true])
    await lane.ledger.apply({ type: 'quarantine', lane: LANE, fence: 1n, until, isAged });
}

/** Nonces of the no-ops that are signed from here on. */
function signedNoops(): readonly bigint[] {
  const nonces: bigint[] = [];
  const signNoop = lane.signer.signNoop.bind(lane.signer);
  lane.signer.signNoop = async (request) => {
    nonces.push(request.nonce);
    return signNoop(request);
  };
  return nonces;
}

describe('a ledger is known to be up to its chain', () => {
  beforeEach(() => lane.chain.mine(3));

  it('by a node that has the height which the ledger has noted, and by none below it', async () => {
    expect(await follow({ lastBlock: 4 })).toBeNull();
    lane.chain.includeForeign(LANE);
    expect(await follow()).toBe('NONCE_JUMP');
    expect(await row()).toMatchObject({ nextNonce: 0n });
  });

  it.each([['that height', 3] as const, ['any height where none was noted', null] as const])(
    'by a node at %s: what the chain passes then is no jump',
    async (_what, lastBlock) => {
      expect(await follow({ lastBlock })).toBeNull();
      lane.chain.includeForeign(LANE);
      expect(await follow()).toBeNull();
      expect(await row()).toMatchObject({ nextNonce: 1n, quarantine: null });
    },
  );
});

describe('a ledger that is compared for the first time', () => {
  it('is not up to its chain by a node that is behind the one that has shown a jump', async () => {
    expect(await at(10, 60n)).toBe('NONCE_JUMP');
    expect(await at(9, 0n)).toBe('NONCE_JUMP');
    expect(await at(11, 60n)).toBeNull();
    expect(await row()).toMatchObject({ quarantine: { cause: 'behind' } });
  });

  it('is up to it where the jump is gone at the height that has shown it', async () => {
    expect(await at(10, 60n)).toBe('NONCE_JUMP');
    expect(await at(10, 0n)).toBeNull();
    expect(await row()).toMatchObject({ quarantine: null });
  });
});

describe('nonces that the chain has passed', () => {
  beforeEach(async () => void (await follow()));

  it('are no jump where they are as many as a mempool holds, and get their rows a part at a time', async () => {
    lane.chain.jump(LANE, 200n);
    expect(await follow()).toBeNull();
    expect(await row()).toMatchObject({ nextNonce: 25n, quarantine: null });
    expect(await lane.open()).toHaveLength(25);
  });

  it('are written at once where they are one row', async () => {
    lane.chain.jump(LANE, 201n);
    expect(await follow()).toBe('NONCE_JUMP');
    lane.chain.mine();
    lane.fresh();
    expect(await follow()).toBeNull();
    expect(lane.ledger.events).toEqual(['quarantine', 'import']);
    expect(await row()).toMatchObject({ nextNonce: 201n });
  });

  it('are believed at a later block than the first that showed them, whatever lags between', async () => {
    for (const blockNumber of [10, 8, 9, 10])
      expect(await at(blockNumber, 400n)).toBe('NONCE_JUMP');
    expect(await at(11, 400n)).toBeNull();
  });

  it('are believed as far as both answers show them', async () => {
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

  it('are believed of a lane in quarantine as of any other, and it is not put into it again', async () => {
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

  it('M9: move no quarantine’s end while one answer alone shows a jump', async () => {
    lane = await LaneBench.held({ acceptance: null, mempoolLifetimeMs: 0 }, SECOND, lane);
    entry = new LaneEntry(lane.context, lane.sender);
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

describe('a lane that is introduced', () => {
  it('is logged with what was vouched for', async () => {
    for (const [acceptance, level] of [
      ['always', 'info'],
      [null, 'warn'],
    ] as const) {
      lane = new LaneBench({ acceptance });
      await lane.look();
      const isAccepted = acceptance !== null;
      expect(lane.said).toContainEqual({ level, fields: { lane: LANE, nonce: '0', isAccepted } });
    }
  });

  it('is not logged where another holder of the lane made it impossible', async () => {
    lane = new LaneBench();
    await lane.lease.hold();
    await lane.ledger.unlease(LANE, 'one', 1n);
    await lane.ledger.lease(LANE, 'two', 15_000);
    entry = new LaneEntry(lane.context, lane.sender);
    lane.fresh();
    expect(await follow()).toBeNull();
    expect(lane.said).toEqual([{ level: 'warn', fields: { lane: LANE, fence: '1' } }]);
  });

  it('stays in question alone while another lane is behind its chain', async () => {
    const other = await LaneBench.held({ acceptance: null }, SECOND, lane);
    await aged(8n);
    entry = new LaneEntry(other.context, other.sender);
    lane.ledger.events.length = 0;
    expect(await follow({}, other)).toBeNull();
    expect(lane.ledger.events).toEqual([]);
    expect(await row(other)).toMatchObject({ quarantine: { cause: 'introduced' } });
  });
});

describe('nonces in question', () => {
  it('that are free get a no-op each, which is sent at once, and those that the chain has passed none', async () => {
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

  it('end where the quarantine does, though a free nonce lies above', async () => {
    await lane.withGaps(2);
    await aged(1n);
    const signed = signedNoops();
    await follow();
    expect(signed).toEqual([0n]);
  });

  it('M9: get their no-ops a part at a time, however far above the quarantine ends', async () => {
    await aged(60_000_000n);
    const signed = signedNoops();
    await follow();
    expect(signed).toEqual(Array.from({ length: 16 }, (_, nonce) => BigInt(nonce)));
  });

  it('get none while the chain has passed nonces that have no row', async () => {
    await follow();
    await aged(100n);
    lane.chain.jump(LANE, 60n);
    const signed = signedNoops();
    await follow();
    expect([signed, await row()]).toMatchObject([[], { nextNonce: 25n }]);
  });

  it('get nothing that the lane can not pay', async () => {
    await aged(2n);
    lane.chain.setBalance(LANE, 10n ** 15n);
    const signed = signedNoops();
    lane.fresh();
    expect(await follow()).toBe('SHORT_OF_FUNDS');
    expect([signed, lane.ledger.events]).toEqual([[], []]);
  });

  it('get nothing where the lane’s key is not held', async () => {
    await aged(2n);
    const signed = signedNoops();
    lane.fresh();
    expect(await follow({ canSign: false })).toBeNull();
    expect([signed, lane.ledger.events]).toEqual([[], []]);
  });
});

/** Nonce 0 is settled and nonce 1 open. */
async function oneSettled(): Promise<void> {
  await lane.sent('a');
  await lane.sent('b');
  lane.chain.include(lane.chain.sent[0] ?? LANE);
  await lane.look();
}

describe('an account below its ledger', () => {
  it('is not explained by an open nonce above it, once that has lasted for half a minute', async () => {
    await oneSettled();
    const open = await lane.open();
    expect(await entry.judgeBelow(open, 0n)).toBeNull();
    lane.clock.advance(29_999);
    expect(await entry.judgeBelow(open, 0n)).toBeNull();
    lane.clock.advance(1);
    expect(await entry.judgeBelow(open, 0n)).toBe('ACCOUNT_NONCE_BELOW_LEDGER');
  });

  it('is not judged where the account was not read', async () => {
    await oneSettled();
    lane.fresh();
    for (let look = 0; look < 2; look += 1) {
      expect(await entry.judgeBelow([], null)).toBeNull();
      lane.clock.advance(30_000);
    }
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('once the lane is given back', () => {
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
        return follow({ lane: { ...(await row()), quarantine } });
      },
    ],
    ['an introduction', async () => follow({ lane: { ...(await row()), nextNonce: null } })],
    [
      'a nonce that a rollback has freed',
      async () => {
        lane.context.nextNonce = 1n;
        await entry.judgeBelow([], 0n);
        lane.clock.advance(30_000);
        return entry.judgeBelow([], 0n);
      },
    ],
  ])('%s is not written', async (_what, happens) => {
    await lane.lease.giveBack();
    lane.fresh();
    await happens();
    expect(lane.ledger.events).toEqual([]);
  });
});
