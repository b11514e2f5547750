import { CODES_OF } from '@sotto/facts';
import { PriceUnavailable } from '@sotto/market-core';
import type { Snapshots } from '@sotto/submission-core';
import { BANDS, bandOf, confirms, type Band } from '../domain/mayer-multiple.js';
import { decimalText, type Ratio } from '../domain/ratio.js';
import type { KnownMean, MayerMultiples, WbtcPrices } from './mayer-multiples.js';

/**
 * A Mayer Multiple as decimal text with six decimal places, and the band of smart orders for this
 * multiple.
 */
export interface ShownMultiple {
  readonly multiple: string;
  /** Factor by which the amount of a smart order is multiplied. */
  readonly band: Band;
}

export interface MayerReply {
  readonly blockNumber: number;
  /** Timestamp of the block, in Unix seconds. */
  readonly timestamp: number;
  /** Multiple of the contract. This multiple determines the amounts of smart orders. */
  readonly contract: ShownMultiple;
  /** Multiple computed from spot price and daily closes; null if prices or closes are missing. */
  readonly own: ShownMultiple | null;
  /**
   * Result of the comparison of the contract's multiple with the keeper's own multiple. Only
   * `confirmed` allows the execution of smart orders. `confirmed`: both multiples are in one band
   * and at most 2 % apart. `off`: fewer than two sources of daily closes are configured.
   */
  readonly verdict: 'confirmed' | 'disputed' | 'unknown' | 'off';
  /** Price in USD, as decimal text; null if fewer than two sources agree now. */
  readonly spotUsd: string | null;
  /** Mean of the daily closes in USD, as decimal text; null if fewer than 195 days agree. */
  readonly meanUsd: string | null;
  /**
   * Numbers of days among the last 200: days whose sources agree, days with a missing source, and
   * days whose sources disagree.
   */
  readonly days: { readonly agreed: number; readonly missing: number; readonly disputed: number };
  /** All bands, beginning with the band for the lowest BTC price. */
  readonly bands: readonly Band[];
}

const PLACES = 6;
const USD_PLACES = 2;
const E8 = 10n ** 8n;

/**
 * Returns the current Mayer Multiple of the contract and the keeper's own multiple, which verifies
 * it.
 */
export class GetMayerMultiple {
  /** Error codes of the Mayer Multiple route. */
  static readonly throws = CODES_OF.keeperMayer;

  constructor(
    private readonly mayer: MayerMultiples,
    private readonly snapshots: Snapshots,
  ) {}

  async execute(): Promise<MayerReply> {
    const snapshot = await this.snapshots.latest(null);
    const [contracts, known, prices] = await Promise.all([
      this.mayer.contracts(snapshot),
      this.mayer.mean(snapshot),
      this.#prices(),
    ]);
    const ours = prices === null ? null : this.mayer.ours(known, prices);
    const spot = prices?.at(0)?.wbtcUsdE8;
    const { agreed, missing, disputed } = known.days;
    return {
      blockNumber: snapshot.number,
      timestamp: snapshot.timestamp,
      contract: shown(contracts),
      own: ours === null ? null : shown(ours),
      verdict: this.#verdict(ours, contracts),
      spotUsd: spot === undefined ? null : usdText({ numerator: spot, denominator: 1n }),
      meanUsd: meanText(known),
      days: { agreed: agreed.length, missing: missing.length, disputed: disputed.length },
      bands: BANDS,
    };
  }

  #verdict(ours: Ratio | null, contracts: Ratio): MayerReply['verdict'] {
    if (this.mayer.sources < 2) return 'off';
    if (ours === null) return 'unknown';
    return confirms(ours, contracts) ? 'confirmed' : 'disputed';
  }

  async #prices(): Promise<WbtcPrices | null> {
    try {
      return await this.mayer.prices();
    } catch (error) {
      if (error instanceof PriceUnavailable) return null;
      throw error;
    }
  }
}

function shown(multiple: Ratio): ShownMultiple {
  return { multiple: decimalText(multiple, PLACES), band: bandOf(multiple) };
}

function meanText({ mean }: KnownMean): string | null {
  return mean === null ? null : usdText(mean.meanUsdE8);
}

function usdText({ numerator, denominator }: Ratio): string {
  return decimalText({ numerator, denominator: denominator * E8 }, USD_PLACES);
}
