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

/** Variables of the keeper's automatic tasks and their limits. */
export const KEEPER_VARIABLES = {
  KEEPER_TASKS: essential(
    optional(
      null,
      TaskNames,
      `Automatic tasks, separated by commas: ${TASK_NAMES.join(', ')}.`,
      'none: no automatic tasks',
    ),
  ),
  KEEPER_SUBJECTS: optional(
    null,
    TaskSubjects,
    'Restricts tasks to some of their subjects, as JSON: {"curator": ["sentinel"]}. A task that is not named here serves all of its subjects. Unknown subjects are rejected at start.',
    'all of each task',
  ),
  KEEPER_ACCOUNTS: secret(
    optional(
      null,
      SigningAccounts,
      'Accounts that execute purchases and earn their fee, one lane each: a JSON array of {"address", "privateKey"}. Secret. Requires `purchases`.',
      'none',
    ),
  ),
  KEEPER_INTERVAL_MS: withDefault(
    'keeper.intervalMs',
    wholeNumber(100, DAY_SECONDS * 1_000),
    '30000',
    'Time between the end of one run of a task and the start of the next.',
  ),
  KEEPER_LEASE_TTL_MS: withDefault(
    'keeper.leaseTtlMs',
    wholeNumber(1_000, DAY_SECONDS * 1_000),
    '120000',
    'Lease of a task: an unresponsive instance keeps the task for this time.',
  ),
  KEEPER_GAS_PER_HOUR_FRI: withDefault(
    'keeper.budget.perHourFri',
    PositiveBigInt,
    '50000000000000000000',
    'Maximum gas of one task per hour, in fri.',
  ),
  KEEPER_GAS_PER_DAY_FRI: withDefault(
    'keeper.budget.perDayFri',
    PositiveBigInt,
    '300000000000000000000',
    'The same per day.',
  ),
  KEEPER_RETRY_BASE_MS: withDefault(
    'keeper.retry.baseMs',
    wholeNumber(100, DAY_SECONDS * 1_000),
    '60000',
    'Wait after a failed transaction of the keeper. It doubles with each consecutive failure.',
  ),
  KEEPER_MAX_FAILURES: withDefault(
    'keeper.retry.maxFailures',
    wholeNumber(1, 100),
    '5',
    'Number of consecutive failed transactions that pauses a subject until an operator resumes it.',
  ),

  CURATOR_THRESHOLD_SATS: withDefault(
    'keeper.curator.thresholdSats',
    PositiveBigInt,
    '100000',
    'Minimum deployment of a vault’s idle funds, in sats.',
  ),
  CURATOR_COST_FACTOR: withDefault(
    'keeper.curator.costFactor',
    PositiveBigInt,
    '50',
    'Minimum ratio of the value of idle funds to the cost of their deployment.',
  ),
  CURATOR_SETTLE_SECONDS: withDefault(
    'keeper.curator.settleSeconds',
    wholeNumber(0, DAY_SECONDS),
    '600',
    'Minimum idle time of funds before the keeper deploys them, by the chain’s clock.',
  ),
  CURATOR_MAX_SATS_PER_CALL: withDefault(
    'keeper.curator.maxSatsPerCall',
    PositiveBigInt,
    String(MAX_SATS),
    'Maximum of one deployment by the keeper, in sats.',
  ),
  CURATOR_MAX_SATS_PER_DAY: withDefault(
    'keeper.curator.maxSatsPerDay',
    PositiveBigInt,
    String(MAX_SATS),
    'Maximum deployments of one vault per day by the keeper, in sats.',
  ),

  BATCH_CROWD_WAIT_SECONDS: withDefault(
    'keeper.batches.crowdWaitSeconds',
    wholeNumber(0, 30 * DAY_SECONDS),
    '3600',
    'Time that the keeper waits for a larger batch once the smallest full batch is possible, by the chain’s clock.',
  ),
  BATCH_PARTIAL_AFTER_SECONDS: optional(
    'keeper.batches.partialAfterSeconds',
    wholeNumber(0, 365 * DAY_SECONDS),
    'Age of the youngest deposit at which the keeper deploys all waiting deposits together, if there are at least two. Such a crowd is smaller.',
    'never',
  ),

  DAILY_CLOSES_URLS: secret(
    optional(
      null,
      SecretUrls,
      'Addresses of two price interfaces with daily closes of BTC, separated by a comma, independent of each other. Smart orders need both. Secret.',
      'none: smart orders are not executed',
    ),
  ),
  PURCHASE_MARGIN_PERCENT: withDefault(
    'keeper.purchases.marginPercent',
    PositiveBigInt,
    '20',
    'Minimum profit of an execution: its fee over its gas, in percent.',
  ),

  LEVERAGE_SAFETY_BPS: withDefault(
    'keeper.leverage.safetyBps',
    wholeNumber(1, 9_000),
    '500',
    'Distance of a vault’s loan-to-value below its lending pool’s limit, and fall of the price that an unwind survives, in hundredths of a percent.',
  ),
  LEVERAGE_HEALTH_FLOOR_BPS: withDefault(
    'keeper.leverage.healthFloorBps',
    wholeNumber(10_001, 100_000),
    '10500',
    'Health factor below which a vault is unwound; 10000 is liquidation.',
  ),
  LEVERAGE_MAX_SWAP_COST_BPS: withDefault(
    'keeper.leverage.maxSwapCostBps',
    wholeNumber(1, 2_000),
    '200',
    'Maximum loss of a round’s swap against its fair value.',
  ),
  LEVERAGE_MIN_ROUND_USDC: withDefault(
    'keeper.leverage.minRoundDebt',
    PositiveBigInt,
    '100000000',
    'Minimum size of a round up, in the smallest unit of USDC. Smaller rounds are not worth their gas.',
  ),
  LEVERAGE_MAX_ROUND_USDC: withDefault(
    'keeper.leverage.maxRoundDebt',
    PositiveBigInt,
    '100000000000',
    'Maximum swap of a round, in the smallest unit of USDC.',
  ),
  LEVERAGE_RATE_AGAINST_SECONDS: withDefault(
    'keeper.leverage.rateAgainstSeconds',
    wholeNumber(0, 30 * DAY_SECONDS),
    '86400',
    'Time with a borrow rate above the supply rate after which a vault is unwound.',
  ),
  LEVERAGE_REPAY_PER_DAY_USDC: optional(
    'keeper.leverage.repayPerDay',
    PositiveBigInt,
    'Maximum USDC per day that the treasury gives one vault to repay its debt if no collateral can be withdrawn, in the smallest unit.',
    'nothing: the operator repays',
  ),

  TREASURY_ACCOUNT: secret(
    optional(
      null,
      SigningAccount,
      'Account whose STRK funds the others: {"address", "privateKey"}. Secret. Requires `treasury`.',
      'none',
    ),
  ),
  TREASURY_FLOORS: optional(
    null,
    LaneFloors,
    'Balances at which accounts are funded, by role and in fri, as JSON: {"relay": {"floor": "…", "ceiling": "…"}}.',
    'none',
  ),
  TREASURY_MAX_PER_DAY_FRI: withDefault(
    'keeper.treasury.maxPerDayFri',
    PositiveBigInt,
    '1000000000000000000000',
    'Maximum transfers out of the treasury per day, in fri.',
  ),
  TREASURY_RESERVE_FRI: withDefault(
    'keeper.treasury.reserveFri',
    PositiveBigInt,
    '10000000000000000000',
    'Reserve of the treasury for the gas of its own transfers, in fri.',
  ),
  TREASURY_CONVERSIONS: optional(
    null,
    FeeConversions,
    'Fees that the treasury swaps into STRK, by token and in its smallest unit, as JSON: {"WBTC": {"reserve": "1000000", "least": "500000", "most": "5000000", "perDay": "20000000"}}. The amount above `reserve` is sold, between `least` and `most` at once and at most `perDay` within 24 hours, for at least its fair value less 1 %. The treasury must be FEE_ADDRESS.',
    'none: fees remain in their token',
  ),
} as const;
