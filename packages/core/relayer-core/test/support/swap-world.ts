import { Felts, UpstreamBudget, feltToBigInt, toFelt, u256ToHalves } from '@sotto/kernel';
import {
  ExecutePrivateSwap,
  QuoteRedemption,
  SwapOutcomes,
  type GuardLimits,
  type PoolReader,
  type PrivateSwapInput,
  type PrivateSwapPolicy,
  type PrivateSwapPorts,
} from '../../src/index.js';
import {
  MIN_SLIPPAGE_PPM,
  PRIVATE_SWAP_CYCLE_GAS,
  WITHDRAWAL_LIMITS,
  FakePoolEvents,
  InMemoryPools,
  InMemorySwapPins,
} from '../../src/testing/index.js';
import { FakeSwapAggregator } from '@sotto/market-core/testing';
import { goodCalldata, vector } from './vector.js';
import { PRICES, aWorld, policy, pool } from './world.js';

export const STRK = toFelt('0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d');
export const ROUTER = toFelt('0x4270219d365d6b017231b52e92b3fb5d7c8378b05e9abc97724537a80e93b0f');
export const NEW_COMMITMENT = (0x1234n << 128n) + 0x5678n;
const DENOMINATION = 20_000n;

export const swapPolicy: PrivateSwapPolicy = {
  chainId: policy.chainId,
  feeAddress: policy.feeAddress,
  // The real withdrawal proof in the vector file pays this address.
  swapPool: toFelt(vector.recipient),
  swapOwner: toFelt('0x5a0e'),
  pools: [pool],
  outputTokens: [{ symbol: 'STRK', address: STRK, decimals: 18 }],
  maxPriceImpactBps: 300,
  minSlippagePpm: MIN_SLIPPAGE_PPM,
  payoutRule: 'denomination',
  cycleGas: PRIVATE_SWAP_CYCLE_GAS,
  routers: [ROUTER],
  allowBranchRoutes: false,
};

/** Creates the router call in which the swap pool sells an amount of the world’s token. */
export const saleOf = (amount: bigint, buyToken = STRK) => ({
  to: ROUTER,
  calldata: Felts.of([
    feltToBigInt(pool.token.address),
    ...u256ToHalves(amount),
    feltToBigInt(buyToken),
  ]),
});

/** Amount in sats that the swap pool receives: denomination minus fee. */
export const SELL_AMOUNT = DENOMINATION - BigInt(vector.feeSats);
/** Value of a sat in STRK at the world’s prices, in fri, rounded down. */
export const FAIR_RATE = 13_953_488_372_093_023n;
export const QUOTED = SELL_AMOUNT * FAIR_RATE;
/**
 * Exact fair value of the sold amount as a fraction: 60,000 USD for 10^8 sats, 0.043 USD for 10^18
 * fri.
 */
const FAIR = { numerator: SELL_AMOUNT * 60_000_000n * 10n ** 18n, denominator: 43n * 10n ** 8n };
export const FAIR_AMOUNT = FAIR.numerator / FAIR.denominator;
/** Minimum output at 97 % of the fair value, rounded up. */
export const FAIR_FLOOR =
  (FAIR.numerator * 97n + FAIR.denominator * 100n - 1n) / (FAIR.denominator * 100n);

export const poolStatus = {
  denomination: DENOMINATION,
  undeployedCount: 1,
  activeDeposits: 6,
  totalDeposits: 7,
  totalAssets: 7n * DENOMINATION,
  maxFeeBps: 500,
  maxFee: 1_000n,
  nextIndex: 7,
};

/** Combines a world’s reader of withdrawal facts with statuses and commitments that a test sets. */
export const readerWithStatuses = (
  reader: Pick<PoolReader, 'withdrawalFacts'>,
  statuses: InMemoryPools,
): PrivateSwapPorts['poolReader'] => ({
  poolStatus: (address) => statuses.poolStatus(address),
  hasCommitment: (address, commitment) => statuses.hasCommitment(address, commitment),
  withdrawalFacts: (address, withdrawal) => reader.withdrawalFacts(address, withdrawal),
});

/** Maximum number of swaps that may be routed within ten seconds. */
export const ROUTES = 100;

/** Relayer in which the real vector’s note can be swapped to STRK. */
export function aSwapWorld(changes: Partial<PrivateSwapPolicy> = {}, limits?: GuardLimits) {
  const world = aWorld(limits);
  world.secondPrices.set(PRICES);
  world.simulator.calls([saleOf(SELL_AMOUNT)]);
  const statuses = new InMemoryPools();
  statuses.setStatus(pool.address, poolStatus);
  const aggregator = new FakeSwapAggregator(ROUTER, [
    { sellToken: pool.token.address, buyToken: STRK, bought: FAIR_RATE, sold: 1n },
  ]);
  const deposits = new FakePoolEvents();
  const pins = new InMemorySwapPins();
  const fillPins = { complete: async (): Promise<void> => {} };
  const { clock, submissions } = world;
  const aggregatorBudget = new UpstreamBudget(ROUTES, clock);
  const ports: PrivateSwapPorts = {
    ...world.ports,
    poolReader: readerWithStatuses(world.ports.poolReader, statuses),
    aggregator,
    aggregatorBudget,
    pins,
    fillPins,
    quotes: new QuoteRedemption(world.quoteStore, clock),
    submissions,
    clock,
  };
  const outcomes = new SwapOutcomes(deposits, world.pools, clock);
  const swapping = { ...swapPolicy, ...changes };
  const swapper = new ExecutePrivateSwap(
    ports,
    world.guarding,
    outcomes,
    swapping,
    WITHDRAWAL_LIMITS,
  );
  const swap = (input: Partial<PrivateSwapInput> = {}) => swapper.execute({ ...aSwap, ...input });
  /** Restarts the process, which loses the state in its memory. */
  const restarted = () =>
    new ExecutePrivateSwap(
      ports,
      world.guarding,
      new SwapOutcomes(deposits, world.pools, clock),
      swapping,
      WITHDRAWAL_LIMITS,
    );
  return {
    ...world,
    swapPorts: ports,
    statuses,
    aggregator,
    aggregatorBudget,
    pins,
    fillPins,
    deposits,
    outcomes,
    swap,
    restarted,
  };
}

export type SwapWorld = ReturnType<typeof aSwapWorld>;

export const aSwap: PrivateSwapInput = {
  wbtcPool: pool.address,
  proofCalldata: goodCalldata,
  newCommitment: NEW_COMMITMENT,
  outputToken: STRK,
  slippagePpm: 10_000,
  waitMs: 0,
};

/** Hash of the first attempt’s transaction in the world’s ledger. */
export const FIRST_HASH = toFelt(BigInt(`0x${Buffer.from('attempt-1').toString('hex')}`));

export const deposit = {
  commitment: NEW_COMMITMENT,
  leafIndex: 3,
  outputToken: STRK,
  outputAmount: feltToBigInt(STRK),
};
