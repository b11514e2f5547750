import type { NetworkProfile } from '@sotto/network-profile';
import type { Environment } from './variables.js';

/** Number of leaves in a pool's tree. */
const LEAVES = 1_024;
/**
 * Number of latest roots that a pool accepts. A proof becomes invalid when this many deposits have
 * followed the deposit of its root.
 */
const KNOWN_ROOTS = 30;
/** Share of a common capacity that one network may use, in percent. */
const NETWORK_PERCENT = 25;
const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3_600;
const MAX_DEVIATION_BPS = 500;
/**
 * Maximum number of account classes in a profile without a warning. Wallets in use have fewer
 * classes.
 */
const MANY_CLASSES = 20;

interface Weakness {
  /** Variable or field that the sentence names. */
  readonly name: string;
  readonly isWeak: (env: Environment, network: NetworkProfile) => boolean;
  /** Text after the name, which describes the consequence. */
  readonly says: string;
}

const WEAKNESSES: readonly Weakness[] = [
  {
    name: 'BATCH_PARTIAL_AFTER_SECONDS',
    isWeak: ({ BATCH_PARTIAL_AFTER_SECONDS: seconds }) =>
      seconds !== undefined && seconds < HOUR_SECONDS,
    says: 'is less than an hour: the keeper makes small crowds of deposits that could wait for others',
  },
  {
    name: 'PARTIAL_BATCH_MIN_AGE_MS',
    isWeak: ({ PARTIAL_BATCHES = 'aged', PARTIAL_BATCH_MIN_AGE_MS: ageMs }) =>
      PARTIAL_BATCHES === 'aged' && ageMs < HOUR_MS,
    says: 'is less than an hour: any caller may have small crowds deployed',
  },
  {
    name: 'DEPOSITS_PER_HOUR_PER_POOL',
    isWeak: ({ DEPOSITS_PER_HOUR_PER_POOL: perHour, DEPOSIT_LEAF_RESERVE: reserve }) =>
      perHour > LEAVES - reserve,
    says: `is more than the leaves of a tree without DEPOSIT_LEAF_RESERVE: callers may fill a pool within an hour`,
  },
  {
    name: 'DEPOSITS_PER_HOUR_PER_POOL',
    isWeak: ({ DEPOSITS_PER_HOUR_PER_POOL: perHour, DEPOSIT_LEAF_RESERVE: reserve }) =>
      perHour > KNOWN_ROOTS && perHour <= LEAVES - reserve,
    says: 'is more than the 30 roots that a pool knows: depositors may make proofs useless within an hour',
  },
  {
    name: 'DEPOSITS_PER_HOUR_PER_NETWORK',
    isWeak: ({ DEPOSITS_PER_HOUR_PER_NETWORK: perNetwork, DEPOSITS_PER_HOUR_PER_POOL: perPool }) =>
      perNetwork > perPool,
    says: 'is above DEPOSITS_PER_HOUR_PER_POOL: it bounds no network',
  },
  {
    name: 'DEPOSIT_LEAF_RESERVE',
    isWeak: ({ DEPOSIT_LEAF_RESERVE: reserve }) => reserve === 0,
    says: 'is 0: deposits may fill a tree to its last leaf',
  },
  {
    name: 'LOSS_BUDGET_CALLER_PERCENT',
    isWeak: ({ LOSS_BUDGET_CALLER_PERCENT: percent }) => percent > NETWORK_PERCENT,
    says: 'is above 25, which is the share of a network: one caller may use up more of a pool’s loss budget',
  },
  {
    name: 'LOSS_BUDGET_CLOSES',
    isWeak: ({ LOSS_BUDGET_CLOSES: closes }) => closes,
    says: 'is true: callers of four networks can close a pool for all',
  },
  {
    name: 'MAX_REQUESTS_IN_FLIGHT_PER_CLIENT',
    isWeak: ({ MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: perClient, MAX_REQUESTS_IN_FLIGHT: inAll }) =>
      perClient >= inAll,
    says: 'is not below MAX_REQUESTS_IN_FLIGHT: one address may hold half of all places',
  },
  {
    name: 'PRICE_MAX_AGE_MS',
    isWeak: ({ PRICE_MAX_AGE_MS: ageMs }) => ageMs > HOUR_MS,
    says: 'is more than an hour: fair values may rest on prices that the market has left',
  },
  {
    name: 'PRICE_MAX_DEVIATION_BPS',
    isWeak: ({ PRICE_MAX_DEVIATION_BPS: bps }) => bps > MAX_DEVIATION_BPS,
    says: 'is more than 500: sources agree that are more than 5 % apart',
  },
  {
    name: 'NETWORK_PROFILE: knownAccountClasses',
    isWeak: (_, { knownAccountClasses: classes }) => classes.length > MANY_CLASSES,
    says: `has more than ${MANY_CLASSES} classes: code of each is run as if it were the operator’s own, so list only classes that you have read`,
  },
];

/**
 * Returns settings that weaken the isolation of callers from each other and from the operator's
 * funds. For each such setting, there is one sentence, which begins with the setting's name.
 */
export const weakSettings = (env: Environment, network: NetworkProfile): readonly string[] =>
  WEAKNESSES.filter(({ isWeak }) => isWeak(env, network)).map(
    ({ name, says }) => `${name} ${says}`,
  );
