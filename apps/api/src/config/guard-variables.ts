import { z } from 'zod';
import { BearerToken, NamedTokens } from './secret-values.js';
import { Flag, PositiveBigInt, wholeNumber } from './values.js';
import { optional, withDefault } from './variable.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MANY = 1_000_000;

/** Reasons by pool, as JSON. */
const PausedPools = z.string().transform((text, context): ReadonlyMap<string, string> => {
  try {
    const reasons = z
      .record(z.string().min(1).max(40), z.string().min(1).max(200))
      .parse(JSON.parse(text));
    return new Map(Object.entries(reasons));
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'must be JSON: {"pool key": "reason"}, reasons of at most 200 characters',
    });
    return z.NEVER;
  }
});

/**
 * Variables of what keeps the service from spending or doing too much, and of the operator's hand
 * on it.
 */
export const GUARD_VARIABLES = {
  OPERATOR_API_TOKENS: optional(
    NamedTokens,
    'Bearer tokens of the operator’s routes, by name: {"name": "token"}. Secret. In production 32 characters or more each.',
    'none: these routes are closed',
  ),
  OPERATOR_API_TOKEN: optional(
    BearerToken,
    'The same for a single token, which gets the name `default`. Secret.',
    'none: these routes are closed',
  ),
  PAUSED_POOLS: optional(
    PausedPools,
    'Pools in which nothing begins, by their key in the profile, each with a reason that the API publishes: {"sentinel_1x": "reason"}.',
    'none',
  ),
  PARTIAL_BATCHES: optional(
    z.enum(['anyone', 'aged', 'operator'], 'must be anyone, aged or operator'),
    'Who may have a batch of any size deployed. aged: anybody, but only all deposits that wait at once, and only when none of them is younger than PARTIAL_BATCH_MIN_AGE_MS. operator: only with a token of OPERATOR_API_TOKENS. anyone: any size at any time, which lets a stranger make a crowd of one.',
    'aged in production, anyone in development',
  ),
  PARTIAL_BATCH_MIN_AGE_MS: withDefault(
    wholeNumber(0, 30 * 24 * HOUR_MS),
    '86400000',
    'How long the youngest deposit of a partial batch must have waited, by the chain’s clock, where PARTIAL_BATCHES is aged.',
  ),
  SMALL_BATCH_BELOW: withDefault(
    wholeNumber(0, 1_024),
    '3',
    'A dry run warns of a withdrawal whose batch has fewer deposits: so few hide it.',
  ),
  BREAKER_REVERTS: withDefault(
    wholeNumber(1, MANY),
    '5',
    'So many reverted transactions of a pool in a row pause it. Those that their users brought about (spent elsewhere, slippage) are not counted.',
  ),
  BREAKER_LOSSES: withDefault(
    wholeNumber(1, MANY),
    '10',
    'So many withdrawals from a pool in a row that cost more than they brought pause it.',
  ),
  BREAKER_UPSTREAM_FAILURES: withDefault(
    wholeNumber(1, MANY),
    '10',
    'So many withdrawals from a pool in a row for which node or prices could not be read pause it.',
  ),
  BREAKER_PAUSE_MS: withDefault(
    wholeNumber(1_000, HOUR_MS),
    '60000',
    'How long such a pause lasts; then one withdrawal is let through, and what becomes of it decides.',
  ),
  GAS_BUDGET_PER_POOL_FRI: withDefault(
    PositiveBigInt,
    '2000000000000000000000',
    'Most gas per hour that one pool may cost, in fri: what was charged, and what submissions on their way are expected to cost.',
  ),
  GAS_BUDGET_IN_ALL_FRI: withDefault(
    PositiveBigInt,
    '5000000000000000000000',
    'The same for all that the service sends.',
  ),
  DEPOSITS_PER_HOUR_PER_POOL: withDefault(
    wholeNumber(0, MANY),
    '24',
    'Deposits that begin in one pool within an hour; 0 allows none. A pool accepts its last 30 roots: below that, a proof that is made now holds for an hour.',
  ),
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: withDefault(
    wholeNumber(0, MANY),
    '6',
    'The same of one depositor, in all pools.',
  ),
  DEPOSITS_PER_HOUR_PER_NETWORK: withDefault(
    wholeNumber(0, MANY),
    '12',
    'The same of all callers in one network, in all pools, for each instance of the service by itself.',
  ),
  DEPOSIT_LEAF_RESERVE: withDefault(
    wholeNumber(0, 1_024),
    '24',
    'So many of a pool’s 1,024 leaves are not filled by deposits that are relayed.',
  ),
  LOSS_BUDGET_PER_POOL_FRI: withDefault(
    PositiveBigInt,
    '20000000000000000000',
    'Gas per hour, in fri, that reverts may cost a pool which users brought about. Beyond it the operator is warned, and each caller has one request of the pool on its way at a time.',
  ),
  LOSS_BUDGET_CALLER_PERCENT: withDefault(
    wholeNumber(1, 100),
    '25',
    'The part of it that one caller address may use up; then nothing more of that pool is taken from it, and from no other.',
  ),
  LOSS_BUDGET_CLOSES: withDefault(
    Flag,
    'false',
    'Whether a pool takes no withdrawal and no swap at all once this budget is used up.',
  ),
  SWAP_REVERTS_PER_NOTE: withDefault(
    wholeNumber(1, MANY),
    '6',
    'So many swaps of one note that reverted by its user’s or the market’s doing within a day; then it is not swapped for a day. It can be withdrawn.',
  ),
  ADMISSION_SLOTS: withDefault(
    wholeNumber(1, 1_000),
    '16',
    'Proofs that are checked at a time; one pool has at most three quarters of them where several are served.',
  ),
  ADMISSION_QUEUE: withDefault(
    wholeNumber(0, 10_000),
    '64',
    'Proofs of one pool that may wait to be checked; more are turned away.',
  ),
  MAX_WAITING_PER_ROLE: withDefault(
    wholeNumber(1, 100_000),
    '200',
    'Submissions that may wait for an account of one role (relay, swap owner, curator); more are turned away before any work.',
  ),
  ATTENTION_AFTER_MS: withDefault(
    wholeNumber(1_000, 24 * HOUR_MS),
    '300000',
    'A nonce that is undecided for so long is shown to the operator. The default is the lifetime of the network’s mempool.',
  ),
  MAX_REQUESTS_IN_FLIGHT: withDefault(
    wholeNumber(1, 100_000),
    '1024',
    'Withdrawals, batches, swaps and vault deployments that are answered or wait for their outcome at a time; more are turned away. They count from the moment in which their bodies are there, and as many bodies are read at a time.',
  ),
  MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: withDefault(
    wholeNumber(1, 100_000),
    '128',
    'The same for one caller address.',
  ),
  MAX_CONNECTIONS: withDefault(
    wholeNumber(1, 1_000_000),
    '8192',
    'Connections that are open at a time; more are closed at once. Keep it some hundreds below the process’s limit of open files.',
  ),
  MAX_CONNECTIONS_PER_CLIENT: withDefault(
    wholeNumber(1, 1_000_000),
    '512',
    'The same for one address; not asked behind TRUST_PROXY, where all connections are the proxy’s. Of this, of requests in flight and of rates, a /24 or /56 may have four times and a /48 sixteen times as much, which counts only while more than half of all is taken.',
  ),
  MAX_QUOTES: withDefault(
    wholeNumber(1, 10_000_000),
    '20000',
    'Fee quotes that stand in the ledger without having been used, of this instance; more are not given.',
  ),
  MAX_QUOTES_PER_CLIENT: withDefault(
    wholeNumber(1, 10_000_000),
    '300',
    'The same for one caller address.',
  ),
  SHARED_PORT: optional(
    wholeNumber(0, 65_535),
    'Port of a second listener for callers who all share one address, such as those of an onion service; 0 takes a free one. Together they may have sixteen times as much as an address, and at most half of what may be at a time; whom TRUST_PROXY names is not asked there.',
    'none',
  ),
  SHARED_HOST: withDefault(
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the shared listener binds to.',
  ),
  SHUTDOWN_DRAIN_MS: withDefault(
    wholeNumber(0, 10 * MINUTE_MS),
    '1000',
    'How long `/health/ready` says 503 after SIGTERM while requests are still taken, so that a balancer can turn away first.',
  ),
} as const;

/** Those whose `*_FILE` twin may name a file. */
export const GUARD_SECRETS = ['OPERATOR_API_TOKENS', 'OPERATOR_API_TOKEN'] as const;
