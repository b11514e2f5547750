import { Address } from '@sotto/network-profile';
import { DEFAULT_SLIPPAGE_PPM } from '@sotto/market-core';
import { MAX_RECIPIENT_GAS_FRI } from '@sotto/relayer-core';
import { CHECKPOINTS } from '@sotto/submission-core';
import { LOG_LEVELS } from '@sotto/telemetry';
import {
  BearerToken,
  DatabaseUrl,
  Flag,
  NamedTokens,
  Origins,
  PositiveBigInt,
  SecretUrl,
  essential,
  formerly,
  optional,
  required,
  secret,
  wholeNumber,
  withDefault,
  type ValuesOf,
} from '@sotto/settings';
import { z } from 'zod';
import { KEEPER_VARIABLES } from './keeper-variables.js';
import {
  AcceptedLedger,
  Addresses,
  DefaultToken,
  NodeUrl,
  NodeUrls,
  PausedPools,
  Pem,
  PushUrls,
  SignerUrl,
  SigningAccount,
  SigningAccounts,
  Sponsors,
  WebhookEndpoints,
} from './values.js';

/** Longest timer of this service, in milliseconds. A 32-bit timer allows at most 24.8 days. */
const MAX_DAYS_MS = 2_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_PER_MINUTE = 100_000_000;
const PPM_PER_BPS = 100;

/**
 * Formats of the aggregator's quotes: the specification's format and AVNU's format. The two formats
 * differ in units and signs.
 */
const AGGREGATOR_PROTOCOLS = ['spec', 'avnu'] as const;

/** Formats of the bridge protocol: the format of Sotto's specification and 1Click's format. */
const BRIDGE_PROTOCOLS = ['spec', 'oneclick'] as const;

const MANY = 1_000_000;

/** Every variable of the service, in the sequence of the documentation. */
export const VARIABLES = {
  MODE: withDefault(
    'mode',
    z.enum(['production', 'development'], 'must be production or development'),
    'production',
    'Production refuses sample keys, plain-HTTP nodes, a missing fee address and crash points.',
  ),
  PORT: essential(
    withDefault(
      'http.port',
      wholeNumber(0, 65_535),
      '3000',
      'Port of the HTTP interface; 0 selects a free one.',
    ),
  ),
  HOST: essential(
    withDefault(
      'http.host',
      z.string().min(1).max(255),
      '127.0.0.1',
      'Address that the HTTP interface binds to.',
    ),
  ),
  TRUST_PROXY: essential(
    withDefault(
      'http.trustedProxies',
      wholeNumber(0, 10),
      '0',
      'Number of trusted proxies in front of the service; they name their caller.',
    ),
  ),
  LOG_LEVEL: withDefault(
    'logLevel',
    z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
    'info',
    `Least severe log line: ${LOG_LEVELS.join(', ')}.`,
  ),
  METRICS_PORT: essential(
    optional(
      null,
      wholeNumber(0, 65_535),
      'Port of `GET /metrics` for Prometheus, separate from the HTTP interface; 0 selects a free one.',
      'none: no metrics',
    ),
  ),
  METRICS_HOST: withDefault(
    null,
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the metrics bind to. It must not be public.',
  ),
  SHUTDOWN_GRACE_MS: withDefault(
    'http.shutdownGraceMs',
    wholeNumber(0, 10 * MINUTE_MS),
    '10000',
    'Time to answer waiting requests after SIGTERM.',
  ),

  CORS_ORIGINS: essential(
    optional(
      null,
      Origins,
      'Origins of the web pages that may read answers, separated by commas, such as `https://app.example` or `capacitor://localhost`; `*` for any. Routes with a token never answer pages.',
      'none',
    ),
  ),
  RATE_LIMIT_READS_PER_MINUTE: withDefault(
    'http.rateLimits.perMinute.reads',
    wholeNumber(1, MAX_PER_MINUTE),
    '3000',
    'Read requests per caller address and minute. Each instance counts separately, here and below: behind a balancer set each one to its share.',
  ),
  RATE_LIMIT_QUOTES_PER_MINUTE: withDefault(
    'http.rateLimits.perMinute.quotes',
    wholeNumber(1, MAX_PER_MINUTE),
    '120',
    'Quotes of fees and of bridge transfers, per caller address and minute.',
  ),
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: withDefault(
    'http.rateLimits.perMinute.submissions',
    wholeNumber(1, MAX_PER_MINUTE),
    '120',
    'Withdrawals (dry runs too), batches, swaps and vault deployments together, per caller address and minute.',
  ),

  NETWORK_PROFILE: essential(
    required(
      null,
      z.string('is required').min(1, 'is required'),
      'Path of the network profile, a JSON file with the contracts of the network; see docs/reference/network-profiles.md.',
    ),
  ),
  VERIFICATION_KEY_PATH: essential(
    optional(
      null,
      z.string().min(1),
      'Path of the verification key of the pools’ proofs, in snarkjs’ JSON format. It replaces the key of the network profile.',
      "the profile's; required if the profile has none",
    ),
  ),
  STARKNET_RPC_URLS: essential(
    formerly(
      'STARKNET_RPC_URL',
      NodeUrl,
      secret(
        required(
          null,
          NodeUrls,
          'JSON-RPC addresses of the Starknet nodes, one or several, separated by commas, each as `name=https://…` or alone. Reads use the best node and fail over; each send uses one node. Logs and metrics show the names; a node without a name is `node-0` and so on by its place. See docs/nodes.md. Secret, because they often carry an access key.',
        ),
      ),
    ),
  ),
  STARKNET_WS_URL: secret(
    optional(
      null,
      PushUrls,
      'WebSocket addresses of the nodes, separated by commas, each as `name=wss://…` with its name in STARKNET_RPC_URLS, or without names in the same order. Pushed changes only trigger an earlier poll; the service also polls by time. See docs/nodes.md. Secret.',
      'none: the service polls by time only',
    ),
  ),
  NODE_TIMEOUT_MS: withDefault(
    'node.readTimeoutMs',
    wholeNumber(100, 2 * MINUTE_MS),
    '10000',
    'Timeout of a read from the node.',
  ),
  HEAD_MAX_AGE_MS: optional(
    null,
    wholeNumber(0, DAY_MS),
    'Maximum age of the node’s newest block, and maximum time without a new block; beyond either the service is not ready. 0 for a chain without empty blocks.',
    '120000 in production, 0 in development',
  ),
  NODE_SEND_TIMEOUT_MS: withDefault(
    'node.sendTimeoutMs',
    wholeNumber(100, 2 * MINUTE_MS),
    '15000',
    'Timeout of the answer to a sent transaction.',
  ),
  STRICT_REFUSALS: withDefault(
    'engine.strict',
    Flag,
    'false',
    'Set to true if the node address fans out or retries. Then rejections by the node are ignored, and receipts decide.',
  ),

  RELAY_ACCOUNTS: essential(
    secret(
      required(
        null,
        SigningAccounts,
        'Accounts that sign and pay, one lane each: a JSON array of {"address", "privateKey"}, of {"address"} only, if a signer at SIGNER_URL has the keys. The same applies to every account below. Secret.',
      ),
    ),
  ),
  SIGNER_URL: essential(
    secret(
      optional(
        null,
        SignerUrl,
        'Address of the signer that has the keys of all accounts, see docs/signer.md: `unix:/run/sotto-signer/signer.sock`, or an https URL. Secret.',
        'none: this process has the keys',
      ),
    ),
  ),
  SIGNER_CLIENT_CERT: secret(
    optional(
      null,
      Pem,
      'Client certificate of this service for the signer, in PEM. Requires an https SIGNER_URL.',
      'none',
    ),
  ),
  SIGNER_CLIENT_KEY: secret(
    optional(null, Pem, 'Private key of SIGNER_CLIENT_CERT, in PEM. Secret.', 'none'),
  ),
  SIGNER_CA: secret(
    optional(
      null,
      Pem,
      'Certificate of the authority that issued the signer’s certificate, in PEM. No other authority is trusted.',
      'none',
    ),
  ),
  SWAP_OWNER_ACCOUNT: essential(
    secret(
      optional(
        null,
        SigningAccount,
        'Owner of the swap pool, the only account that may swap privately: {"address", "privateKey"}. Secret. Requires AGGREGATOR_URL.',
        'none: no private swaps',
      ),
    ),
  ),
  CURATOR_ACCOUNT: essential(
    secret(
      optional(
        null,
        SigningAccount,
        'Curator of the vaults, the only account that may deploy their idle funds: {"address", "privateKey"}. Secret.',
        'none: no vault deployments',
      ),
    ),
  ),
  CURATOR_API_TOKENS: essential(
    formerly(
      'CURATOR_API_TOKEN',
      DefaultToken,
      secret(
        optional(
          null,
          NamedTokens,
          'Bearer tokens of callers that may deploy idle funds, by name: {"name": "token"}. Several tokens allow a change without downtime. Secret. Requires CURATOR_ACCOUNT. In production at least 32 characters each.',
          'none: no vault deployments',
        ),
      ),
    ),
  ),
  SPONSORS: secret(
    optional(
      null,
      Sponsors,
      'Sponsors who pay the gas of private actions for the users of their wallets, by name: {"name": {"key", "budgetPerDayFri", "budgetPerNetworkFri"}}. A request contains the key in `x-paymaster-api-key`. The budget is counted per day (UTC), over all instances. `budgetPerNetworkFri` is the part of it that one /24 or /48 network may use at one instance; by default a quarter. Secret. Requires a privacy pool in the profile.',
      'none: users pay the fee in their actions',
    ),
  ),
  FEE_ADDRESS: essential(
    optional(
      null,
      Address,
      'Address that proofs must name as relayer; it receives the fees. Default in development: the first relay account.',
      'required in production',
    ),
  ),

  DATABASE_PATH: essential(
    optional(
      null,
      z.string().min(1),
      'SQLite file of the ledger, for a single instance and the keepers on its machine. It is created if missing. Excludes DATABASE_URL.',
      '`sotto.sqlite`, without DATABASE_URL',
    ),
  ),
  DATABASE_URL: essential(
    secret(
      optional(
        null,
        DatabaseUrl,
        'PostgreSQL database of the ledger, for any number of instances: postgres://user:password@host:5432/database. Add `?sslmode=verify-full` on a network that is not yours. Each connection must be its own session: a proxy must not pool transactions. Secret. Excludes DATABASE_PATH.',
        'none: a SQLite file',
      ),
    ),
  ),
  DATABASE_POOL_SIZE: withDefault(
    null,
    wholeNumber(1, 100),
    '10',
    'Maximum connections of this instance to PostgreSQL, plus one for hints between instances.',
  ),
  INSTANCE_ID: essential(
    optional(
      null,
      z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
      'Name of this instance in leases of lanes and tasks. It must be unique. Keep it over restarts: then a new process continues at once after a killed one.',
      'a new name for each process, derived from the host’s name',
    ),
  ),
  RETENTION_MS: withDefault(
    'engine.retentionMs',
    wholeNumber(0, MAX_DAYS_MS),
    '86400000',
    'Calldata and signed bytes are erased this long after the end of a withdrawal.',
  ),
  ARCHIVE_PATH: optional(
    'retention.archivePath',
    z.string().min(1),
    'Folder for nonces and transactions of ended submissions older than ENDED_RETENTION_MS, as JSON lines. A file is on disk before its rows are deleted. Submissions stay in the store, so a repeated request always gets the same answer.',
    'none: they stay in the store',
  ),
  ENDED_RETENTION_MS: withDefault(
    'retention.endedMs',
    wholeNumber(7 * DAY_MS, 3_660 * DAY_MS),
    '7776000000',
    'Rows of ended submissions are archived this long after their end. Requires ARCHIVE_PATH.',
  ),

  WAIT_FOR_CONFIRMATION_MS: withDefault(
    'relay.waitForConfirmationMs',
    wholeNumber(0, 10 * MINUTE_MS),
    '30000',
    'Time that a request waits for its outcome; then the answer is UNKNOWN.',
  ),
  ANSWER_AT: withDefault(
    'engine.answerAt',
    z.enum(['preconfirmed', 'accepted_on_l2'], 'must be preconfirmed or accepted_on_l2'),
    'preconfirmed',
    'Finality at which a request is answered: preconfirmed or accepted_on_l2.',
  ),
  MAX_IN_FLIGHT_PER_LANE: withDefault(
    'engine.maxInFlightPerLane',
    wholeNumber(1, 100),
    '16',
    'Maximum undecided transactions of one account. Its throughput is this number divided by the seconds until inclusion.',
  ),
  POLL_INTERVAL_MS: withDefault(
    'engine.pollIntervalMs',
    wholeNumber(50, MINUTE_MS),
    '1000',
    'Interval of polls while transactions are in flight.',
  ),
  IDLE_INTERVAL_MS: withDefault(
    'engine.idleIntervalMs',
    wholeNumber(50, HOUR_MS),
    '5000',
    'Interval of polls while no transaction is in flight.',
  ),
  LEASE_TTL_MS: withDefault(
    'engine.leaseTtlMs',
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'Lease of a lane: an unresponsive instance keeps the lane for this time.',
  ),
  RESEND_AFTER_MS: withDefault(
    'engine.resendAfterMs',
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'A transaction that no node has shown for this time is sent again. A transaction that no node accepted is sent again after 2 seconds.',
  ),
  QUEUE_TIMEOUT_MS: withDefault(
    'engine.queueTimeoutMs',
    wholeNumber(1_000, MAX_DAYS_MS),
    '120000',
    'A withdrawal without a lane expires after this time.',
  ),
  SUBMISSION_DEADLINE_MS: withDefault(
    'engine.deadlineMs',
    wholeNumber(10_000, MAX_DAYS_MS),
    '900000',
    'A withdrawal that is not included after this time is cancelled with its nonce.',
  ),
  L2_GAS_PRICE_CEILING_FRI: withDefault(
    'engine.ceilingL2PriceFri',
    PositiveBigInt,
    '100000000000',
    'Maximum price offered for one unit of L2 gas, in fri.',
  ),

  PRICE_MAX_AGE_MS: withDefault(
    'prices.maxAgeMs',
    wholeNumber(1_000, MAX_DAYS_MS),
    '3600000',
    'Maximum age of market prices. For fair values of swaps, the limit is a quarter of it, except for WBTC and stablecoins.',
  ),
  PRICE_MIN_PUBLISHERS: withDefault(
    'prices.minPublishers',
    wholeNumber(1, 100),
    '3',
    'Minimum number of publishers of an oracle price.',
  ),
  PRICE_MAX_DEVIATION_BPS: withDefault(
    'prices.maxDeviationBps',
    wholeNumber(1, 10_000),
    '200',
    'Maximum difference between two sources, in hundredths of a percent.',
  ),

  PRICE_API_URL: essential(
    secret(
      optional(
        'prices.apiUrl',
        SecretUrl,
        'Base address of the market-price interface, the second source in addition to the oracle. Without it no private swap has a fair value. Secret, because such addresses often contain an access key.',
        'none; required in production',
      ),
    ),
  ),
  EXCHANGE_PRICES_URL: essential(
    secret(
      optional(
        'prices.exchangeUrl',
        SecretUrl,
        'Base address of an exchange’s public market data, such as `https://api.kraken.com`, as the third source of market prices. Then two agreeing sources are enough, and a wrong one is outvoted. Secret, because such addresses may contain an access key.',
        'none',
      ),
    ),
  ),
  PRICE_QUORUM: optional(
    null,
    wholeNumber(1, 3),
    'Minimum number of sources with a fresh price; they must agree.',
    'all configured sources, at most 2',
  ),

  AGGREGATOR_URL: essential(
    secret(
      optional(
        null,
        SecretUrl,
        'Base address of the swap aggregator. Secret, because such addresses often contain an access key. Requires SWAP_OWNER_ACCOUNT.',
        'none: no private swaps',
      ),
    ),
  ),
  AGGREGATOR_PROTOCOL: withDefault(
    null,
    z.enum(AGGREGATOR_PROTOCOLS, `must be ${AGGREGATOR_PROTOCOLS.join(' or ')}`),
    'spec',
    'Protocol of the aggregator: spec (price impact in percent, above 0 for a loss) or avnu (in basis points, below 0 for a loss), see docs/operations/partner-data.md. The unit is never guessed from a number’s size.',
  ),
  MAX_PRICE_IMPACT_BPS: withDefault(
    null,
    wholeNumber(1, 5_000),
    '300',
    'Maximum loss of a private swap against its fair value by two independent prices, in hundredths of a percent.',
  ),
  MIN_SLIPPAGE_BPS: withDefault(
    null,
    wholeNumber(1, DEFAULT_SLIPPAGE_PPM / PPM_PER_BPS),
    '10',
    'Minimum slippage of a private swap, in hundredths of a percent. With less, the swap reverts at the relayer’s cost as soon as the price moves.',
  ),
  FEE_MARGIN_PERCENT: withDefault(
    'relay.feeMarginPercent',
    wholeNumber(0, 1_000).transform(BigInt),
    '20',
    'Margin of a recommended or quoted fee over its cost, in percent. The interface specifies 20. The API returns it as `marginPercent`.',
  ),
  RECIPIENT_GAS_MAX_FRI: optional(
    'relay.recipientGasMaxFri',
    z
      .string()
      .regex(/^\d{1,20}$/, 'must be a whole number')
      .transform(BigInt)
      .refine((fri) => fri <= MAX_RECIPIENT_GAS_FRI, 'must be at most 10 STRK'),
    'Most STRK that a withdrawal may give to its recipient, in fri; 0 gives none. The fee pays for it. At most 50 withdrawals per hour and instance give STRK.',
    '1000000000000000000 (1 STRK); 0 with SIGNER_URL, because the signer’s policy must permit it first',
  ),
  QUOTE_TTL_MS: withDefault(
    'relay.quoteTtlMs',
    wholeNumber(10_000, HOUR_MS),
    '120000',
    'Validity of a fee quote.',
  ),

  REWARDS_URL: essential(
    secret(
      optional(
        'staking.rewardsUrl',
        SecretUrl,
        'Base address of the lending protocol’s HTTP interface, the source of reward rates. Secret, because such addresses often contain an access key.',
        'none: reward rates are unknown; required in production if the profile has lending pools',
      ),
    ),
  ),

  BRIDGE_URL: essential(
    secret(
      optional(
        null,
        SecretUrl,
        'Base address of the bridge protocol. Secret, because such addresses often contain an access key.',
        'none: no bridge',
      ),
    ),
  ),
  BRIDGE_PROTOCOL: withDefault(
    null,
    z.enum(BRIDGE_PROTOCOLS, `must be ${BRIDGE_PROTOCOLS.join(' or ')}`),
    'spec',
    'Protocol of the bridge: spec (`/quote`, `/status`) or oneclick (`/v0/…`, NEAR Intents’ 1Click).',
  ),
  BRIDGE_API_TOKEN: secret(
    optional(
      null,
      BearerToken,
      'Bearer token for the bridge protocol. Secret. Requires BRIDGE_URL.',
      'none',
    ),
  ),

  // Variables for the comparison of the ledger with its chain, and for lanes that are being
  // retired.
  ACCEPT_EMPTY_LEDGER: essential(
    optional(
      null,
      AcceptedLedger,
      'For the first start in production: the operator’s confirmation that no transaction of these accounts is in flight, as `<chain id>:<account>:<nonce>`, separated by commas, one for each account. `npm run accept-ledger` prints it. It has no effect once a nonce on chain differs, so it may remain set. true and false are rejected.',
      'none in production: an empty ledger first fills every uncertain nonce with a no-op; development accepts automatically',
    ),
  ),
  RETIRING_ACCOUNTS: optional(
    null,
    Addresses,
    'Addresses, separated by commas, of accounts to retire: their transactions in flight are followed, and they get no new ones. They remain in RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT or CURATOR_ACCOUNT until they have no open nonces.',
    'none',
  ),
  PAUSE_ON_FOREIGN_TRANSACTION: withDefault(
    'engine.pauseOnForeign',
    Flag,
    'true',
    'If true, an account is stopped when the chain shows a transaction of it that this ledger did not send: another program has its key. An operator resumes it.',
  ),
  NONCE_WINDOW: withDefault(
    'engine.nonceWindow',
    wholeNumber(1, 1_000),
    '32',
    'Maximum distance of an assigned nonce above the account’s nonce on chain. It bounds the transactions in flight of a lost ledger. At least MAX_IN_FLIGHT_PER_LANE. It may be raised and must never be lowered.',
  ),
  POLL_TIMEOUT_MS: withDefault(
    'engine.lookTimeoutMs',
    wholeNumber(1_000, 10 * MINUTE_MS),
    '15000',
    'Timeout of a poll for one account. Other accounts do not wait for it.',
  ),
  MEMPOOL_LIFETIME_MS: withDefault(
    'engine.mempoolLifetimeMs',
    wholeNumber(1_000, DAY_MS),
    '300000',
    'Time that the network’s mempool keeps a transaction without including it. A ledger behind its chain waits this long before it fills the uncertain nonces.',
  ),
  ADOPT_BACK_MS: withDefault(
    'engine.adoptBackMs',
    wholeNumber(MINUTE_MS, MAX_DAYS_MS),
    '7200000',
    'Blocks that an empty ledger reads back to find transactions of a lost one. A restored copy reads from the last block that it knows.',
  ),
  GAS_LEARN_INTERVAL_MS: withDefault(
    'gas.learnIntervalMs',
    wholeNumber(100, DAY_MS),
    '10000',
    'Interval of reads of receipts of succeeded withdrawals and swaps. Fee estimates follow their gas.',
  ),
  AUDIT_INTERVAL_MS: withDefault(
    'audit.intervalMs',
    wholeNumber(0, DAY_MS),
    '30000',
    'Interval at which the auditor compares the ledger with the chain’s blocks; 0 disables it.',
  ),

  // Variables for limits of spending and load, and for the operator's controls.
  OPERATOR_API_TOKENS: essential(
    formerly(
      'OPERATOR_API_TOKEN',
      DefaultToken,
      secret(
        optional(
          null,
          NamedTokens,
          'Bearer tokens of the operator’s routes, by name: {"name": "token"}. Secret. In production at least 32 characters each.',
          'none: these routes are closed',
        ),
      ),
    ),
  ),
  CONSOLE: withDefault(
    'http.console',
    Flag,
    'false',
    'If true, the operator’s console is served at `/console/`. Sign in with a token of the operator’s routes. [More](../console.md).',
  ),
  WEBHOOK_ENDPOINTS: essential(
    secret(
      optional(
        null,
        WebhookEndpoints,
        'Receivers of signed webhooks, by the name that requests give in `Sotto-Notify`: {"shop": {"url": "https://…", "secrets": ["whsec_…"], "events": "submissions"}}; `events` is `submissions` or `alerts`. Secret. [How they work](../webhooks.md).',
        'none: no webhooks',
      ),
    ),
  ),
  WEBHOOK_ALLOW_PRIVATE: withDefault(
    'webhooks.allowPrivate',
    Flag,
    'false',
    'For development only: webhooks may use plain HTTP and addresses of this machine and its networks.',
  ),
  WEBHOOK_RESOLVE_AFTER_MS: withDefault(
    'webhooks.resolveAfterMs',
    wholeNumber(10_000, HOUR_MS),
    '60000',
    'Time without an alert before its webhook reports `resolved`. A shorter time sends more messages for an unstable alert.',
  ),
  PAUSED_POOLS: optional(
    null,
    PausedPools,
    'Paused pools by their key in the profile, each with a reason that the API publishes: {"sentinel_1x": "reason"}.',
    'none',
  ),
  PARTIAL_BATCHES: optional(
    null,
    z.enum(['anyone', 'aged', 'operator'], 'must be anyone, aged or operator'),
    'Callers that may deploy a partial batch. aged: any caller, but only all waiting deposits together, at least two, none younger than PARTIAL_BATCH_MIN_AGE_MS. operator: callers with a token of OPERATOR_API_TOKENS. anyone: any size at any time, so a stranger can make a crowd of one. With aged and operator, a full batch leaves either no deposit or enough for another full batch.',
    'aged in production, anyone in development',
  ),
  PARTIAL_BATCH_MIN_AGE_MS: withDefault(
    'guards.partialBatches.minAgeMs',
    wholeNumber(0, 30 * 24 * HOUR_MS),
    '86400000',
    'Minimum age of the youngest deposit of a partial batch, by the chain’s clock. Requires PARTIAL_BATCHES=aged.',
  ),
  BREAKER_REVERTS: withDefault(
    'guards.limits.revertsInARow',
    wholeNumber(1, MANY),
    '5',
    'Number of consecutive reverts that pauses a pool. Reverts caused by users (note spent elsewhere, slippage) do not count.',
  ),
  BREAKER_LOSSES: withDefault(
    'guards.limits.lossesInARow',
    wholeNumber(1, MANY),
    '10',
    'Number of consecutive withdrawals with a loss of at least half of their cost that pauses a pool.',
  ),
  BREAKER_UPSTREAM_FAILURES: withDefault(
    'guards.limits.upstreamFailuresInARow',
    wholeNumber(1, MANY),
    '10',
    'Number of consecutive withdrawals with unreadable node or prices that pauses a pool.',
  ),
  BREAKER_PAUSE_MS: withDefault(
    'guards.limits.pauseMs',
    wholeNumber(1_000, HOUR_MS),
    '60000',
    'Length of a pause after reverts or losses. Then one trial withdrawal is admitted, and its outcome decides. A pause after upstream failures lasts 1, 2 and then 4 seconds.',
  ),
  GAS_BUDGET_PER_POOL_FRI: withDefault(
    'guards.limits.hourlyGasPerPoolFri',
    PositiveBigInt,
    '2000000000000000000000',
    'Maximum gas per hour of one pool, in fri: charged gas plus the expected gas of submissions in flight.',
  ),
  GAS_BUDGET_IN_ALL_FRI: withDefault(
    'guards.limits.hourlyGasInAllFri',
    PositiveBigInt,
    '5000000000000000000000',
    'The same for all transactions of the service.',
  ),
  DEPOSITS_PER_HOUR_PER_POOL: withDefault(
    'guards.deposits.perPool',
    wholeNumber(0, MANY),
    '24',
    'Maximum new deposits of one pool per hour; at most a quarter from one /24 or /48, and half from networks without another deposit. 0 allows none. Reverted deposits do not count. A pool accepts its last 30 roots: below 30, a new proof is valid for an hour.',
  ),
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: withDefault(
    'guards.deposits.perDepositor',
    wholeNumber(0, MANY),
    '6',
    'The same for one depositor, in all pools.',
  ),
  DEPOSITS_PER_HOUR_PER_NETWORK: withDefault(
    'guards.deposits.perNetwork',
    wholeNumber(0, MANY),
    '12',
    'The same for all callers of one network, in all pools. Each instance counts separately.',
  ),
  DEPOSIT_LEAF_RESERVE: withDefault(
    'guards.deposits.leafReserve',
    wholeNumber(0, 1_024),
    '24',
    'Leaves of a pool (of 1,024) that relayed deposits do not fill.',
  ),
  LOSS_BUDGET_PER_POOL_FRI: withDefault(
    'guards.limits.hourlyLossPerPoolFri',
    PositiveBigInt,
    '20000000000000000000',
    'Maximum gas per hour of reverts caused by users of one pool, in fri. Beyond it the operator is warned, and each caller may have one request of the pool in flight.',
  ),
  LOSS_BUDGET_CALLER_PERCENT: withDefault(
    'guards.limits.callerLossPercent',
    wholeNumber(1, 100),
    '25',
    'Part of it that one caller address may use; beyond it requests of this address for that pool are rejected. A /24 or /48 may use a quarter.',
  ),
  LOSS_BUDGET_CLOSES: withDefault(
    'guards.limits.lossBudgetCloses',
    Flag,
    'false',
    'If true, a pool accepts no withdrawals and no swaps once this budget is used up.',
  ),
  SWAP_REVERTS_PER_NOTE: withDefault(
    'guards.limits.swapRevertsPerNote',
    wholeNumber(1, MANY),
    '6',
    'Maximum reverts per day of one note’s swaps that the user or the market caused; then reverted proofs are not swapped again. The same number of different proofs of the note may revert per day. The note can be withdrawn at any time.',
  ),
  ADMISSION_QUEUE: withDefault(
    'guards.slots.waitingPerName',
    wholeNumber(0, 10_000),
    '64',
    'Maximum proofs of one pool that wait for verification; further ones are rejected.',
  ),
  MAX_WAITING_PER_ROLE: withDefault(
    'engine.maxWaitingPerRole',
    wholeNumber(1, 100_000),
    '200',
    'Maximum submissions that wait for an account of one role (relay, swap owner, curator); further ones are rejected before any work. Once half of the places are used, one /24 or /48 has at most a quarter, and at most the number that is left for others.',
  ),
  ATTENTION_AFTER_MS: withDefault(
    'engine.attentionAfterMs',
    wholeNumber(1_000, 24 * HOUR_MS),
    '300000',
    'Time after which an undecided nonce is reported to the operator. The default is the lifetime of the network’s mempool.',
  ),
  MAX_REQUESTS_IN_FLIGHT: withDefault(
    'http.inFlight.inAll',
    wholeNumber(1, 100_000),
    '1024',
    'Maximum withdrawals, batches, swaps and vault deployments in progress; further ones are rejected. A request counts from its complete body. The same number of bodies may be read at a time.',
  ),
  MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: withDefault(
    'http.inFlight.perClient',
    wholeNumber(1, 100_000),
    '128',
    'The same for one caller address.',
  ),
  MAX_CONNECTIONS: withDefault(
    'http.connections.inAll',
    wholeNumber(1, 1_000_000),
    '8192',
    'Maximum open connections; further ones are closed at once. A quarter of them may wait for submissions (`wait` and event streams), and an eighth of those of one address. Keep it some hundreds below the process’s limit of open files.',
  ),
  MAX_CONNECTIONS_PER_CLIENT: withDefault(
    'http.connections.perClient',
    wholeNumber(1, 1_000_000),
    '512',
    'The same for one address; ignored behind TRUST_PROXY, where all connections come from the proxy. A /24 or /56 may have four times and a /48 sixteen times an address’s connections, requests in flight and rates; this limit applies while more than half of the total is used. Then one /24 or /48 has at most a quarter of the connections, bodies and requests in flight while others need some. None ever has more than half.',
  ),
  MAX_QUOTES: withDefault(
    'relay.quotes.inAll',
    wholeNumber(1, 10_000_000),
    '20000',
    'Maximum unused fee quotes of this instance in the ledger; one /24 or /48 has at most half of them. Each one binds the relayer to its fee.',
  ),
  MAX_QUOTES_PER_CLIENT: withDefault(
    'relay.quotes.perClient',
    wholeNumber(1, 10_000_000),
    '300',
    'Maximum unused fee quotes of one caller address and this instance in the ledger.',
  ),
  SHARED_PORT: optional(
    null,
    wholeNumber(0, 65_535),
    'Port of a second listener for callers that share one address, such as those of an onion service; 0 selects a free one. Together they may use sixteen times an address’s limits, and at most half of each total. TRUST_PROXY is ignored there.',
    'none',
  ),
  SHARED_HOST: withDefault(
    null,
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the shared listener binds to.',
  ),
  SHUTDOWN_DRAIN_MS: withDefault(
    'http.shutdownDrainMs',
    wholeNumber(0, 10 * MINUTE_MS),
    '1000',
    'Time after SIGTERM in which `/health/ready` returns 503 and requests are still accepted, so that a balancer can drain first.',
  ),

  ...KEEPER_VARIABLES,

  OPERATOR_NAME: optional(
    'http.operatorName',
    z.string().trim().min(1).max(80),
    'Name of the person or company that runs the service. The page at `/` shows it.',
    'none: the page states that no name is published',
  ),
  WALLET_PAGE: optional(
    'http.walletPage',
    z.string().min(1).max(4_096),
    'Development only: folder of a built wallet page. It is served at `/wallet`.',
    'none',
  ),
  SOTTO_FAILPOINT: optional(
    'engine.crashAt',
    z.enum(CHECKPOINTS, `must be one of ${CHECKPOINTS.join(', ')}`),
    `Development only: the process kills itself at this checkpoint (${CHECKPOINTS.join(', ')}), for tests of recovery.`,
    'off',
  ),
  SOTTO_CRASH_AFTER: withDefault(
    'engine.crashAfter',
    wholeNumber(1, 1_000_000),
    '1',
    'Number of times that the process reaches this checkpoint before it kills itself.',
  ),
} as const;

/** Values of all variables, by name. */
export type Environment = ValuesOf<typeof VARIABLES>;
