const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Values that no operator has a reason to change. Earlier releases had settings for them, which an
 * old environment may still name; see {@link REMOVED_SETTINGS}.
 */
export const CONSTANTS = {
  rateLimits: {
    /**
     * Maximum number of addresses counted at a time. A count needs about 100 bytes, so all fit in
     * memory.
     */
    maxClients: 50_000,
  },
  signer: {
    /**
     * Timeout of a signature. A signer answers in milliseconds; a timed-out request is repeated.
     */
    timeoutMs: 5_000,
  },
  retention: {
    /** Age of an expired quote that a withdrawal used. No request is repeated after that. */
    quotesMs: DAY_MS,
    /** Age of a bridge transfer. Bridges no longer return the status of an older one. */
    transfersMs: 90 * DAY_MS,
  },
  staking: {
    /** Read interval of lending pools, price and rewards. Blocks bring no newer rates. */
    refreshMs: 10_000,
    /** Age of the block of a lending pool. The interface promises no older figures. */
    maxLendingAgeMs: 10 * MINUTE_MS,
    /** Age of the price of the yields. The lending protocol's own limit. */
    maxPriceAgeMs: 4 * HOUR_MS,
    /** Publishers of the price of the yields. The lending protocol's own limit. */
    minPricePublishers: 4,
    /** Age of a reward rate. The programme changes rates once a day at most. */
    maxRewardsAgeMs: DAY_MS,
  },
  engine: {
    /**
     * Age at which a block counts as final if the node does not report L1 finality. Several times
     * the duration of proof and settlement on L1: a shorter one loses a call, a longer one only
     * keeps bytes.
     */
    horizonMs: DAY_MS,
  },
  guards: {
    /** A dry run warns of a withdrawal whose batch has fewer deposits: two hide no one. */
    smallBatchBelow: 3,
    /** Proofs checked at a time. More only wait for the same node and the same threads. */
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

/** Former settings in an environment, one sentence each, which begins with the name. */
export interface RemovedSettings {
  /** Refused settings: the value differs from the constant, so the service would not follow it. */
  readonly problems: readonly string[];
  /** Ignored settings: the value equals the constant. */
  readonly warnings: readonly string[];
}

/** Finds former settings in the texts of an environment. An empty text counts as absent. */
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
