import { describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  LedgerUnavailable,
  type ChainHead,
  type EngineStatus,
  type Lane,
  type LaneState,
  type LedgerState,
} from '@sotto/submission-core';
import { InMemoryStoreHealth, calm, laneOf } from '@sotto/submission-core/testing';
import { PriceUnavailable } from '@sotto/market-core';
import { type NodeDirectory, type NodeStatus, type VerdictPart } from '../../src/index.js';
import { clockPart, headPart, nodePart } from '../../src/status/application/head-parts.js';
import { HeadWatch, type OtherClocks } from '../../src/status/application/head-watch.js';
import { lanesPart } from '../../src/status/application/lanes-part.js';
import {
  breakersPart,
  contractsPart,
  ledgerPart,
  poolVerifiersPart,
  poolViewsPart,
  nodesPart,
  partnersPart,
  priceSourcesPart,
  pricesPart,
  queuePart,
  signerPart,
  storePart,
  storeReadsPart,
  verifierPart,
  workPart,
} from '../../src/status/application/verdict-parts.js';
import { WatchedPart } from '../../src/status/application/watched-part.js';
import { guardedPool, operations } from '../../src/testing/index.js';
import { usdcPool } from '../support/estimate-world.js';
import { pool } from '../support/world.js';

const LANE = toFelt('0x7a1e5f');
const OTHER = toFelt('0x7a1e60');
const NEEDED = 100n;
const codesOf = async (part: VerdictPart): Promise<readonly string[]> =>
  (await part.poll()).map(({ code }) => code);

const headWith = (balances: readonly (readonly [Felt, bigint])[], block = 7): ChainHead => ({
  chainId: toFelt('0x1'),
  blockNumber: block,
  blockHash: toFelt('0xb1'),
  timestamp: 1_000,
  gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n },
  l1BlockNumber: null,
  accounts: new Map(balances.map(([address, balanceFri]) => [address, { nonce: 1n, balanceFri }])),
});
const emptyHead = async (): Promise<ChainHead> => headWith([]);
const rowOf = (address: Felt, changes: Partial<Lane> = {}): Lane => ({
  address,
  role: 'relay',
  leasedTo: 'other',
  fence: 1n,
  nextNonce: 1n,
  quarantine: null,
  pausedFor: null,
  ...changes,
});
const rowsOf = (...lanes: readonly Lane[]): LedgerState => ({
  chain: null,
  lastBlock: null,
  nowMs: 1,
  possibleCopySinceMs: null,
  disprovedRefusals: 0,
  lanes,
});

const REASONS: Partial<Record<LaneState, string>> = { resting: 'WRONG_KEY', paused: 'marker' };

interface Accounts {
  readonly states: readonly LaneState[];
  readonly balances?: readonly bigint[];
  readonly sharesLanes?: boolean;
  readonly row?: Partial<Lane>;
}
function lanesOf({ states, balances = [], sharesLanes = false, row = {} }: Accounts): VerdictPart {
  const addresses = [LANE, OTHER, toFelt('0x3')];
  const lanes = states.map((state, index) =>
    laneOf({
      address: addresses[index] ?? LANE,
      role: 'relay',
      state,
      reason: REASONS[state] ?? null,
    }),
  );
  const held = states.map(
    (_, index) => [addresses[index] ?? LANE, balances[index] ?? NEEDED] as const,
  );
  return lanesPart(
    {
      engine: { status: () => ({ ...calm, lanes }), neededFri: () => NEEDED },
      ledger: { state: async () => rowsOf(...held.map(([address]) => rowOf(address, row))) },
      head: { head: async () => headWith(held) },
    },
    sharesLanes,
  );
}

const priced = (known: readonly string[]) => ({
  forFees: async () => (asset: string) => {
    if (!known.includes(asset)) throw new PriceUnavailable({ details: { asset } });
    return { strkUsdE8: 1n, feeTokenUsdE8: 1n };
  },
});

const breakerOf = (relays: typeof guardedPool.relays): VerdictPart =>
  breakersPart({ pools: async () => [{ ...guardedPool, relays }] });

const queueOf = (waiting: number): VerdictPart =>
  queuePart({ countWaiting: async () => waiting }, 9);

function aMachine() {
  const clock = new ManualClock();
  const status: { -readonly [K in keyof EngineStatus]: EngineStatus[K] } = { ...calm };
  // CAST: nothing of a nonce is looked at but that there is one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const stuck = [{}] as unknown as EngineStatus['stuck'];
  const open = (openNonces: number): void => {
    status.lanes = [laneOf({ address: LANE, role: 'relay', state: 'full', openNonces })];
  };
  return { clock, status, stuck, open, part: workPart({ status: () => status }, clock, 60_000) };
}

describe('the lanes', () => {
  it.each([
    [['ready'], []],
    [['short_of_funds', 'full'], []],
    [['held_elsewhere', 'short_of_funds'], ['LANES_SHORT_OF_FUNDS']],
    [['held_elsewhere'], ['LANES_HELD_ELSEWHERE']],
    [['unknown'], ['LANES_NOT_LOOKED_AT']],
    [[], ['LANES_NOT_LOOKED_AT']],
    [['resting', 'ready'], []],
    [['resting', 'paused', 'short_of_funds'], ['LANES_RESTING']],
    [['paused', 'quarantined'], ['LANES_PAUSED']],
    [['quarantined', 'unknown'], ['LANES_QUARANTINED']],
    [['retiring'], ['LANES_RETIRING']],
  ] as const)(
    'the lanes check of a single instance returns the codes for the lane states %j',
    async (states, codes) => {
      expect(await codesOf(lanesOf({ states }))).toEqual(codes);
    },
  );

  it('the lanes check never reports the text that an operator entered for a pause', async () => {
    expect(await lanesOf({ states: ['resting'] }).poll()).toEqual([
      { code: 'LANES_RESTING', details: { because: 'WRONG_KEY' } },
    ]);
    expect(await lanesOf({ states: ['paused'] }).poll()).toEqual([{ code: 'LANES_PAUSED' }]);
  });

  it('O1: a lane of another instance is reported as short of funds if its balance is too low', async () => {
    const states = ['held_elsewhere', 'held_elsewhere'] as const;
    const poor = lanesOf({ states, balances: [99n, 0n], sharesLanes: true });
    expect(await codesOf(poor)).toEqual(['LANES_SHORT_OF_FUNDS']);
    const oneIsFunded = lanesOf({ states, balances: [99n, 100n], sharesLanes: true });
    expect(await codesOf(oneIsFunded)).toEqual([]);
  });

  it('a lane of another instance is reported as paused or in quarantine if the lane’s row contains this state', async () => {
    const states = ['held_elsewhere'] as const;
    const quarantine = { cause: 'behind', until: 4n, sinceMs: 1, isAged: false } as const;
    const of = (row: Partial<Lane>): VerdictPart => lanesOf({ states, sharesLanes: true, row });
    expect(await codesOf(of({ pausedFor: 'keys' }))).toEqual(['LANES_PAUSED']);
    expect(await codesOf(of({ quarantine }))).toEqual(['LANES_QUARANTINED']);
  });

  it('a lane is reported as short of funds as soon as its balance is too low', async () => {
    expect(await codesOf(lanesOf({ states: ['ready'], balances: [99n] }))).toEqual([
      'LANES_SHORT_OF_FUNDS',
    ]);
  });

  it('the lanes check ignores lanes of all roles that send no withdrawals', async () => {
    const lanes = [laneOf({ address: OTHER, role: 'curator', state: 'ready' })];
    const part = lanesPart(
      {
        engine: { status: () => ({ ...calm, lanes }), neededFri: () => NEEDED },
        ledger: { state: async () => rowsOf() },
        head: { head: async () => headWith([]) },
      },
      true,
    );
    expect(await codesOf(part)).toEqual(['LANES_NOT_LOOKED_AT']);
  });
});

/** Returns nodes that are all usable, with these blocks as their heads. */
const nodesAt = (...blocks: readonly number[]): NodeDirectory => ({
  status: () =>
    blocks.map((headBlock, index) => ({
      name: `node ${index}`,
      up: true,
      score: 1,
      isInUse: true,
      headBlock,
      headAgeMs: 0,
      chainOk: true,
      lastErrorCode: null,
      disagreements: [],
      disagreementsBegun: { head: 0, block: 0, nonce: 0 },
    })),
});

describe('the node', () => {
  const AT_MS = 1_000_000;
  function aNode() {
    const clock = new ManualClock(AT_MS);
    const site = { block: 7, timestamp: AT_MS / 1_000 };
    const read = async (): Promise<ChainHead> => ({
      ...headWith([], site.block),
      timestamp: site.timestamp,
    });
    const watch = new HeadWatch({ head: read }, { status: () => calm }, clock);
    return { clock, site, watch, part: headPart(watch, 60_000) };
  }

  it('reports WRONG_CHAIN if the node does not serve the chain of the profile', async () => {
    const head = emptyHead;
    expect(await codesOf(nodePart({ head }, toFelt('0x1')))).toEqual([]);
    expect(await codesOf(nodePart({ head }, toFelt('0x2')))).toEqual(['WRONG_CHAIN']);
  });

  it('O1: reports HEAD_TOO_OLD if the newest block of the node is too old', async () => {
    expect(await aNode().part.poll()).toEqual([]);
    const { site, part } = aNode();
    site.timestamp -= 80;
    expect(await part.poll()).toEqual([
      { code: 'HEAD_TOO_OLD', details: { block: 7, ageMs: 80_000, orElse: 'CLOCK_WRONG' } },
    ]);
  });

  it('O1: reports HEAD_TOO_OLD if the head does not advance, even if the machine’s clock is wrong', async () => {
    const { clock, site, part } = aNode();
    site.timestamp += 3_600;
    await part.poll();
    clock.advance(60_001);
    expect(await codesOf(part)).toEqual(['HEAD_TOO_OLD']);
    site.block = 8;
    clock.advance(1_000);
    expect(await codesOf(part)).toEqual([]);
  });

  /** World in which the newest block has this age by the clock of the machine. */
  function aClock(
    blockAgeMs: number,
    storeMs: number | null,
    others?: OtherClocks,
    notJudged: EngineStatus['notJudged'] = null,
  ) {
    const clock = new ManualClock(AT_MS);
    const timestamp = (AT_MS - blockAgeMs) / 1_000;
    const head = async (): Promise<ChainHead> => ({ ...headWith([], 7), timestamp });
    const status = () => ({
      ...calm,
      notJudged,
      clockSkewMs: { store: storeMs, chain: null },
    });
    const watch = new HeadWatch({ head }, { status }, clock, others);
    return { clock, part: headPart(watch, 60_000), clockIs: clockPart(watch) };
  }
  const POSTGRES: OtherClocks = { isStoreIndependent: true };

  it.each([
    ['PostgreSQL’s clock', 300_000, POSTGRES],
    ['two nodes that follow one head', 0, { isStoreIndependent: false, nodes: nodesAt(7, 8) }],
    ['a step of the clock since the opening of SQLite', 300_000, { isStoreIndependent: false }],
  ])(
    'O4 reports CLOCK_WRONG, not HEAD_TOO_OLD, if the machine’s clock is five minutes ahead of %s',
    async (_, storeMs, others) => {
      const { part, clockIs } = aClock(300_000, storeMs, others);
      expect(await codesOf(part)).toEqual([]);
      expect(await clockIs.poll()).toEqual([
        { code: 'CLOCK_WRONG', details: { aheadMs: 300_000 } },
      ]);
    },
  );

  it('O4 reports HEAD_TOO_OLD if the newest block is old by PostgreSQL’s clock', async () => {
    const { part, clockIs } = aClock(300_000, 0, POSTGRES);
    expect(await part.poll()).toEqual([
      { code: 'HEAD_TOO_OLD', details: { block: 7, ageMs: 300_000 } },
    ]);
    expect(await codesOf(clockIs)).toEqual([]);
  });

  it('O4 reports HEAD_TOO_OLD or CLOCK_WRONG if the store is SQLite and no second node follows the head', async () => {
    for (const nodes of [nodesAt(7), nodesAt(7, 20)]) {
      const { part, clockIs } = aClock(300_000, 0, { isStoreIndependent: false, nodes });
      expect(await part.poll()).toMatchObject([
        { code: 'HEAD_TOO_OLD', details: { orElse: 'CLOCK_WRONG' } },
      ]);
      expect(await codesOf(clockIs)).toEqual([]);
    }
  });

  it('O4 reports that the machine’s clock is behind if the timestamp of the newest block is in the future', async () => {
    const { clockIs } = aClock(-300_000, 0);
    expect(await clockIs.poll()).toEqual([{ code: 'CLOCK_WRONG', details: { aheadMs: -300_000 } }]);
  });

  it.each([300_000, 3_600_000])(
    'O4: reports LEDGER_TIME_WRONG, not HEAD_TOO_OLD, after a clock that was %i ms ahead was corrected',
    async (aheadMs) => {
      const { clock, part, clockIs } = aClock(2_000, -aheadMs);
      expect(await codesOf(part)).toEqual([]);
      expect(await clockIs.poll()).toEqual([{ code: 'LEDGER_TIME_WRONG', details: { aheadMs } }]);
      clock.advance(60_001);
      expect(await codesOf(part)).toEqual(['HEAD_TOO_OLD']);
    },
  );

  it('O4 trusts PostgreSQL’s clock even if the newest block agrees with the machine’s clock', async () => {
    const { part, clockIs } = aClock(2_000, -300_000, POSTGRES);
    expect(await codesOf(part)).toEqual(['HEAD_TOO_OLD']);
    expect(await codesOf(clockIs)).toEqual(['CLOCK_WRONG']);
  });

  it.each([
    ['behind', -300_000, { why: 'HEAD_IN_FUTURE', block: 7, aheadMs: 300_000 }],
    ['ahead', 300_000, { why: 'NO_YOUNG_HEAD', block: 7, olderMs: 300_000 }],
  ] as const)(
    'O4: a clock that is %s is reported as the cause if the ledger can’t be compared with its chain, except with PostgreSQL',
    async (_, ofMs, why) => {
      const nodes = { isStoreIndependent: false, nodes: nodesAt(7, 8) };
      const details = { aheadMs: ofMs, causes: 'LEDGER_NOT_JUDGED' };
      const { clockIs } = aClock(ofMs, 0, nodes, why);
      expect(await clockIs.poll()).toEqual([{ code: 'CLOCK_WRONG', details }]);
      const { clockIs: besidePostgres } = aClock(ofMs, ofMs, POSTGRES, why);
      expect(await besidePostgres.poll()).toEqual([
        { code: 'CLOCK_WRONG', details: { aheadMs: ofMs } },
      ]);
    },
  );

  it('O4: reports HEAD_TOO_OLD if no new block arrives, even if the machine’s clock is wrong', async () => {
    const { clock, part } = aClock(300_000, 300_000, POSTGRES);
    await part.poll();
    clock.advance(60_001);
    expect(await codesOf(part)).toEqual(['HEAD_TOO_OLD']);
  });

  it('does not check the age of the head if the chain makes blocks only for transactions', async () => {
    const { clock, watch } = aNode();
    const part = headPart(watch, null);
    await part.poll();
    clock.advance(3_600_000);
    expect(await codesOf(part)).toEqual([]);
  });
});

describe('the pools', () => {
  const pools = [pool, usdcPool];
  const CLASS = toFelt('0xc1a55');

  it('O1: reports the contracts of all pools as missing if the node serves another chain with the same chain id', async () => {
    const empty = { hashesAt: async () => [null, null] };
    expect(await contractsPart(empty, pools).poll()).toEqual([
      { code: 'CHAIN_WITHOUT_OUR_CONTRACTS' },
      { code: 'POOL_WITHOUT_CONTRACT', pool: pool.address },
      { code: 'POOL_WITHOUT_CONTRACT', pool: usdcPool.address },
    ]);
  });

  it('O1 reports a single pool whose address has no contract', async () => {
    const one = { hashesAt: async () => [CLASS, null] };
    expect(await contractsPart(one, pools).poll()).toEqual([
      { code: 'POOL_WITHOUT_CONTRACT', pool: usdcPool.address },
    ]);
  });

  it('reports a pool if its view functions can’t be read', async () => {
    const failure = new LedgerUnavailable({ causeCode: 'ECONNREFUSED' });
    const status = { execute: async () => Promise.reject(failure) };
    const part = poolViewsPart(
      { status, swaps: { figures: async () => Promise.reject(failure) } },
      [pool],
    );
    expect(await part.poll()).toEqual([
      {
        code: 'POOL_NOT_READABLE',
        pool: pool.address,
        details: { error: 'LEDGER_UNAVAILABLE', cause: 'ECONNREFUSED' },
      },
    ]);
  });

  it('O1 the instance remains ready if the fee token of at least one pool has a price', async () => {
    expect(await pricesPart(priced(['WBTC']), pools).poll()).toEqual([
      { code: 'PRICES_UNAVAILABLE', pool: usdcPool.address, details: { asset: 'USDC' } },
    ]);
    expect(await pricesPart(priced(['WBTC', 'USDC']), pools).poll()).toEqual([]);
  });

  it('O1 the instance is not ready if the fee token of no pool has a price', async () => {
    const [first] = await pricesPart(priced([]), pools).poll();
    expect(first).toEqual({ code: 'PRICES_UNAVAILABLE', details: { asset: 'WBTC' } });
  });

  it('a paused pool or a pool without gas budget blocks withdrawals only in this pool', async () => {
    const { address } = guardedPool.pool;
    expect(await breakerOf({ kind: 'open' }).poll()).toEqual([]);
    expect(
      await breakerOf({ kind: 'paused', cause: 'reverts', reason: null, untilMs: 5 }).poll(),
    ).toEqual([{ code: 'POOL_PAUSED', details: { cause: 'reverts' }, pool: address }]);
    expect(await breakerOf({ kind: 'exhausted', scope: 'all', untilMs: 5 }).poll()).toEqual([
      { code: 'BUDGET_EXHAUSTED', details: { scope: 'all' }, pool: address },
    ]);
  });

  it('blocks withdrawals in the pools while the queue is full', async () => {
    expect(await queueOf(8).poll()).toEqual([]);
    expect(await codesOf(queueOf(9))).toEqual(['QUEUE_FULL']);
    expect(queueOf(9).scope).toBe('pools');
  });
});

const source = (name: string, failure: LedgerUnavailable | null) => ({
  source: name,
  isUsable: failure === null,
  failure,
  ages: [],
});

describe('redundant parts', () => {
  const [node] = operations.nodes;
  const of = (...changes: readonly Partial<NodeStatus>[]): VerdictPart =>
    nodesPart({
      status: () =>
        changes.flatMap((change, index) =>
          node === undefined
            ? []
            : [{ ...node, name: `node-${index}`, up: true, disagreements: [], ...change }],
        ),
    });
  const down = { up: false, lastErrorCode: 'ECONNREFUSED' };

  it('O3: warns if one node is down, but not if all nodes are down', async () => {
    expect(await of({}, {}).poll()).toEqual([]);
    expect(await of({}, down).poll()).toEqual([
      { code: 'NODE_DOWN', details: { nodes: 'node-1', cause: 'ECONNREFUSED' } },
    ]);
    expect(
      await of({}, { disagreements: ['head', 'nonce'] }, { disagreements: ['head'] }).poll(),
    ).toEqual([
      { code: 'NODES_DISAGREE', details: { nodes: 'node-1, node-2', what: 'head, nonce' } },
    ]);
    expect(await of(down, down).poll()).toEqual([]);
    expect(of({}).scope).toBe('warning');
  });

  it('T17 warns if an external service rejects the operator’s API key', async () => {
    const partners = [
      { partner: 'aggregator', rejectedWith: null },
      { partner: 'rewards', rejectedWith: 403 },
    ];
    const part = partnersPart(() => partners);
    expect(await part.poll()).toEqual([
      { code: 'PARTNER_KEY_REJECTED', details: { partners: 'rewards', status: 403 } },
    ]);
    expect(part.scope).toBe('warning');
    expect(await partnersPart(() => partners.slice(0, 1)).poll()).toEqual([]);
  });

  const away = new LedgerUnavailable({ causeCode: 'ENOTFOUND' });

  it('O3 warns if a price source is unavailable, but not if all sources are unavailable', async () => {
    const sources = (...all: readonly ReturnType<typeof source>[]) =>
      priceSourcesPart({ sources: () => all });
    expect(await sources(source('oracle', null), source('exchange', null)).poll()).toEqual([]);
    expect(await sources(source('oracle', null), source('exchange', away)).poll()).toEqual([
      {
        code: 'PRICE_SOURCE_DOWN',
        details: { sources: 'exchange', error: 'LEDGER_UNAVAILABLE', cause: 'ENOTFOUND' },
      },
    ]);
    expect(await sources(source('oracle', away), source('exchange', away)).poll()).toEqual([]);
  });
});

describe('the work', () => {
  it('reports WORK_DOES_NOT_MOVE if no nonce was settled for too long although nonces are undecided', async () => {
    const { clock, status, stuck, open, part } = aMachine();
    open(3);
    status.stuck = stuck;
    expect(await part.poll()).toEqual([]);
    clock.advance(60_000);
    expect(await part.poll()).toEqual([{ code: 'WORK_DOES_NOT_MOVE', details: { stuck: 1 } }]);
    open(2);
    expect(await part.poll()).toEqual([]);
  });

  it('reports no WORK_DOES_NOT_MOVE if no transaction is in flight', async () => {
    const { clock, part } = aMachine();
    clock.advance(3_600_000);
    expect(await part.poll()).toEqual([]);
  });
});

describe('store, ledger and verifier', () => {
  it('O1 the store check fails if the store rejects writes, although reads still work', async () => {
    const health = new InMemoryStoreHealth();
    expect(await storePart(health).poll()).toEqual([]);
    health.failFor('ENOSPC');
    await expect(storePart(health).poll()).rejects.toMatchObject({ causeCode: 'ENOSPC' });
    expect(await storeReadsPart({ state: async () => rowsOf() }).poll()).toEqual([]);
  });

  it('O3 the store check reports a schema that a newer release has changed', async () => {
    const health = new InMemoryStoreHealth();
    health.failFor('SCHEMA_IS_NEWER');
    expect(await codesOf(storePart(health))).toEqual(['SCHEMA_IS_NEWER']);
  });

  it.each([
    [null, []],
    ['NOT_READ', ['LEDGER_NOT_READ']],
    ['NOT_JUDGED', ['LEDGER_NOT_JUDGED']],
    ['LEDGER_BEHIND_CHAIN', ['LEDGER_BEHIND_CHAIN']],
    ['LEDGER_OF_ANOTHER_CHAIN', ['LEDGER_OF_ANOTHER_CHAIN']],
  ] as const)(
    'the ledger check returns the code for the ledger state %s',
    async (ledger, codes) => {
      expect(await codesOf(ledgerPart({ status: () => ({ ...calm, ledger }) }))).toEqual(codes);
    },
  );

  it('T4: the ledger check reports why a ledger can’t be compared with its chain', async () => {
    const status = (): EngineStatus => ({
      ...calm,
      ledger: 'NOT_JUDGED',
      notJudged: { why: 'NONCE_JUMP', lane: LANE, nonce: 7n },
    });
    expect(await ledgerPart({ status }).poll()).toEqual([
      { code: 'LEDGER_NOT_JUDGED', details: { why: 'NONCE_JUMP', lane: LANE, nonce: '7' } },
    ]);
  });

  it('the verifier check reports a verifier that accepts every proof', async () => {
    expect(await codesOf(verifierPart({ holds: async () => false }))).toEqual([]);
    expect(await codesOf(verifierPart({ holds: async () => true }))).toEqual(['VERIFIER_UNSOUND']);
  });

  it('the signer check reports a signer that does not respond, with the cause', async () => {
    const away = new LedgerUnavailable({ cause: Object.assign(new Error(), { code: 'ENOENT' }) });
    const watched = new WatchedPart(
      signerPart(() => Promise.reject(away)),
      new ManualClock(0),
      () => {},
    );
    await watched.refresh();
    expect(watched.obstacles()).toMatchObject([{ code: 'SIGNER_UNAVAILABLE' }]);
    expect(await codesOf(signerPart(async () => ['r', 's']))).toEqual([]);
  });

  it('S14 the readiness verdict contains the problem that the inspection of the pools’ verifiers found', async () => {
    const part = poolVerifiersPart({ problem: () => 'VERIFIER_CLASS_NOT_OF_KEY' });
    expect(await codesOf(part)).toEqual(['VERIFIER_CLASS_NOT_OF_KEY']);
  });
});
