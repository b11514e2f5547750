const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Values that no operator has a reason to change. In earlier releases these values were settings,
 * so an old environment may still contain them; see {@link REMOVED_SETTINGS}.
 */
export const CONSTANTS = {
  rateLimits: {
    /**
     * Maximum number of addresses that are counted at a time. A count needs about 100 bytes, so all
     * counts fit in memory.
     */
    maxClients: 50_000,
  },
  signer: {
    /**
     * Timeout of a request for a signature, in ms. A signer responds in milliseconds; a timed-out
     * request is repeated.
     */
    timeoutMs: 5_000,
  },
  retention: {
    /**
     * Time in ms for which an expired quote is stored if a withdrawal used it. Callers do not
     * repeat the withdrawal's request later than this.
     */
    quotesMs: DAY_MS,
    /**
     * Time in ms for which a bridge transfer is stored. Bridges no longer return the status of an
     * older transfer.
     */
    transfersMs: 90 * DAY_MS,
  },
  staking: {
    /**
     * Interval in ms between two reads of lending pools, price and rewards. Blocks do not change
     * the rates more often.
     */
    refreshMs: 10_000,
    /**
     * Maximum age of the block that a lending pool is read from, in ms. The interface does not
     * allow older figures.
     */
    maxLendingAgeMs: 10 * MINUTE_MS,
    /** Maximum age of the price of the yields, in ms. The lending protocol has the same limit. */
    maxPriceAgeMs: 4 * HOUR_MS,
    /**
     * Minimum number of publishers of the price of the yields. The lending protocol has the same
     * limit.
     */
    minPricePublishers: 4,
    /** Maximum age of a reward rate, in ms. The programme changes rates once a day at most. */
    maxRewardsAgeMs: DAY_MS,
  },
  engine: {
    /**
     * Age in ms at which a block is treated as final if the node does not report L1 finality. This
     * age is several times the duration of proof and settlement on L1. With a shorter age, a call
     * may be lost; with a longer age, data is only stored for longer.
     */
    horizonMs: DAY_MS,
  },
  guards: {
    /** Batch size below which a dry run warns: two deposits hide no depositor. */
    smallBatchBelow: 3,
    /**
     * Maximum number of proofs that are checked at the same time. More checks at the same time
     * would only wait for the same node and the same threads.
     */
    slots: 16,
  },
} as const;

const { rateLimits, signer, retention, staking, engine, guards } = CONSTANTS;

/**
 * Former settings with the constants that replaced them. An entry may be removed after one release.
 */
export const REMOVED_SETTINGS: ReadonlyMap<string, number> = new Map([
  ['RATE_LIMIT_MAX_CLIENTS', rateLimits.maxClients],
  ['SIGNER_TIMEOUT_MS', signer.timeoutMs],
  ['QUOTE_RETENTION_MS', retention.quotesMs],
  ['TRANSFER_RETENTION_MS', retention.transfersMs],
  ['STAKING_REFRESH_MS', staking.refreshMs],
  ['STAKING_MAX_AGE_MS', staking.maxLendingAgeMs],
  ['STAKING_PRICE_MAX_AGE_MS', staking.maxPriceAgeMs],
  ['STAKING_PRICE_MIN_PUBLISHERS', staking.minPricePublishers],
  ['STAKING_REWARDS_MAX_AGE_MS', staking.maxRewardsAgeMs],
  ['FINALITY_HORIZON_MS', engine.horizonMs],
  ['SMALL_BATCH_BELOW', guards.smallBatchBelow],
  ['ADMISSION_SLOTS', guards.slots],
]);

/** Former options of a relayer with the names of their settings. */
export const REMOVED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['signer.timeoutMs', 'SIGNER_TIMEOUT_MS'],
  ['retention.quotesMs', 'QUOTE_RETENTION_MS'],
  ['retention.transfersMs', 'TRANSFER_RETENTION_MS'],
  ['staking.refreshMs', 'STAKING_REFRESH_MS'],
  ['staking.maxLendingAgeMs', 'STAKING_MAX_AGE_MS'],
  ['staking.maxPriceAgeMs', 'STAKING_PRICE_MAX_AGE_MS'],
  ['staking.minPricePublishers', 'STAKING_PRICE_MIN_PUBLISHERS'],
  ['staking.maxRewardsAgeMs', 'STAKING_REWARDS_MAX_AGE_MS'],
  ['engine.horizonMs', 'FINALITY_HORIZON_MS'],
  ['guards.smallBatchBelow', 'SMALL_BATCH_BELOW'],
  ['guards.slots.slots', 'ADMISSION_SLOTS'],
]);

/**
 * Former settings that the environment still contains, one sentence for each. A sentence begins
 * with the setting's name.
 */
export interface RemovedSettings {
  /**
   * Former settings that are rejected, because their value differs from the constant that the
   * service would use.
   */
  readonly problems: readonly string[];
  /** Former settings that are ignored, because their value equals the constant. */
  readonly warnings: readonly string[];
}

/** Finds former settings in the texts of an environment. An empty text is treated as absent. */
export function removedSettings(
  texts: Readonly<Record<string, string | undefined>>,
): RemovedSettings {
  const found = [...REMOVED_SETTINGS].flatMap(([name, value]) => {
    const text = texts[name]?.trim() ?? '';
    const isSame = /^\d+$/.test(text) && Number(text) === value;
    return text === '' ? [] : [{ name, value, isSame }];
  });
  return {
    problems: found
      .filter(({ isSame }) => !isSame)
      .map(
        ({ name, value }) => `${name}: is no longer a setting: it is always ${value}; remove it`,
      ),
    warnings: found
      .filter(({ isSame }) => isSame)
      .map(({ name, value }) => `${name} is no longer a setting: it is always ${value}; remove it`),
  };
}
