import { TASK_NAMES } from '@sotto/facts';
import {
  PositiveBigInt,
  essential,
  optional,
  secret,
  wholeNumber,
  withDefault,
} from '@sotto/settings';
import {
  FeeConversions,
  LaneFloors,
  SecretUrls,
  SigningAccount,
  SigningAccounts,
  TaskNames,
  TaskSubjects,
} from './values.js';

const DAY_SECONDS = 86_400;
const MAX_SATS = 2_100_000_000_000_000;

/** Automatic tasks of the keeper and their limits. */
export const KEEPER_VARIABLES = {
  KEEPER_TASKS: essential(
    optional(
      null,
      TaskNames,
      `What is done without being asked, separated by commas: ${TASK_NAMES.join(', ')}.`,
      'none: nothing is done by itself',
    ),
  ),
  KEEPER_SUBJECTS: optional(
    null,
    TaskSubjects,
    'Restricts tasks to some of their subjects, as JSON: {"curator": ["sentinel"]}. A task that is not named here looks at all of its own. The start refuses names of what a task does not look at.',
    'all of each task',
  ),
  KEEPER_ACCOUNTS: secret(
    optional(
      null,
      SigningAccounts,
      'Accounts that execute purchases and earn their fee, one lane each: a JSON array of {"address", "privateKey"}. Secret. Goes with `purchases`.',
      'none',
    ),
  ),
  KEEPER_INTERVAL_MS: withDefault(
    'keeper.intervalMs',
    wholeNumber(100, DAY_SECONDS * 1_000),
    '30000',
    'From the end of one look of a task to the begin of the next.',
  ),
  KEEPER_LEASE_TTL_MS: withDefault(
    'keeper.leaseTtlMs',
    wholeNumber(1_000, DAY_SECONDS * 1_000),
    '120000',
    'How long a task stays with an instance that no longer answers.',
  ),
  KEEPER_GAS_PER_HOUR_FRI: withDefault(
    'keeper.budget.perHourFri',
    PositiveBigInt,
    '50000000000000000000',
    'Most gas that one task may pay for in an hour, in fri.',
  ),
  KEEPER_GAS_PER_DAY_FRI: withDefault(
    'keeper.budget.perDayFri',
    PositiveBigInt,
    '300000000000000000000',
    'The same for a day.',
  ),
  KEEPER_RETRY_BASE_MS: withDefault(
    'keeper.retry.baseMs',
    wholeNumber(100, DAY_SECONDS * 1_000),
    '60000',
    'Wait after a failed transaction of the keeper; it doubles with each further one in a row.',
  ),
  KEEPER_MAX_FAILURES: withDefault(
    'keeper.retry.maxFailures',
    wholeNumber(1, 100),
    '5',
    'Failed transactions in a row after which a subject rests until an operator resumes it.',
  ),

  CURATOR_THRESHOLD_SATS: withDefault(
    'keeper.curator.thresholdSats',
    PositiveBigInt,
    '100000',
    'Least that the keeper deploys of a vault’s idle funds, in sats.',
  ),
  CURATOR_COST_FACTOR: withDefault(
    'keeper.curator.costFactor',
    PositiveBigInt,
    '50',
    'Idle funds have to be worth so many times what their deployment costs.',
  ),
  CURATOR_SETTLE_SECONDS: withDefault(
    'keeper.curator.settleSeconds',
    wholeNumber(0, DAY_SECONDS),
    '600',
    'How long funds lie idle before the keeper deploys them, by the chain’s clock.',
  ),
  CURATOR_MAX_SATS_PER_CALL: withDefault(
    'keeper.curator.maxSatsPerCall',
    PositiveBigInt,
    String(MAX_SATS),
    'Most that the keeper deploys at a time, in sats.',
  ),
  CURATOR_MAX_SATS_PER_DAY: withDefault(
    'keeper.curator.maxSatsPerDay',
    PositiveBigInt,
    String(MAX_SATS),
    'Most that the keeper deploys for one vault in a day, in sats.',
  ),

  BATCH_CROWD_WAIT_SECONDS: withDefault(
    'keeper.batches.crowdWaitSeconds',
    wholeNumber(0, 30 * DAY_SECONDS),
    '3600',
    'How long the keeper waits for a larger batch once the smallest full one is there, by the chain’s clock.',
  ),
  BATCH_PARTIAL_AFTER_SECONDS: optional(
    'keeper.batches.partialAfterSeconds',
    wholeNumber(0, 365 * DAY_SECONDS),
    'Age of the youngest deposit at which the keeper deploys all deposits that wait together, in any number from two: a smaller crowd to hide in.',
    'never',
  ),

  DAILY_CLOSES_URLS: secret(
    optional(
      null,
      SecretUrls,
      'Addresses of two price interfaces with daily closes of BTC, separated by a comma, neither fed by the other. Smart orders need both. Secret.',
      'none: smart orders are left alone',
    ),
  ),
  PURCHASE_MARGIN_PERCENT: withDefault(
    'keeper.purchases.marginPercent',
    PositiveBigInt,
    '20',
    'How far the fee of an execution has to be worth more than its gas, in percent.',
  ),

  LEVERAGE_SAFETY_BPS: withDefault(
    'keeper.leverage.safetyBps',
    wholeNumber(1, 9_000),
    '500',
    'How far a vault’s loan-to-value stays below its lending pool’s limit, and which fall of the price a way back survives, in hundredths of a percent.',
  ),
  LEVERAGE_HEALTH_FLOOR_BPS: withDefault(
    'keeper.leverage.healthFloorBps',
    wholeNumber(10_001, 100_000),
    '10500',
    'Health factor below which a vault is led back: 10000 is liquidation.',
  ),
  LEVERAGE_MAX_SWAP_COST_BPS: withDefault(
    'keeper.leverage.maxSwapCostBps',
    wholeNumber(1, 2_000),
    '200',
    'Most that a round’s swap may lose against its fair value.',
  ),
  LEVERAGE_MIN_ROUND_USDC: withDefault(
    'keeper.leverage.minRoundDebt',
    PositiveBigInt,
    '100000000',
    'Smaller rounds up are not worth their gas; in the smallest unit of USDC.',
  ),
  LEVERAGE_MAX_ROUND_USDC: withDefault(
    'keeper.leverage.maxRoundDebt',
    PositiveBigInt,
    '100000000000',
    'No round swaps more; in the smallest unit of USDC.',
  ),
  LEVERAGE_RATE_AGAINST_SECONDS: withDefault(
    'keeper.leverage.rateAgainstSeconds',
    wholeNumber(0, 30 * DAY_SECONDS),
    '86400',
    'A vault is led back once its borrow rate was above its supply rate for so long.',
  ),
  LEVERAGE_REPAY_PER_DAY_USDC: optional(
    'keeper.leverage.repayPerDay',
    PositiveBigInt,
    'Most of the treasury’s USDC that one vault gets in a day to repay its debt, where no collateral can be withdrawn; in the smallest unit of USDC.',
    'nothing: the operator repays',
  ),

  TREASURY_ACCOUNT: secret(
    optional(
      null,
      SigningAccount,
      'The account whose STRK fills up the others: {"address", "privateKey"}. Secret. Goes with `treasury`.',
      'none',
    ),
  ),
  TREASURY_FLOORS: optional(
    null,
    LaneFloors,
    'When accounts are filled up, by role and in fri, as JSON: {"relay": {"floor": "…", "ceiling": "…"}}.',
    'none',
  ),
  TREASURY_MAX_PER_DAY_FRI: withDefault(
    'keeper.treasury.maxPerDayFri',
    PositiveBigInt,
    '1000000000000000000000',
    'Most that leaves the treasury in a day, in fri.',
  ),
  TREASURY_RESERVE_FRI: withDefault(
    'keeper.treasury.reserveFri',
    PositiveBigInt,
    '10000000000000000000',
    'What stays in the treasury for the gas of its own transfers, in fri.',
  ),
  TREASURY_CONVERSIONS: optional(
    null,
    FeeConversions,
    'Fees that the treasury swaps into STRK, by token and in its smallest unit, as JSON: {"WBTC": {"reserve": "1000000", "least": "500000", "most": "5000000", "perDay": "20000000"}}. What is above the reserve is sold, no less and no more than these at once and no more than `perDay` within 24 hours, at no less than its fair value less 1 %. The treasury has to be FEE_ADDRESS.',
    'none: fees stay in the token that they were paid in',
  ),
} as const;
