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
/** At a named block the second one asks with what that block says. */
const ATTEMPTS = 2;
/** No token is divided finer. */
const MAX_SCALE = 10n ** 18n;
/**
 * More than anything there is in units of 1e-18; what a u256 can hold beside it would only make
 * huge numbers.
 */
const MAX_AMOUNT = 10n ** 40n;
/** Debt that has grown to a billion times what it was. */
const MAX_ACCUMULATOR_E18 = 10n ** 27n;
/** Unix seconds whose milliseconds are exact as well. */
const MAX_SECONDS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);
/**
 * By how much of the supply, one in so many, a pool's own utilization may differ from the one that
 * follows from its integers.
 */
const AGREEMENT = 100n;

const AcceptedBlock = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  timestamp: z.int().nonnegative().max(MAX_SECONDS),
});

/** A market's state, and what it allows and keeps for itself. */
export interface MarketState
  extends LendingPoolState, Pick<AssetConfig, 'maxUtilizationE18' | 'feeRateE18'> {}

/** What a pool says of a market, and what its rate is asked with. */
interface Market {
  readonly config: AssetConfig;
  readonly utilizationE18: bigint;
}

/**
 * Reads Vesu V2 pools by their views, all of them in one request at one block, which is named by
 * its hash. The contract's `interest_rate` takes what `asset_config` and `utilization` answer as
 * its arguments, so a request before that learns these, with the block, at `latest`. Where it has
 * seen another block than the one it then names, the arguments differ and the rates are asked once
 * more. A pool whose views are refused or answer nonsense is null and costs no other pool.
 */
export class VesuLendingPoolReader implements LendingPoolReader {
  constructor(private readonly node: StarknetNode) {}

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    // The block is asked for last: a node that works through them in order has then taken none of
    // the arguments from a later one.
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
    throw new NodeMalformedAnswer({ message: 'the node answers in two ways from one block' });
  }

  /**
   * The same pools at a block that the caller names. Rates are asked for in a second request, with
   * what the first one has answered.
   * @throws NodeUnavailable when the node does not have the block
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

  /** Of an unreadable market the rate is not requested. */
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
      throw new NodeMalformedAnswer({ message: 'the pool asks for interest that no market pays' });
    return rateE18;
  }
}

/** Failure that says nothing of the node or of other pools. */
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

/** The value of a read, or its failure if that is the pool's own. */
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
 * Utilization, last update and last rate at full utilization, as `interest_rate` takes them after
 * the asset.
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

/** @throws NodeMalformedAnswer for what no pool can say. */
function checked(market: Market): Market {
  const { config, utilizationE18 } = market;
  const { reserve, totalNominalDebtE18, rateAccumulatorE18, scale } = config;
  if (scale === 0n) throw new NodeMalformedAnswer({ message: 'the pool does not lend this asset' });
  if (scale > MAX_SCALE || reserve > MAX_AMOUNT || totalNominalDebtE18 > MAX_AMOUNT) {
    throw new NodeMalformedAnswer({ message: 'the pool holds more than there is' });
  }
  if (rateAccumulatorE18 < E18 || rateAccumulatorE18 > MAX_ACCUMULATOR_E18) {
    throw new NodeMalformedAnswer({ message: 'the pool’s debt has grown as no debt does' });
  }
  if (config.maxUtilizationE18 > E18 || config.feeRateE18 > E18)
    throw new NodeMalformedAnswer({ message: 'the pool allows or keeps more than all' });
  if (utilizationE18 > E18 || contradicts(market))
    throw new NodeMalformedAnswer({ message: 'the pool contradicts itself' });
  return market;
}

/**
 * Whether the utilization is not the one that follows from the other integers: a layout that has
 * moved shows itself so.
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
