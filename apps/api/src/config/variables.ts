import { Address } from '@sotto/network-profile';
import { DEFAULT_SLIPPAGE_PPM } from '@sotto/relayer-core';
import { CHECKPOINTS } from '@sotto/submission-core';
import { LOG_LEVELS } from '@sotto/telemetry';
import { z } from 'zod';
import {
  BearerToken,
  DatabaseUrl,
  NamedTokens,
  SecretUrl,
  SigningAccount,
  SigningAccounts,
} from './secret-values.js';
import { GUARD_SECRETS, GUARD_VARIABLES } from './guard-variables.js';
import { LEDGER_VARIABLES } from './ledger-variables.js';
import { optional, required, withDefault } from './variable.js';
import { Flag, Origins, PositiveBigInt, wholeNumber } from './values.js';

/**
 * Longest time that a timer of this service is set to, in milliseconds: 30 days fit into a 32-bit
 * timer only as 24.8.
 */
const MAX_DAYS_MS = 2_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_PER_MINUTE = 100_000_000;
const PPM_PER_BPS = 100;

/** A variable whose `*_FILE` twin may name a file that holds the value. */
export const SECRET_VARIABLES = [
  'STARKNET_RPC_URL',
  'RELAY_ACCOUNTS',
  'SWAP_OWNER_ACCOUNT',
  'CURATOR_ACCOUNT',
  'CURATOR_API_TOKEN',
  'CURATOR_API_TOKENS',
  'PRICE_API_URL',
  'AGGREGATOR_URL',
  'REWARDS_URL',
  'BRIDGE_URL',
  'BRIDGE_API_TOKEN',
  'DATABASE_URL',
  ...GUARD_SECRETS,
] as const;

/** Shapes of the bridge protocol: the interface's own, and 1Click's. */
const BRIDGE_PROTOCOLS = ['spec', 'oneclick'] as const;

/** Every variable, parsed by itself. */
export const VARIABLES = {
  MODE: withDefault(
    z.enum(['production', 'development'], 'must be production or development'),
    'production',
    'Production refuses sample keys, plain-HTTP nodes, a missing fee address and crash points.',
  ),
  PORT: withDefault(
    wholeNumber(0, 65_535),
    '3000',
    'Port of the HTTP interface; 0 takes a free one.',
  ),
  HOST: withDefault(
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the HTTP interface binds to.',
  ),
  TRUST_PROXY: withDefault(
    wholeNumber(0, 10),
    '0',
    'How many proxies in front of the service are trusted to name their caller.',
  ),
  LOG_LEVEL: withDefault(
    z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
    'info',
    `Least severe log line: ${LOG_LEVELS.join(', ')}.`,
  ),
  METRICS_PORT: optional(
    wholeNumber(0, 65_535),
    'Port of `GET /metrics` for Prometheus, apart from the HTTP interface; 0 takes a free one.',
    'none: no metrics are served',
  ),
  METRICS_HOST: withDefault(
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the metrics bind to; never one that the public reaches.',
  ),
  SHUTDOWN_GRACE_MS: withDefault(
    wholeNumber(0, 10 * MINUTE_MS),
    '10000',
    'How long waiting requests may still be answered after SIGTERM.',
  ),

  CORS_ORIGINS: optional(
    Origins,
    'Origins of the web pages that may read answers, separated by commas.',
    'none',
  ),
  RATE_LIMIT_READS_PER_MINUTE: withDefault(
    wholeNumber(1, MAX_PER_MINUTE),
    '3000',
    'Requests that read, per caller address and minute. Each instance counts for itself, here and below: behind a balancer give each its share.',
  ),
  RATE_LIMIT_QUOTES_PER_MINUTE: withDefault(
    wholeNumber(1, MAX_PER_MINUTE),
    '120',
    'Quotes of fees and of bridge transfers, per caller address and minute.',
  ),
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: withDefault(
    wholeNumber(1, MAX_PER_MINUTE),
    '120',
    'Withdrawals (dry runs too), batches, swaps and vault deployments together, per caller address and minute.',
  ),
  RATE_LIMIT_MAX_CLIENTS: withDefault(
    wholeNumber(1, 10_000_000),
    '50000',
    'Addresses that are counted at a time; beyond it, the oldest count is forgotten.',
  ),

  NETWORK_PROFILE: required(
    z.string('is required').min(1, 'is required'),
    'Path of the JSON file with what is deployed on the network; see docs/network-profiles.md.',
  ),
  VERIFICATION_KEY_PATH: optional(
    z.string().min(1),
    'Path of snarkjs’ JSON of the verification key that the pools’ proofs are checked against. Takes the place of the network profile’s.',
    "the profile's; required when that names none",
  ),
  STARKNET_RPC_URL: required(
    SecretUrl,
    'JSON-RPC address of the Starknet node. Secret, because it often carries an access key.',
  ),
  NODE_TIMEOUT_MS: withDefault(
    wholeNumber(100, 2 * MINUTE_MS),
    '10000',
    'Longest wait for what is read from the node.',
  ),
  NODE_SEND_TIMEOUT_MS: withDefault(
    wholeNumber(100, 2 * MINUTE_MS),
    '15000',
    'Longest wait for the answer to a sent transaction.',
  ),
  STRICT_REFUSALS: withDefault(
    Flag,
    'false',
    'Set to true when the node address fans out or retries: then no refusal is believed and only receipts decide.',
  ),

  RELAY_ACCOUNTS: required(
    SigningAccounts,
    'Accounts that sign and pay, one lane each: a JSON array of {"address", "privateKey"}. Secret.',
  ),
  SWAP_OWNER_ACCOUNT: optional(
    SigningAccount,
    'The swap pool’s owner, who alone may swap privately: {"address", "privateKey"}. Secret. Goes with AGGREGATOR_URL.',
    'none: no private swaps',
  ),
  CURATOR_ACCOUNT: optional(
    SigningAccount,
    'The vaults’ curator, who alone may deploy their idle funds: {"address", "privateKey"}. Secret.',
    'none: no vault deployments',
  ),
  CURATOR_API_TOKENS: optional(
    NamedTokens,
    'Bearer tokens that let a caller deploy idle funds, by name, so that they can be changed one after the other: {"name": "token"}. Secret. Goes with CURATOR_ACCOUNT. In production 32 characters or more each.',
    'none: no vault deployments',
  ),
  CURATOR_API_TOKEN: optional(
    BearerToken,
    'The same for a single token, which gets the name `default`. Secret.',
    'none: no vault deployments',
  ),
  FEE_ADDRESS: optional(
    Address,
    "Address that proofs must name as relayer: where the fees go. Development takes the first relay account's.",
    'required in production',
  ),

  DATABASE_PATH: optional(
    z.string().min(1),
    'SQLite file of the ledger, for a single instance; made when it does not exist. Instead of DATABASE_URL.',
    '`sotto.sqlite`, without DATABASE_URL',
  ),
  DATABASE_URL: optional(
    DatabaseUrl,
    'PostgreSQL database of the ledger, for any number of instances: postgres://user:password@host:5432/database. Add `?sslmode=verify-full` where the way there is not your own. Connections must be sessions of their own: no proxy that pools transactions. Secret. Instead of DATABASE_PATH.',
    'none: a SQLite file',
  ),
  DATABASE_POOL_SIZE: withDefault(
    wholeNumber(1, 100),
    '10',
    'Connections of this instance to PostgreSQL at a time, besides one for hints between instances.',
  ),
  INSTANCE_ID: optional(
    z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
    'Name under which lanes are leased, one of its own for each instance; keep it over restarts, so that a new process takes its lanes at once.',
    "the host's name",
  ),
  RETENTION_MS: withDefault(
    wholeNumber(0, MAX_DAYS_MS),
    '86400000',
    'Calldata and signed bytes are wiped so long after a withdrawal ended.',
  ),
  QUOTE_RETENTION_MS: withDefault(
    wholeNumber(0, 366 * DAY_MS),
    '86400000',
    'Quotes that a withdrawal used are forgotten so long after they expired: later than any is tried again. Others are forgotten with their expiry.',
  ),
  TRANSFER_RETENTION_MS: withDefault(
    wholeNumber(DAY_MS, 366 * DAY_MS),
    '7776000000',
    'Bridge transfers are forgotten so long after something was last seen of them.',
  ),

  WAIT_FOR_CONFIRMATION_MS: withDefault(
    wholeNumber(0, 10 * MINUTE_MS),
    '30000',
    'How long a request waits for its outcome before it is answered UNKNOWN.',
  ),
  ANSWER_AT: withDefault(
    z.enum(['preconfirmed', 'accepted_on_l2'], 'must be preconfirmed or accepted_on_l2'),
    'preconfirmed',
    'Finality at which a request is answered: preconfirmed or accepted_on_l2.',
  ),
  MAX_IN_FLIGHT_PER_LANE: withDefault(
    wholeNumber(1, 100),
    '4',
    'Undecided transactions of one account at a time.',
  ),
  POLL_INTERVAL_MS: withDefault(
    wholeNumber(50, MINUTE_MS),
    '1000',
    'How often the chain is looked at while something is in flight.',
  ),
  IDLE_INTERVAL_MS: withDefault(
    wholeNumber(50, HOUR_MS),
    '5000',
    'How often it is looked at while nothing is.',
  ),
  LEASE_TTL_MS: withDefault(
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'How long a lane stays leased to an instance that no longer answers.',
  ),
  RESEND_AFTER_MS: withDefault(
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'A transaction that the node has not shown for so long is sent again.',
  ),
  QUEUE_TIMEOUT_MS: withDefault(
    wholeNumber(1_000, MAX_DAYS_MS),
    '120000',
    'A withdrawal that got no lane for so long ends as expired.',
  ),
  SUBMISSION_DEADLINE_MS: withDefault(
    wholeNumber(10_000, MAX_DAYS_MS),
    '900000',
    'A withdrawal not included after so long is cancelled with its nonce.',
  ),
  L2_GAS_PRICE_CEILING_FRI: withDefault(
    PositiveBigInt,
    '100000000000',
    'Most that is ever offered for one unit of L2 gas, in fri.',
  ),

  PRICE_MAX_AGE_MS: withDefault(
    wholeNumber(1_000, MAX_DAYS_MS),
    '3600000',
    'Market prices older than this are not used.',
  ),
  PRICE_MIN_PUBLISHERS: withDefault(
    wholeNumber(1, 100),
    '3',
    'Publishers that must stand behind a price of the oracle.',
  ),
  PRICE_MAX_DEVIATION_BPS: withDefault(
    wholeNumber(1, 10_000),
    '200',
    'How far two sources may differ, in hundredths of a percent.',
  ),

  PRICE_API_URL: optional(
    SecretUrl,
    'Base address of the market-price interface that is asked beside the oracle; without it no private swap has a fair value. Secret, because such addresses often carry an access key.',
    'none; required in production',
  ),
  PRICE_QUORUM: optional(
    wholeNumber(1, 2),
    'How many sources must have a fresh price, and agree.',
    'all that are configured',
  ),

  AGGREGATOR_URL: optional(
    SecretUrl,
    'Base address of the swap aggregator. Secret, because such addresses often carry an access key. Goes with SWAP_OWNER_ACCOUNT.',
    'none: no private swaps',
  ),
  MAX_PRICE_IMPACT_BPS: withDefault(
    wholeNumber(1, 5_000),
    '300',
    'How far a private swap may fall short of its fair value by two independent prices, in hundredths of a percent.',
  ),
  MIN_SLIPPAGE_BPS: withDefault(
    wholeNumber(1, DEFAULT_SLIPPAGE_PPM / PPM_PER_BPS),
    '10',
    'Least slippage that a private swap may ask for, in hundredths of a percent: with less it reverts, at the relayer’s cost, as soon as the price moves.',
  ),
  FEE_MARGIN_PERCENT: withDefault(
    wholeNumber(0, 1_000),
    '20',
    'What a recommended or quoted fee has on top of its cost, in percent. The interface says 20. The API returns it as `marginPercent`.',
  ),
  QUOTE_TTL_MS: withDefault(wholeNumber(10_000, HOUR_MS), '120000', 'How long a fee quote binds.'),

  REWARDS_URL: optional(
    SecretUrl,
    'Base address of the lending protocol’s HTTP interface, which returns the reward programme’s rates. Secret, because such addresses often carry an access key.',
    'none: rewards count as 0; required in production when the profile has lending pools',
  ),
  STAKING_REFRESH_MS: withDefault(
    wholeNumber(1_000, HOUR_MS),
    '10000',
    'How often lending pools, price and rewards are read again.',
  ),
  STAKING_MAX_AGE_MS: withDefault(
    wholeNumber(1_000, MAX_DAYS_MS),
    '600000',
    'The API no longer returns lending pools as of a block older than this.',
  ),
  STAKING_PRICE_MAX_AGE_MS: withDefault(
    wholeNumber(1_000, MAX_DAYS_MS),
    '14400000',
    'The API returns no yields with a price older than this. The default is the lending protocol’s own limit.',
  ),
  STAKING_PRICE_MIN_PUBLISHERS: withDefault(
    wholeNumber(1, 100),
    '4',
    'Publishers that must stand behind the price of the yields. The default is the lending protocol’s own limit.',
  ),
  STAKING_REWARDS_MAX_AGE_MS: withDefault(
    wholeNumber(1_000, MAX_DAYS_MS),
    '86400000',
    'The API no longer returns a reward rate that was read longer ago than this.',
  ),

  BRIDGE_URL: optional(
    SecretUrl,
    'Base address of the bridge protocol. Secret, because such addresses often carry an access key.',
    'none: no bridge',
  ),
  BRIDGE_PROTOCOL: withDefault(
    z.enum(BRIDGE_PROTOCOLS, `must be ${BRIDGE_PROTOCOLS.join(' or ')}`),
    'spec',
    'What is spoken there: spec (`/quote`, `/status`) or oneclick (`/v0/…`, as NEAR Intents’ 1Click does).',
  ),
  BRIDGE_API_TOKEN: optional(
    BearerToken,
    'Sent to the bridge protocol as bearer token. Secret. Goes with BRIDGE_URL.',
    'none',
  ),

  ...LEDGER_VARIABLES,
  ...GUARD_VARIABLES,

  SOTTO_FAILPOINT: optional(
    z.enum(CHECKPOINTS, `must be one of ${CHECKPOINTS.join(', ')}`),
    `Development only: the process kills itself at this checkpoint (${CHECKPOINTS.join(', ')}), for tests of recovery.`,
    'off',
  ),
  SOTTO_CRASH_AFTER: withDefault(
    wholeNumber(1, 1_000_000),
    '1',
    'How many times the process reaches that checkpoint until it does.',
  ),
} as const;

/** One line of the configuration's documentation. */
export interface VariableDescription {
  readonly name: string;
  readonly description: string;
  /** The default, or what stands for one. */
  readonly fallback: string;
  readonly mayBeFile: boolean;
}

/** Every variable, in the order of the schema. */
export function describeVariables(): readonly VariableDescription[] {
  const Documented = z.object({ description: z.string(), fallback: z.string() });
  return Object.entries(VARIABLES).map(([name, schema]) => ({
    name,
    ...Documented.parse(schema.meta()),
    mayBeFile: SECRET_VARIABLES.some((secret) => secret === name),
  }));
}
