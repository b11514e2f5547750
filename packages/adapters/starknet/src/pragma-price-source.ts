import { toFelt, type Felt } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/market-core';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { shortStringFelt } from './selectors.js';
import { callView } from './views.js';
import { Returned } from './wire.js';

/** Pragma's pair name of each asset. Assets without a pair name have no price from this source. */
export type PragmaPairs = Readonly<Record<PricedAsset, string>>;

/** Felt of `SpotEntry`, the first variant of the oracle's enum DataType. */
const SPOT_ENTRY = toFelt(0n);
const USD_DECIMALS = 8n;
/**
 * Maximum number of decimals of a feed. The limit prevents the computation of a huge power of ten.
 */
const MAX_DECIMALS = 36n;
/** Maximum timestamp in seconds whose value in milliseconds is an exact integer. */
const MAX_SECONDS = BigInt(Math.floor(Number.MAX_SAFE_INTEGER / 1_000));
const U32_BOUND = 2n ** 32n;

export interface PragmaSettings {
  readonly oracle: Felt;
  /** Minimum number of publishers of a price. A price with fewer publishers is omitted. */
  readonly minPublishers: number;
  readonly pairs: PragmaPairs;
}

/**
 * Reads median spot prices from the oracle contract at the newest accepted block. One request reads
 * the prices of all assets.
 */
export class PragmaPriceSource implements PriceSource {
  readonly name = 'pragma';

  constructor(
    private readonly node: StarknetNode,
    private readonly settings: PragmaSettings,
  ) {}

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    const observations = await Promise.all(assets.map(async (asset) => this.#observe(asset)));
    return observations.filter((observation) => observation !== null);
  }

  async #observe(asset: PricedAsset): Promise<PriceObservation | null> {
    const { oracle, pairs, minPublishers } = this.settings;
    const pair = pairs[asset];
    if (pair === undefined) return null;
    const answer = await callView(this.node, {
      contract: oracle,
      entrypoint: 'get_data_median',
      calldata: [SPOT_ENTRY, shortStringFelt(pair)],
      result: Returned,
    });
    // Further felts of the response are the expiration, whose length depends on the expiration's
    // enum variant. Spot prices have no expiration.
    const [price, decimals, updatedAtSeconds, sources] = answer;
    if (
      price === undefined ||
      decimals === undefined ||
      updatedAtSeconds === undefined ||
      sources === undefined
    ) {
      throw new NodeMalformedAnswer({ message: 'the oracle returned an incomplete price' });
    }
    if (decimals > MAX_DECIMALS || updatedAtSeconds > MAX_SECONDS || sources >= U32_BOUND) {
      throw new NodeMalformedAnswer({
        message: 'the oracle returned values outside the range of a price',
      });
    }
    const usdE8 = toE8(price, decimals);
    // The oracle returns 0 for an unknown pair.
    if (usdE8 === 0n) return null;
    return sources < minPublishers
      ? null
      : { asset, usdE8, observedAtMs: Number(updatedAtSeconds) * 1_000 };
  }
}

function toE8(price: bigint, decimals: bigint): bigint {
  return decimals <= USD_DECIMALS
    ? price * 10n ** (USD_DECIMALS - decimals)
    : price / 10n ** (decimals - USD_DECIMALS);
}
