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
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { NodeCall, NodeClient } from './rpc/node-client.js';
import { AssetConfig } from './vesu-asset-config.js';
import { callView, viewCall } from './views.js';
import { AcceptedBlockStatus, BlockNumber, LATEST, ReturnedU256, WireFelt } from './wire.js';

const E18 = 10n ** 18n;
const ATTEMPTS = 2;
/** No token is divided finer. */
const MAX_SCALE = 10n ** 18n;
/** More than anything there is in units of 1e-18; what a u256 can hold beside it would only make huge numbers. */
const MAX_AMOUNT = 10n ** 40n;
/** Debt that has grown to a billion times what it was. */
const MAX_ACCUMULATOR_E18 = 10n ** 27n;
/** Unix seconds whose milliseconds are exact as well. */
const MAX_SECONDS = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);
/** By how much of the supply, one in so many, a pool's own utilization may differ from the one that follows from its integers. */
const AGREEMENT = 100n;

const AcceptedBlock = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  timestamp: z.int().nonnegative().max(MAX_SECONDS),
});

/** What a pool says first, and what its rate is then asked with. */
interface Market {
  readonly config: AssetConfig;
  readonly utilizationE18: bigint;
}

/** Markets that were read at one block; no hash when there are none. */
interface Markets {
  readonly blockHash: Felt | undefined;
  readonly markets: readonly Market[];
}

/**
 * Reads Vesu V2 pools by their views, all at one block, in two requests. `asset_config` and `utilization` are asked of the latest block, those
 * of each pool between two questions which block that is; when not all name the same, all is read once more. `interest_rate` takes what they
 * answer as its arguments, so it can only be asked then: of that very block by its hash, and with it the block's time.
 */
export class VesuLendingPoolReader implements LendingPoolReader {
  constructor(private readonly node: NodeClient) {}

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    const { blockHash, markets } = await this.#marketsOfOneBlock(pools);
    const [block, ...states] = await Promise.all([
      this.node.call(blockCall(blockHash)),
      ...pools.map(async ({ pool, asset }, index) => this.#state(pool, asset, markets[index], blockHash)),
    ]);
    return { blockNumber: block.block_number, timestampSeconds: block.timestamp, pools: states };
  }

  async #marketsOfOneBlock(pools: readonly LendingPool[]): Promise<Markets> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const answers = await Promise.all(pools.map(async (lendingPool) => this.#market(lendingPool)));
      const [blockHash, ...others] = new Set(answers.flatMap(({ blockHashes }) => blockHashes));
      if (others.length === 0) return { blockHash, markets: answers };
    }
    throw new NodeUnavailable('blocks follow one another faster than lending pools can be read');
  }

  async #market({ pool: contract, asset }: LendingPool): Promise<Market & { readonly blockHashes: readonly Felt[] }> {
    const [before, config, utilizationE18, after] = await this.node.together([
      HEAD,
      viewCall({ contract, entrypoint: 'asset_config', calldata: [asset], result: AssetConfig }),
      viewCall({ contract, entrypoint: 'utilization', calldata: [asset], result: ReturnedU256 }),
      HEAD,
    ]);
    return { config, utilizationE18, blockHashes: [before.block_hash, after.block_hash] };
  }

  async #state(contract: Felt, asset: Felt, market: Market | undefined, blockHash: Felt | undefined): Promise<LendingPoolState> {
    if (market === undefined || blockHash === undefined) throw new Error('a pool was not read');
    const { config, utilizationE18 } = checked(market);
    const calldata = [
      asset,
      ...u256Felts(utilizationE18),
      toFelt(config.lastUpdatedSeconds),
      ...u256Felts(config.lastFullUtilizationRateE18),
    ];
    const interestRateE18 = await callView(this.node, { contract, entrypoint: 'interest_rate', calldata, blockHash, result: ReturnedU256 });
    if (interestRateE18 > MAX_INTEREST_RATE_E18) throw new NodeMalformedAnswer('the pool asks for interest that no market pays');
    const { reserve, totalNominalDebtE18, rateAccumulatorE18, scale } = config;
    return { reserve, totalNominalDebtE18, rateAccumulatorE18, scale, interestRateE18 };
  }
}

function blockCall(blockHash: Felt | undefined): NodeCall<z.infer<typeof AcceptedBlock>> {
  const block_id = blockHash === undefined ? LATEST : { block_hash: blockHash };
  return { method: 'starknet_getBlockWithTxHashes', params: { block_id }, result: AcceptedBlock };
}

/** @throws NodeMalformedAnswer for what no pool can say. */
function checked(market: Market): Market {
  const { config, utilizationE18 } = market;
  const { reserve, totalNominalDebtE18, rateAccumulatorE18, scale } = config;
  if (scale === 0n) throw new NodeMalformedAnswer('the pool does not lend this asset');
  if (scale > MAX_SCALE || reserve > MAX_AMOUNT || totalNominalDebtE18 > MAX_AMOUNT) {
    throw new NodeMalformedAnswer('the pool holds more than there is');
  }
  if (rateAccumulatorE18 < E18 || rateAccumulatorE18 > MAX_ACCUMULATOR_E18) {
    throw new NodeMalformedAnswer('the pool’s debt has grown as no debt does');
  }
  if (utilizationE18 > E18 || contradicts(market)) throw new NodeMalformedAnswer('the pool contradicts itself');
  return market;
}

/** Whether the utilization is not the one that follows from the other integers: a layout that has moved shows itself so. */
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
