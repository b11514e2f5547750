import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, shortStringFelt } from './calldata.js';
import type { ContractStorage } from './storage.js';

/** Median price that the oracle reports. */
export interface OraclePrice {
  /** Price as an integer; its last `decimals` digits are after the decimal point. */
  readonly price: bigint;
  readonly decimals: number;
  /**
   * Time of the latest publication in Unix seconds. With `live`, the oracle always returns the
   * timestamp of the calling block.
   */
  readonly lastUpdatedTimestampSeconds: number | 'live';
  readonly numSources: number;
}

const READ_L2_GAS = 500_000n;
const SPOT_ENTRY = 0n;
const FUTURE_ENTRY = 1n;
const GENERIC_ENTRY = 2n;
/** Number of aggregation modes of Pragma: Median, Mean, ConversionRate, Error. */
const AGGREGATION_MODES = 4n;

/**
 * Sets the price of a pair such as `BTC/USD`. No transaction can do this. If a pair is unset, its
 * price, decimals, time and number of sources are 0, as the real contract returns for an unknown
 * pair.
 */
export function setOraclePrice(storage: ContractStorage, pair: string, price: OraclePrice): void {
  const keys = pairKeys(shortStringFelt(pair));
  const { lastUpdatedTimestampSeconds } = price;
  const live = lastUpdatedTimestampSeconds === 'live';
  storage.set(keys.price, price.price);
  storage.set(keys.decimals, BigInt(price.decimals));
  storage.set(keys.sources, BigInt(price.numSources));
  storage.set(keys.live, live ? 1n : 0n);
  storage.set(keys.timestamp, live ? 0n : BigInt(lastUpdatedTimestampSeconds));
}

/** Returns the price of a pair as a number; undefined if the oracle has no price. */
export function oraclePriceOf(
  storage: Pick<ContractStorage, 'get'>,
  pair: string,
): number | undefined {
  const keys = pairKeys(shortStringFelt(pair));
  const price = storage.get(keys.price);
  return price === 0n ? undefined : Number(price) / 10 ** Number(storage.get(keys.decimals));
}

const getDataMedian: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const pairId = readDataType(args);
  args.end();
  return answer(context, pairId);
};

const getData: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const pairId = readDataType(args);
  if (args.felt() >= AGGREGATION_MODES) throw new Revert('Failed to deserialize param #2');
  args.end();
  // Each pair has a single price, so all aggregation modes return this price.
  return answer(context, pairId);
};

/**
 * Price oracle with Pragma's interface for spot prices, without data for futures and generic
 * entries.
 */
export const priceOracle: ContractModel = {
  name: 'PriceOracle',
  classHash: modelClassHash('PriceOracle'),
  entrypoints: { get_data_median: getDataMedian, get_data: getData },
};

/**
 * Reads Pragma's DataType from calldata. Returns the pair id of a spot entry; undefined for entry
 * kinds without data in this model.
 */
function readDataType(args: Arguments): bigint | undefined {
  const kind = args.felt();
  switch (kind) {
    case SPOT_ENTRY:
      return args.felt();
    case FUTURE_ENTRY:
      args.felt();
      args.felt();
      return undefined;
    case GENERIC_ENTRY:
      args.felt();
      return undefined;
    default:
      throw new Revert('Failed to deserialize param #1');
  }
}

/**
 * Returns price, decimals, last update, number of sources and expiration. The expiration of a spot
 * entry is `Some(0)`, as in the real contract.
 */
function answer(context: CallContext, pairId: bigint | undefined): bigint[] {
  context.useL2Gas(READ_L2_GAS);
  if (pairId === undefined) return [0n, 0n, 0n, 0n, 0n, 0n];
  const keys = pairKeys(pairId);
  const timestamp =
    context.get(keys.live) === 1n
      ? BigInt(context.block.timestampSeconds)
      : context.get(keys.timestamp);
  return [
    context.get(keys.price),
    context.get(keys.decimals),
    timestamp,
    context.get(keys.sources),
    0n,
    0n,
  ];
}

function pairKeys(
  pairId: bigint,
): Record<'price' | 'decimals' | 'timestamp' | 'sources' | 'live', string> {
  const id = pairId.toString(16);
  return {
    price: `price:${id}`,
    decimals: `decimals:${id}`,
    timestamp: `timestamp:${id}`,
    sources: `sources:${id}`,
    live: `live:${id}`,
  };
}
