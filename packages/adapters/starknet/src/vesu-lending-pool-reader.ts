import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import {
  MAX_INTEREST_RATE_E18,
  totalDebt,
  totalSupplied,
  type LendingPool,
  type LendingPoolReader,
  type LendingPoolState,
  type LendingSnapshot,
} from '@sotto/staking-core';
import { z } from 'zod';
import { HEAD } from './block-head.js';
import { NodeMalformedAnswer, NodeRefusedCall } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { AssetConfig } from './vesu-asset-config.js';
import { callView } from './views.js';
import { AcceptedBlockStatus, BlockNumber, ReturnedU256 } from './wire.js';

const E18 = 10n ** 18n;
/**
 * Attempts to read the rates. The block is fixed, so the second attempt uses the arguments of that
 * block.
 */
const ATTEMPTS = 2;
/** Maximum scale: no token has more than 18 decimals. */
const MAX_SCALE = 10n ** 18n;
/**
 * Upper bound for amounts in units of 1e-18, above any supply. A larger u256 would only slow down
 * the arithmetic.
 */
const MAX_AMOUNT = 10n ** 40n;
/** Debt that has grown by a factor of a billion. */
const MAX_ACCUMULATOR_E18 = 10n ** 27n;
/** Maximum Unix seconds whose milliseconds are an exact integer. */
const MAX_SECONDS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);
/**
 * Tolerated difference between a pool's utilization and the one computed from its integers: the
 * supply divided by this number.
 */
const AGREEMENT = 100n;

const AcceptedBlock = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  timestamp: z.int().nonnegative().max(MAX_SECONDS),
});

/** State of a market, with its maximum utilization and the pool's fee. */
export interface MarketState
  extends LendingPoolState, Pick<AssetConfig, 'maxUtilizationE18' | 'feeRateE18'> {}

/** Values that a pool returns for a market, including the arguments of its rate query. */
interface Market {
  readonly config: AssetConfig;
  readonly utilizationE18: bigint;
}

/**
 * Reads Vesu V2 pools by their views, all in one request at one block, which is named by its hash.
 * Arguments of the contract's `interest_rate` are results of `asset_config` and `utilization`. A
 * first request reads those arguments and the newest block at `latest`. If its arguments came from
 * another block than the named one, the rates are queried once more. A pool whose views are
 * rejected or malformed is null and does not affect other pools.
 */
export class VesuLendingPoolReader implements LendingPoolReader {
  constructor(private readonly node: StarknetNode) {}

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    // The block is queried last: a node that processes the calls in order has then read no argument
    // from a later block.
    const [latest, { block_hash: blockHash }] = await Promise.all([
      Promise.all(pools.map(async (pool) => readable(this.#market(pool)))),
      this.node.call(HEAD),
    ]);
    let asked = checkOne(latest);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [markets, rates, { block_number: blockNumber, timestamp: timestampSeconds }] =
        await Promise.all([
          Promise.all(pools.map(async (pool) => readable(this.#market(pool, blockHash)))),
          Promise.all(pools.map(async (pool, index) => this.#rate(pool, asked[index], blockHash))),
          this.node.call(blockCall(blockHash)),
        ]);
      if (haveSameArguments(asked, markets))
        return { blockNumber, timestampSeconds, pools: statesOf(markets, rates) };
      asked = markets;
    }
    throw new NodeMalformedAnswer({
      message: 'the node returned different values for the same block',
    });
  }

  /**
   * Reads the same pools at a block chosen by the caller. Rates need a second request, with the
   * answers of the first one as arguments.
   * @throws NodeUnavailable if the node does not have the block
   */
  async readPoolsAt(
    pools: readonly LendingPool[],
    blockHash: Felt,
  ): Promise<readonly MarketState[]> {
    const markets = await Promise.all(pools.map(async (pool) => this.#market(pool, blockHash)));
    const asked = pools.map((pool, index) => ({ pool, market: present(markets[index]) }));
    return Promise.all(
      asked.map(async ({ pool, market }) => ({
        ...stateOf(market, await this.#interestRate(pool, market, blockHash)),
        maxUtilizationE18: market.config.maxUtilizationE18,
        feeRateE18: market.config.feeRateE18,
      })),
    );
  }

  async #market({ pool: contract, asset }: LendingPool, blockHash?: Felt): Promise<Market> {
    const view = {
      contract,
      calldata: [asset],
      ...(blockHash === undefined ? {} : { block: blockHash }),
    };
    const [config, utilizationE18] = await Promise.all([
      callView(this.node, { ...view, entrypoint: 'asset_config', result: AssetConfig }),
      callView(this.node, { ...view, entrypoint: 'utilization', result: ReturnedU256 }),
    ]);
    return checked({ config, utilizationE18 });
  }

  /** Reads the interest rate, unless the market is unreadable. */
  async #rate(
    pool: LendingPool,
    asked: Market | Unreadable | undefined,
    blockHash: Felt,
  ): Promise<bigint | Unreadable> {
    const market = present(asked);
    return isUnreadable(market) ? market : readable(this.#interestRate(pool, market, blockHash));
  }

  async #interestRate(
    { pool: contract, asset }: LendingPool,
    market: Market,
    blockHash: Felt,
  ): Promise<bigint> {
    const rateE18 = await callView(this.node, {
      contract,
      entrypoint: 'interest_rate',
      calldata: [asset, ...rateArguments(market)],
      block: blockHash,
      result: ReturnedU256,
    });
    if (rateE18 > MAX_INTEREST_RATE_E18)
      throw new NodeMalformedAnswer({
        message: 'the interest rate exceeds the maximum of the market',
      });
    return rateE18;
  }
}

/** Failure of a single pool that is no evidence about the node or other pools. */
type Unreadable = NodeMalformedAnswer | NodeRefusedCall;

function isUnreadable(value: unknown): value is Unreadable {
  const isOfOneCall = value instanceof NodeMalformedAnswer && value.details['shared'] !== true;
  return isOfOneCall || value instanceof NodeRefusedCall;
}

/** @throws the failure of the first pool if no pool is readable */
function checkOne<T>(reads: readonly (T | Unreadable)[]): readonly (T | Unreadable)[] {
  const [first] = reads;
  if (isUnreadable(first) && reads.every(isUnreadable)) throw first;
  return reads;
}

/** Returns the value of a read, or its failure if only this pool is affected. */
async function readable<T>(reading: Promise<T>): Promise<T | Unreadable> {
  try {
    return await reading;
  } catch (error) {
    if (isUnreadable(error)) return error;
    throw error;
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a pool was not read');
  return value;
}

/** @throws the failure of the first pool if no pool is readable */
function statesOf(
  markets: readonly (Market | Unreadable)[],
  rates: readonly (bigint | Unreadable)[],
): LendingSnapshot['pools'] {
  const states = markets.map((market, index) => {
    const rateE18 = present(rates[index]);
    if (isUnreadable(market)) return market;
    return isUnreadable(rateE18) ? rateE18 : stateOf(market, rateE18);
  });
  return checkOne(states).map((state) => (isUnreadable(state) ? null : state));
}

function blockCall(blockHash: Felt): NodeCall<z.infer<typeof AcceptedBlock>> {
  return {
    method: 'starknet_getBlockWithTxHashes',
    params: { block_id: { block_hash: blockHash } },
    result: AcceptedBlock,
  };
}

/**
 * Arguments of `interest_rate` after the asset: utilization, last update and last rate at full
 * utilization.
 */
function rateArguments(market: Market): readonly Felt[] {
  const { lastUpdatedSeconds, lastFullUtilizationRateE18 } = market.config;
  return [
    ...u256Felts(market.utilizationE18),
    toFelt(lastUpdatedSeconds),
    ...u256Felts(lastFullUtilizationRateE18),
  ];
}

function haveSameArguments(
  some: readonly (Market | Unreadable)[],
  others: readonly (Market | Unreadable)[],
): boolean {
  const texts = (markets: readonly (Market | Unreadable)[]): string =>
    markets
      .map((market) => (isUnreadable(market) ? 'unreadable' : rateArguments(market).join()))
      .join(';');
  return texts(some) === texts(others);
}

function stateOf({ config }: Market, interestRateE18: bigint): LendingPoolState {
  const { reserve, totalNominalDebtE18, rateAccumulatorE18, scale } = config;
  return { reserve, totalNominalDebtE18, rateAccumulatorE18, scale, interestRateE18 };
}

/** @throws NodeMalformedAnswer for values that no pool can return */
function checked(market: Market): Market {
  const { config, utilizationE18 } = market;
  const { reserve, totalNominalDebtE18, rateAccumulatorE18, scale } = config;
  if (scale === 0n) throw new NodeMalformedAnswer({ message: 'the pool does not lend this asset' });
  if (scale > MAX_SCALE || reserve > MAX_AMOUNT || totalNominalDebtE18 > MAX_AMOUNT) {
    throw new NodeMalformedAnswer({ message: 'an amount of the pool exceeds any possible supply' });
  }
  if (rateAccumulatorE18 < E18 || rateAccumulatorE18 > MAX_ACCUMULATOR_E18) {
    throw new NodeMalformedAnswer({ message: 'the pool’s rate accumulator is out of range' });
  }
  if (config.maxUtilizationE18 > E18 || config.feeRateE18 > E18)
    throw new NodeMalformedAnswer({
      message: 'the maximum utilization or the fee rate exceeds 100 %',
    });
  if (utilizationE18 > E18 || contradicts(market))
    throw new NodeMalformedAnswer({ message: 'the pool contradicts itself' });
  return market;
}

/**
 * Returns true if the utilization differs from the one computed from the other integers, which
 * would indicate a changed layout.
 */
function contradicts({ config, utilizationE18 }: Market): boolean {
  const state = { ...config, interestRateE18: 0n };
  const supplied = totalSupplied(state);
  const difference = (utilizationE18 * supplied) / E18 - totalDebt(state);
  const tolerated = supplied / AGREEMENT + 1n;
  return difference > tolerated || difference < -tolerated;
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}
