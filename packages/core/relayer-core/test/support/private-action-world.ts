import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { MovingClock } from '@sotto/kernel/testing';
import { MarketPrices } from '@sotto/market-core';
import { FixedPrices } from '@sotto/market-core/testing';
import { poseidon } from '@sotto/stark-hash';
import { FakeCallSimulator, FakeLatestBlock } from '@sotto/submission-core/testing';
import {
  PrivateActionAdmission,
  PromisedFees,
  QuotePrivateAction,
  SubmitPrivateAction,
  messageHash,
  sponsorKeyDigest,
  type PrivacyPool,
  type PrivacyPoolFacts,
  type PrivateActionInput,
  type WantedPoolFacts,
} from '../../src/index.js';
import {
  FakeSubmissions,
  InMemorySponsorBudgets,
  WITHDRAWAL_LIMITS,
} from '../../src/testing/index.js';
import { LIMITS, aGuard } from './guard-world.js';
import { GAS_PRICES, NOW_MS } from './world.js';

export const STRK = { symbol: 'STRK', address: toFelt('0x4718'), decimals: 18 } as const;
export const USDC = { symbol: 'USDC', address: toFelt('0x1002'), decimals: 6 } as const;
export const privacyPool: PrivacyPool = {
  key: 'strk20',
  address: toFelt('0xabcde'),
  kind: 'privacy',
  tokens: [STRK, USDC],
};
export const FEE_ADDRESS = toFelt('0xfee');
export const SPONSOR_KEY = 'key-of-the-wallet';
export const ALLOWED_CONTRACT = toFelt('0xa110');
export const LANE = toFelt('0x1a7e');
const CONFIG_HASH = toFelt('0xcc');
const CHAIN = toFelt('0x534e5f5345504f4c4941');
const hashOf = (felts: Felts): Felt => toFelt(poseidon(felts.toBytes()));

/** One STRK in fri. */
export const ONE = 10n ** 18n;

const POOL_STATE = {
  classHash: toFelt('0x12345'),
  version: '2.0',
  isPaused: false,
  feeFri: 0n,
  validityBlocks: 450,
  headNumber: 200,
} as const satisfies Partial<PrivacyPoolFacts>;

/** Changes of the actions and of the proof of a request. */
export interface Sample {
  /** Storage address that the actions write once. @default 0x11 */
  readonly spent?: readonly bigint[];
  /** Payments of the pool: recipient, token and amount. @default one STRK to the fee address */
  readonly payments?: readonly (readonly [Felt, Felt, bigint])[];
  readonly invoked?: Felt;
  /** Account whose tokens the actions deposit. @default none */
  readonly depositor?: Felt;
  /** @default 150 */
  readonly baseBlock?: number;
}

/** Builds a request whose proof facts fit its actions. */
export function aRequest(
  {
    spent = [0x11n],
    payments = [[FEE_ADDRESS, STRK.address, ONE]],
    invoked,
    depositor,
    baseBlock = 150,
  }: Sample = {},
  changes: Partial<PrivateActionInput> = {},
): PrivateActionInput {
  const actions = [
    ...spent.map((address) => [0n, address, 1n, 7n]),
    ...payments.map(([to, token, amount]) => [3n, BigInt(to), BigInt(token), amount]),
    ...(invoked === undefined ? [] : [[10n, BigInt(invoked), 0n]]),
    ...(depositor === undefined ? [] : [[2n, BigInt(depositor), BigInt(STRK.address), 5n]]),
  ];
  const actionFelts = Felts.of([BigInt(actions.length), ...actions.flat()]);
  const message = { pool: privacyPool.address, poolClass: POOL_STATE.classHash, actionFelts };
  return {
    poolAddress: privacyPool.address,
    calldata: Felts.join(actionFelts, Felts.of([1n])),
    proofFacts: Felts.parse([
      '0x50524f4f4630',
      '0x5649525455414c5f534e4f53',
      '0xaa',
      '0x5649525455414c5f534e4f5330',
      toFelt(BigInt(baseBlock)),
      blockHash(baseBlock),
      CONFIG_HASH,
      '0x1',
      messageHash(message, hashOf),
    ]),
    proof: new Uint8Array([1, 2, 3]),
    ...changes,
  };
}

const blockHash = (number: number): Felt => toFelt(BigInt(number) * 1_000n + 7n);

/** Reader of one privacy pool whose state a test may change. */
export function aPrivacyPoolReader() {
  const state: { pool: Omit<PrivacyPoolFacts, 'baseBlockHash' | 'taken'>; taken: readonly Felt[] } =
    { pool: POOL_STATE, taken: [] };
  const reads: WantedPoolFacts[] = [];
  const pools = {
    facts: async (_pool: Felt, wanted: WantedPoolFacts): Promise<PrivacyPoolFacts> => {
      reads.push(wanted);
      const { baseBlockNumber: base, addresses } = wanted;
      const isKnown = base !== null && base <= state.pool.headNumber;
      return {
        ...state.pool,
        baseBlockHash: isKnown ? blockHash(base) : null,
        taken: addresses.filter((address) => state.taken.includes(address)),
      };
    },
  };
  return { state, reads, pools };
}

/** Relayer in which {@link aRequest} passes every check. */
export function aPrivateActionWorld(
  budget = { budgetPerDayFri: 2n * ONE, budgetPerNetworkFri: 2n * ONE },
) {
  const clock = new MovingClock(NOW_MS);
  const submissions = new FakeSubmissions(() => clock.nowMs());
  const simulator = new FakeCallSimulator();
  simulator.use({ l2Gas: 78_000_000n, l1Gas: 0n, l1DataGas: 400n });
  const latestBlock = new FakeLatestBlock(GAS_PRICES);
  const { state, reads, pools } = aPrivacyPoolReader();
  const usd = { STRK: 4_000_000n, USDC: 100_000_000n };
  const prices = new FixedPrices([]);
  /** Sets prices of whole tokens, in US dollars with 8 decimals. */
  const setPrices = (changed: Partial<typeof usd>): void =>
    prices.set(
      (['STRK', 'USDC'] as const).map((asset) => ({
        asset,
        usdE8: { ...usd, ...changed }[asset],
        observedAtMs: NOW_MS,
      })),
    );
  setPrices({});
  const marketPrices = new MarketPrices([prices], clock, {
    assets: ['STRK', 'USDC'],
    limits: { maxAgeMs: 3_600_000, maxDeviationBps: 100, quorum: 1 },
    ttlMs: 0,
  });
  const guarding = aGuard(clock, submissions, [privacyPool], new Map(), {
    ...LIMITS,
    hourlyGasPerPoolFri: 100n * ONE,
    hourlyGasInAllFri: 100n * ONE,
  });
  const budgets = new InMemorySponsorBudgets();
  const promised = new PromisedFees({ inAll: 100, perClient: 4 }, clock);
  const sponsors = [{ name: 'wallet', keyDigest: sponsorKeyDigest(SPONSOR_KEY), ...budget }];
  const common = {
    pools: [privacyPool],
    strk: STRK,
    sponsors,
    feeAddress: FEE_ADDRESS,
    maxPoolFeeFri: ONE,
    gas: () => ({ l2Gas: 80_000_000n, l1Gas: 0n, l1DataGas: 5_000n }),
  };
  const admission = new PrivateActionAdmission(
    { pools, simulator, latestBlock, marketPrices },
    promised,
    clock,
    {
      ...common,
      ownContracts: [LANE],
      chainId: CHAIN,
      acceptsNoProof: false,
      invokedContracts: [ALLOWED_CONTRACT],
      poseidon: hashOf,
      configHash: CONFIG_HASH,
      programHashes: null,
      triedAs: LANE,
    },
  );
  const { guard, slots, claims: locks } = guarding;
  const subject = new SubmitPrivateAction(
    admission,
    submissions,
    { guard, slots, locks, budgets, promised, clock },
    WITHDRAWAL_LIMITS,
  );
  const quotes = new QuotePrivateAction(
    { pools, latestBlock, marketPrices, guard, promised, clock },
    { ...common, marginPercent: 20n },
  );
  const submit = (input: PrivateActionInput = aRequest()) =>
    subject.execute({ ...input, waitMs: 0 });
  return {
    clock,
    submissions,
    setPrices,
    simulator,
    latestBlock,
    state,
    reads,
    guarding,
    budgets,
    promised,
    admission,
    subject,
    quotes,
    submit,
  };
}
