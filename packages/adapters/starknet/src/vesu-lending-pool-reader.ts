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
 * Maximum number of times that the rates are read. The second attempt reads at the same block as
 * the first attempt, with the arguments from that block.
 */
const ATTEMPTS = 2;
/** Maximum scale: no ERC-20 token has more than 18 decimals. */
const MAX_SCALE = 10n ** 18n;
/**
 * Maximum for amounts in units of 1e-18, above the supply of any ERC-20 token. A larger u256 would
 * only slow down the arithmetic.
 */
const MAX_AMOUNT = 10n ** 40n;
/** Maximum rate accumulator: debt that has grown by a factor of a billion. */
const MAX_ACCUMULATOR_E18 = 10n ** 27n;
/** Maximum Unix time in seconds whose value in milliseconds is an exact integer. */
const MAX_SECONDS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);
/**
 * Divisor of the tolerance between the utilization that a pool reports and the utilization computed
 * from the pool's integers. The maximum difference is the supply divided by this number.
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
 * Reads Vesu V2 pools through their views. One request reads all views at one block, which is
 * identified by its hash. The contract's `interest_rate` needs results of `asset_config` and
 * `utilization` as arguments.
 *
 * A first request reads these arguments and the newest block at `latest`. If the arguments came
 * from a block other than this newest block, the rates are queried once more. If the views of a
 * pool are rejected or malformed, the result for this pool is null; other pools are not affected.
 */
export class VesuLendingPoolReader implements LendingPoolReader {
  constructor(private readonly node: StarknetNode) {}

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    // The block is queried last: when a node that processes the calls in order reads the block, it
    // has already read every argument. So no argument comes from a later block.
    const [latest, { block_hash: blockHash }] = await Promise.all([
      Promise.all(pools.map(async (pool) => readable(this.#market(pool)))),
      this.node.call(HEAD),
    ]);
    let requested = checkOne(latest);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [markets, rates, { block_number: blockNumber, timestamp: timestampSeconds }] =
        await Promise.all([
          Promise.all(pools.map(async (pool) => readable(this.#market(pool, blockHash)))),
          Promise.all(
            pools.map(async (pool, index) => this.#rate(pool, requested[index], blockHash)),
          ),
          this.node.call(blockCall(blockHash)),
        ]);
      if (haveSameArguments(requested, markets))
        return { blockNumber, timestampSeconds, pools: statesOf(markets, rates) };
      requested = markets;
    }
    throw new NodeMalformedAnswer({
      message: 'the node returned different values for the same block',
    });
  }

  /**
   * Reads the given pools at a block chosen by the caller. Rates need a second request, because
   * their arguments are results of the first request.
   * @throws NodeUnavailable if the node does not have the block
   */
  async readPoolsAt(
    pools: readonly LendingPool[],
    blockHash: Felt,
  ): Promise<readonly MarketState[]> {
    const markets = await Promise.all(pools.map(async (pool) => this.#market(pool, blockHash)));
    const requested = pools.map((pool, index) => ({ pool, market: present(markets[index]) }));
    return Promise.all(
      requested.map(async ({ pool, market }) => ({
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

  /** Reads the interest rate of a pool. Returns the failure if the pool's market is unreadable. */
  async #rate(
    pool: LendingPool,
    requested: Market | Unreadable | undefined,
    blockHash: Felt,
  ): Promise<bigint | Unreadable> {
    const market = present(requested);
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

/** Failure of a single pool. The failure is no evidence about the node or other pools. */
type Unreadable = NodeMalformedAnswer | NodeRefusedCall;

function isUnreadable(value: unknown): value is Unreadable {
  const isOfOneCall = value instanceof NodeMalformedAnswer && value.details['shared'] !== true;
  return isOfOneCall || value instanceof NodeRefusedCall;
}

/** @throws the failure of the first pool if no pool could be read */
function checkOne<T>(reads: readonly (T | Unreadable)[]): readonly (T | Unreadable)[] {
  const [first] = reads;
  if (isUnreadable(first) && reads.every(isUnreadable)) throw first;
  return reads;
}

/** Returns the value of a read, or its failure if the failure affects only this pool. */
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

/** @throws the failure of the first pool if no pool could be read */
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
 * Returns the arguments of `interest_rate` that follow the asset: the utilization, the time of the
 * last update and the last rate at full utilization.
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

/** @throws NodeMalformedAnswer if the market has values that no pool can return */
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
 * Returns true if the utilization that the pool reports differs from the utilization computed from
 * the pool's integers. A difference would indicate a changed layout.
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
