import { Address } from '@sotto/network-profile';
import { DEFAULT_SLIPPAGE_PPM } from '@sotto/market-core';
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
  WebhookEndpoints,
} from './values.js';

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

/** Forms of quotes: the specification's, and AVNU's. They differ in units and signs. */
const AGGREGATOR_PROTOCOLS = ['spec', 'avnu'] as const;

/** Shapes of the bridge protocol: the interface's own, and 1Click's. */
const BRIDGE_PROTOCOLS = ['spec', 'oneclick'] as const;

const MANY = 1_000_000;

/** Every variable of the service, in the order of its documentation. */
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
      'Port of the HTTP interface; 0 takes a free one.',
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
      'How many proxies in front of the service are trusted to name their caller.',
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
      'Port of `GET /metrics` for Prometheus, apart from the HTTP interface; 0 takes a free one.',
      'none: no metrics are served',
    ),
  ),
  METRICS_HOST: withDefault(
    null,
    z.string().min(1).max(255),
    '127.0.0.1',
    'Address that the metrics bind to; never one that the public reaches.',
  ),
  SHUTDOWN_GRACE_MS: withDefault(
    'http.shutdownGraceMs',
    wholeNumber(0, 10 * MINUTE_MS),
    '10000',
    'How long waiting requests may still be answered after SIGTERM.',
  ),

  CORS_ORIGINS: essential(
    optional(
      null,
      Origins,
      'Origins of the web pages that may read answers, separated by commas, such as `https://app.example` or `capacitor://localhost`; `*` for any. Never of routes that ask for a token.',
      'none',
    ),
  ),
  RATE_LIMIT_READS_PER_MINUTE: withDefault(
    'http.rateLimits.perMinute.reads',
    wholeNumber(1, MAX_PER_MINUTE),
    '3000',
    'Requests that read, per caller address and minute. Each instance counts for itself, here and below: behind a balancer give each its share.',
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
      'Path of the JSON file with what is deployed on the network; see docs/reference/network-profiles.md.',
    ),
  ),
  VERIFICATION_KEY_PATH: essential(
    optional(
      null,
      z.string().min(1),
      'Path of snarkjs’ JSON of the verification key that the pools’ proofs are checked against. Takes the place of the network profile’s.',
      "the profile's; required when that names none",
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
          'JSON-RPC addresses of the Starknet nodes, one or several, separated by commas, each as `name=https://…` or alone. Reads go to the best and fail over; a send goes to one of them. Logs and metrics have the names: without one, `node-0` and so on by its place. See docs/nodes.md. Secret, because they often carry an access key.',
        ),
      ),
    ),
  ),
  STARKNET_WS_URL: secret(
    optional(
      null,
      PushUrls,
      'WebSocket addresses of the nodes, separated by commas, each as `name=wss://…` with the name that it has in STARKNET_RPC_URLS, or alone in the order of that. Over them nodes push that something has changed, which only brings a look at the chain forward; they are looked at by time as well. See docs/nodes.md. Secret.',
      'none: the chain is looked at by time alone',
    ),
  ),
  NODE_TIMEOUT_MS: withDefault(
    'node.readTimeoutMs',
    wholeNumber(100, 2 * MINUTE_MS),
    '10000',
    'Longest wait for what is read from the node.',
  ),
  HEAD_MAX_AGE_MS: optional(
    null,
    wholeNumber(0, DAY_MS),
    'The service is not ready while the node’s newest block is older than this, or no newer one has come for so long; 0 for a chain that makes blocks only when there is something in them.',
    '120000 in production, 0 in development',
  ),
  NODE_SEND_TIMEOUT_MS: withDefault(
    'node.sendTimeoutMs',
    wholeNumber(100, 2 * MINUTE_MS),
    '15000',
    'Longest wait for the answer to a sent transaction.',
  ),
  STRICT_REFUSALS: withDefault(
    'engine.strict',
    Flag,
    'false',
    'Set to true when the node address fans out or retries: then no refusal is believed and only receipts decide.',
  ),

  RELAY_ACCOUNTS: essential(
    secret(
      required(
        null,
        SigningAccounts,
        'Accounts that sign and pay, one lane each: a JSON array of {"address", "privateKey"}, of {"address"} alone where a signer at SIGNER_URL holds the keys; so for every account below. Secret.',
      ),
    ),
  ),
  SIGNER_URL: essential(
    secret(
      optional(
        null,
        SignerUrl,
        'Where the signer listens that holds the keys of all accounts, see docs/signer.md: `unix:/run/sotto-signer/signer.sock`, or an https URL. Secret.',
        'none: the keys are in this process',
      ),
    ),
  ),
  SIGNER_CLIENT_CERT: secret(
    optional(
      null,
      Pem,
      'The certificate by which the signer knows this service, in PEM. Goes with an https SIGNER_URL.',
      'none',
    ),
  ),
  SIGNER_CLIENT_KEY: secret(
    optional(null, Pem, 'The key of SIGNER_CLIENT_CERT, in PEM. Secret.', 'none'),
  ),
  SIGNER_CA: secret(
    optional(
      null,
      Pem,
      'The certificate that the signer’s own is issued by, in PEM; no other authority is trusted.',
      'none',
    ),
  ),
  SWAP_OWNER_ACCOUNT: essential(
    secret(
      optional(
        null,
        SigningAccount,
        'The swap pool’s owner, who alone may swap privately: {"address", "privateKey"}. Secret. Goes with AGGREGATOR_URL.',
        'none: no private swaps',
      ),
    ),
  ),
  CURATOR_ACCOUNT: essential(
    secret(
      optional(
        null,
        SigningAccount,
        'The vaults’ curator, who alone may deploy their idle funds: {"address", "privateKey"}. Secret.',
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
          'Bearer tokens that let a caller deploy idle funds, by name, so that they can be changed one after the other: {"name": "token"}. Secret. Goes with CURATOR_ACCOUNT. In production 32 characters or more each.',
          'none: no vault deployments',
        ),
      ),
    ),
  ),
  FEE_ADDRESS: essential(
    optional(
      null,
      Address,
      "Address that proofs must name as relayer: where the fees go. Development takes the first relay account's.",
      'required in production',
    ),
  ),

  DATABASE_PATH: essential(
    optional(
      null,
      z.string().min(1),
      'SQLite file of the ledger, for a single instance and the keepers on its machine; made when it does not exist. Instead of DATABASE_URL.',
      '`sotto.sqlite`, without DATABASE_URL',
    ),
  ),
  DATABASE_URL: essential(
    secret(
      optional(
        null,
        DatabaseUrl,
        'PostgreSQL database of the ledger, for any number of instances: postgres://user:password@host:5432/database. Add `?sslmode=verify-full` where the way there is not your own. Connections must be sessions of their own: no proxy that pools transactions. Secret. Instead of DATABASE_PATH.',
        'none: a SQLite file',
      ),
    ),
  ),
  DATABASE_POOL_SIZE: withDefault(
    null,
    wholeNumber(1, 100),
    '10',
    'Connections of this instance to PostgreSQL at a time, besides one for hints between instances.',
  ),
  INSTANCE_ID: essential(
    optional(
      null,
      z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
      'Name under which lanes and tasks are leased, one of its own for each instance; keep it over restarts, so that a new process takes them at once where the one before was killed.',
      'a new one for each process, of the host’s name',
    ),
  ),
  RETENTION_MS: withDefault(
    'engine.retentionMs',
    wholeNumber(0, MAX_DAYS_MS),
    '86400000',
    'Calldata and signed bytes are wiped so long after a withdrawal ended.',
  ),
  ARCHIVE_PATH: optional(
    'retention.archivePath',
    z.string().min(1),
    'Folder to which nonces and transactions of ended submissions are moved after ENDED_RETENTION_MS, as files of JSON lines, each on disk before its rows are deleted. Submissions stay, so that every request gets the same answer for ever.',
    'none: they stay in the store',
  ),
  ENDED_RETENTION_MS: withDefault(
    'retention.endedMs',
    wholeNumber(7 * DAY_MS, 3_660 * DAY_MS),
    '7776000000',
    'They are moved so long after they ended, where ARCHIVE_PATH is set.',
  ),

  WAIT_FOR_CONFIRMATION_MS: withDefault(
    'relay.waitForConfirmationMs',
    wholeNumber(0, 10 * MINUTE_MS),
    '30000',
    'How long a request waits for its outcome before it is answered UNKNOWN.',
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
    'Undecided transactions of one account at a time: what it relays in a second is this divided by the seconds until a block has them.',
  ),
  POLL_INTERVAL_MS: withDefault(
    'engine.pollIntervalMs',
    wholeNumber(50, MINUTE_MS),
    '1000',
    'How often the chain is looked at while something is in flight.',
  ),
  IDLE_INTERVAL_MS: withDefault(
    'engine.idleIntervalMs',
    wholeNumber(50, HOUR_MS),
    '5000',
    'How often it is looked at while nothing is.',
  ),
  LEASE_TTL_MS: withDefault(
    'engine.leaseTtlMs',
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'How long a lane stays leased to an instance that no longer answers.',
  ),
  RESEND_AFTER_MS: withDefault(
    'engine.resendAfterMs',
    wholeNumber(1_000, HOUR_MS),
    '30000',
    'A transaction that the node has not shown for so long is sent again; one that no node accepted after 2 seconds.',
  ),
  QUEUE_TIMEOUT_MS: withDefault(
    'engine.queueTimeoutMs',
    wholeNumber(1_000, MAX_DAYS_MS),
    '120000',
    'A withdrawal that got no lane for so long ends as expired.',
  ),
  SUBMISSION_DEADLINE_MS: withDefault(
    'engine.deadlineMs',
    wholeNumber(10_000, MAX_DAYS_MS),
    '900000',
    'A withdrawal not included after so long is cancelled with its nonce.',
  ),
  L2_GAS_PRICE_CEILING_FRI: withDefault(
    'engine.ceilingL2PriceFri',
    PositiveBigInt,
    '100000000000',
    'Most that is ever offered for one unit of L2 gas, in fri.',
  ),

  PRICE_MAX_AGE_MS: withDefault(
    'prices.maxAgeMs',
    wholeNumber(1_000, MAX_DAYS_MS),
    '3600000',
    'Market prices older than this are not used; for fair values of swaps, those of other assets than WBTC and stablecoins older than a quarter of it.',
  ),
  PRICE_MIN_PUBLISHERS: withDefault(
    'prices.minPublishers',
    wholeNumber(1, 100),
    '3',
    'Publishers that must stand behind a price of the oracle.',
  ),
  PRICE_MAX_DEVIATION_BPS: withDefault(
    'prices.maxDeviationBps',
    wholeNumber(1, 10_000),
    '200',
    'How far two sources may differ, in hundredths of a percent.',
  ),

  PRICE_API_URL: essential(
    secret(
      optional(
        'prices.apiUrl',
        SecretUrl,
        'Base address of the market-price interface that is asked beside the oracle; without it no private swap has a fair value. Secret, because such addresses often carry an access key.',
        'none; required in production',
      ),
    ),
  ),
  EXCHANGE_PRICES_URL: essential(
    secret(
      optional(
        'prices.exchangeUrl',
        SecretUrl,
        'Base address of an exchange’s public market data, such as `https://api.kraken.com`, as the third source of market prices: two that agree are enough then, and one that is off is outvoted. Secret, because such addresses may carry an access key.',
        'none',
      ),
    ),
  ),
  PRICE_QUORUM: optional(
    null,
    wholeNumber(1, 3),
    'How many sources must have a fresh price, and agree.',
    'all that are configured, at most 2',
  ),

  AGGREGATOR_URL: essential(
    secret(
      optional(
        null,
        SecretUrl,
        'Base address of the swap aggregator. Secret, because such addresses often carry an access key. Goes with SWAP_OWNER_ACCOUNT.',
        'none: no private swaps',
      ),
    ),
  ),
  AGGREGATOR_PROTOCOL: withDefault(
    null,
    z.enum(AGGREGATOR_PROTOCOLS, `must be ${AGGREGATOR_PROTOCOLS.join(' or ')}`),
    'spec',
    'Protocol of the aggregator: spec (price impact in percent, above 0 for a loss) or avnu (in basis points, below 0 for a loss), as docs/operations/partner-data.md has it. No number is guessed from its size.',
  ),
  MAX_PRICE_IMPACT_BPS: withDefault(
    null,
    wholeNumber(1, 5_000),
    '300',
    'How far a private swap may fall short of its fair value by two independent prices, in hundredths of a percent.',
  ),
  MIN_SLIPPAGE_BPS: withDefault(
    null,
    wholeNumber(1, DEFAULT_SLIPPAGE_PPM / PPM_PER_BPS),
    '10',
    'Least slippage that a private swap may ask for, in hundredths of a percent: with less it reverts, at the relayer’s cost, as soon as the price moves.',
  ),
  FEE_MARGIN_PERCENT: withDefault(
    'relay.feeMarginPercent',
    wholeNumber(0, 1_000).transform(BigInt),
    '20',
    'What a recommended or quoted fee has on top of its cost, in percent. The interface says 20. The API returns it as `marginPercent`.',
  ),
  QUOTE_TTL_MS: withDefault(
    'relay.quoteTtlMs',
    wholeNumber(10_000, HOUR_MS),
    '120000',
    'How long a fee quote binds.',
  ),

  REWARDS_URL: essential(
    secret(
      optional(
        'staking.rewardsUrl',
        SecretUrl,
        'Base address of the lending protocol’s HTTP interface, which returns the reward programme’s rates. Secret, because such addresses often carry an access key.',
        'none: the rewards’ rate is not known; required in production when the profile has lending pools',
      ),
    ),
  ),

  BRIDGE_URL: essential(
    secret(
      optional(
        null,
        SecretUrl,
        'Base address of the bridge protocol. Secret, because such addresses often carry an access key.',
        'none: no bridge',
      ),
    ),
  ),
  BRIDGE_PROTOCOL: withDefault(
    null,
    z.enum(BRIDGE_PROTOCOLS, `must be ${BRIDGE_PROTOCOLS.join(' or ')}`),
    'spec',
    'What is spoken there: spec (`/quote`, `/status`) or oneclick (`/v0/…`, as NEAR Intents’ 1Click does).',
  ),
  BRIDGE_API_TOKEN: secret(
    optional(
      null,
      BearerToken,
      'Sent to the bridge protocol as bearer token. Secret. Goes with BRIDGE_URL.',
      'none',
    ),
  ),

  // How the ledger is held against its chain, and lanes that are being given up.
  ACCEPT_EMPTY_LEDGER: essential(
    optional(
      null,
      AcceptedLedger,
      'For the first start in production: the operator’s word that nothing of these accounts is in flight, as `<chain id>:<account>:<nonce>`, separated by commas, one for each account. `npm run accept-ledger` prints it. It says nothing as soon as one nonce on chain differs, so it may stay; true and false are refused.',
      'none in production: an empty ledger first takes every nonce in question with no-ops; development accepts by itself',
    ),
  ),
  RETIRING_ACCOUNTS: optional(
    null,
    Addresses,
    'Addresses, separated by commas, of accounts that are being given up: what they have in flight is followed and they get nothing new. They keep their place in RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT or CURATOR_ACCOUNT until they have no open nonces.',
    'none',
  ),
  PAUSE_ON_FOREIGN_TRANSACTION: withDefault(
    'engine.pauseOnForeign',
    Flag,
    'true',
    'Whether an account is stopped, until an operator resumes it, when the chain shows a transaction of it that this ledger did not send: something else has its key.',
  ),
  NONCE_WINDOW: withDefault(
    'engine.nonceWindow',
    wholeNumber(1, 1_000),
    '32',
    'No nonce is given away that is so far above the account’s on chain; a lost ledger can have no more in flight. At least MAX_IN_FLIGHT_PER_LANE. It may be raised and must never be lowered.',
  ),
  LOOK_TIMEOUT_MS: withDefault(
    'engine.lookTimeoutMs',
    wholeNumber(1_000, 10 * MINUTE_MS),
    '15000',
    'A look at the chain for one account that takes longer is given up. No other account waits for it.',
  ),
  MEMPOOL_LIFETIME_MS: withDefault(
    'engine.mempoolLifetimeMs',
    wholeNumber(1_000, DAY_MS),
    '300000',
    'How long the network’s mempool keeps a transaction that it does not include. A ledger that is behind its chain waits so long before it takes the nonces in question.',
  ),
  ADOPT_BACK_MS: withDefault(
    'engine.adoptBackMs',
    wholeNumber(MINUTE_MS, MAX_DAYS_MS),
    '7200000',
    'How far back the chain is read for what a lost ledger has sent, when the present one is empty. A restored copy reads from the last block that it knows.',
  ),
  GAS_LEARN_INTERVAL_MS: withDefault(
    'gas.learnIntervalMs',
    wholeNumber(100, DAY_MS),
    '10000',
    'How often receipts of succeeded withdrawals and swaps are read for what they used; fee estimates follow them.',
  ),
  AUDIT_INTERVAL_MS: withDefault(
    'audit.intervalMs',
    wholeNumber(0, DAY_MS),
    '30000',
    'How often the auditor compares the ledger with the blocks of the chain; 0 turns it off.',
  ),

  // What keeps the service from spending or doing too much, and the operator's hand on it.
  OPERATOR_API_TOKENS: essential(
    formerly(
      'OPERATOR_API_TOKEN',
      DefaultToken,
      secret(
        optional(
          null,
          NamedTokens,
          'Bearer tokens of the operator’s routes, by name: {"name": "token"}. Secret. In production 32 characters or more each.',
          'none: these routes are closed',
        ),
      ),
    ),
  ),
  CONSOLE: withDefault(
    'http.console',
    Flag,
    'false',
    'Whether the operator’s console is served at `/console/`. A token of the operator’s routes signs in to it. [What it shows](../console.md).',
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
    'For development only: webhooks may go by plain HTTP, and to addresses of this machine and its networks.',
  ),
  WEBHOOK_RESOLVE_AFTER_MS: withDefault(
    'webhooks.resolveAfterMs',
    wholeNumber(10_000, HOUR_MS),
    '60000',
    'How long an alert has to be gone before a webhook says `resolved`. A shorter time makes more messages of what comes and goes.',
  ),
  PAUSED_POOLS: optional(
    null,
    PausedPools,
    'Pools in which nothing begins, by their key in the profile, each with a reason that the API publishes: {"sentinel_1x": "reason"}.',
    'none',
  ),
  PARTIAL_BATCHES: optional(
    null,
    z.enum(['anyone', 'aged', 'operator'], 'must be anyone, aged or operator'),
    'Callers that may have a batch of any size deployed. aged: any caller, but only all deposits that wait at once, at least two, and none younger than PARTIAL_BATCH_MIN_AGE_MS. operator: only a caller with a token of OPERATOR_API_TOKENS. anyone: any size at any time, which lets a stranger make a crowd of one. With aged and operator, a full batch leaves no deposit behind, or enough for another full batch.',
    'aged in production, anyone in development',
  ),
  PARTIAL_BATCH_MIN_AGE_MS: withDefault(
    'guards.partialBatches.minAgeMs',
    wholeNumber(0, 30 * 24 * HOUR_MS),
    '86400000',
    'How long the youngest deposit of a partial batch must have waited, by the chain’s clock, where PARTIAL_BATCHES is aged.',
  ),
  BREAKER_REVERTS: withDefault(
    'guards.limits.revertsInARow',
    wholeNumber(1, MANY),
    '5',
    'So many reverted transactions of a pool in a row pause it. Those that their users brought about (spent elsewhere, slippage) are not counted.',
  ),
  BREAKER_LOSSES: withDefault(
    'guards.limits.lossesInARow',
    wholeNumber(1, MANY),
    '10',
    'So many withdrawals from a pool in a row that lost at least half of their cost pause it.',
  ),
  BREAKER_UPSTREAM_FAILURES: withDefault(
    'guards.limits.upstreamFailuresInARow',
    wholeNumber(1, MANY),
    '10',
    'So many withdrawals from a pool in a row for which node or prices could not be read pause it.',
  ),
  BREAKER_PAUSE_MS: withDefault(
    'guards.limits.pauseMs',
    wholeNumber(1_000, HOUR_MS),
    '60000',
    'Length of a pause after reverts or losses. Afterwards one withdrawal is admitted on trial, and its outcome decides. A pause after upstream failures lasts 1, 2 and then 4 seconds.',
  ),
  GAS_BUDGET_PER_POOL_FRI: withDefault(
    'guards.limits.hourlyGasPerPoolFri',
    PositiveBigInt,
    '2000000000000000000000',
    'Most gas per hour that one pool may cost, in fri: what was charged, and what submissions on their way are expected to cost.',
  ),
  GAS_BUDGET_IN_ALL_FRI: withDefault(
    'guards.limits.hourlyGasInAllFri',
    PositiveBigInt,
    '5000000000000000000000',
    'The same for all that the service sends.',
  ),
  DEPOSITS_PER_HOUR_PER_POOL: withDefault(
    'guards.deposits.perPool',
    wholeNumber(0, MANY),
    '24',
    'Deposits that begin in one pool within an hour, a quarter of them from one /24 or /48, and half of them from networks without another one; 0 allows none. Reverted ones are not counted. A pool accepts its last 30 roots: below that, a proof that is made now holds for an hour.',
  ),
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: withDefault(
    'guards.deposits.perDepositor',
    wholeNumber(0, MANY),
    '6',
    'The same of one depositor, in all pools.',
  ),
  DEPOSITS_PER_HOUR_PER_NETWORK: withDefault(
    'guards.deposits.perNetwork',
    wholeNumber(0, MANY),
    '12',
    'The same of all callers in one network, in all pools, for each instance of the service by itself.',
  ),
  DEPOSIT_LEAF_RESERVE: withDefault(
    'guards.deposits.leafReserve',
    wholeNumber(0, 1_024),
    '24',
    'So many of a pool’s 1,024 leaves are not filled by deposits that are relayed.',
  ),
  LOSS_BUDGET_PER_POOL_FRI: withDefault(
    'guards.limits.hourlyLossPerPoolFri',
    PositiveBigInt,
    '20000000000000000000',
    'Gas per hour, in fri, that reverts may cost a pool which users brought about. Beyond it the operator is warned, and each caller has one request of the pool on its way at a time.',
  ),
  LOSS_BUDGET_CALLER_PERCENT: withDefault(
    'guards.limits.callerLossPercent',
    wholeNumber(1, 100),
    '25',
    'The part of it that one caller address may use up; then nothing more of that pool is taken from it, and from no other. A /24 or /48 may use up a quarter.',
  ),
  LOSS_BUDGET_CLOSES: withDefault(
    'guards.limits.lossBudgetCloses',
    Flag,
    'false',
    'Whether a pool takes no withdrawal and no swap at all once this budget is used up.',
  ),
  SWAP_REVERTS_PER_NOTE: withDefault(
    'guards.limits.swapRevertsPerNote',
    wholeNumber(1, MANY),
    '6',
    'Most reverts of one note’s swaps within a day, by its user’s or the market’s doing; then no proof that has reverted is swapped again. As many different proofs of the note may revert within a day. It can be withdrawn at any time.',
  ),
  ADMISSION_QUEUE: withDefault(
    'guards.slots.waitingPerName',
    wholeNumber(0, 10_000),
    '64',
    'Proofs of one pool that may wait to be checked; more are turned away.',
  ),
  MAX_WAITING_PER_ROLE: withDefault(
    'engine.maxWaitingPerRole',
    wholeNumber(1, 100_000),
    '200',
    'Submissions that may wait for an account of one role (relay, swap owner, curator); more are turned away before any work. Once half of them wait, withdrawals and swaps of one /24 or /48 have a quarter at most, and no more than are left for others.',
  ),
  ATTENTION_AFTER_MS: withDefault(
    'engine.attentionAfterMs',
    wholeNumber(1_000, 24 * HOUR_MS),
    '300000',
    'A nonce that is undecided for so long is shown to the operator. The default is the lifetime of the network’s mempool.',
  ),
  MAX_REQUESTS_IN_FLIGHT: withDefault(
    'http.inFlight.inAll',
    wholeNumber(1, 100_000),
    '1024',
    'Withdrawals, batches, swaps and vault deployments that are answered or wait for their outcome at a time; more are turned away. They count from the moment in which their bodies are there, and as many bodies are read at a time.',
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
    'Connections that are open at a time; more are closed at once. Keep it some hundreds below the process’s limit of open files.',
  ),
  MAX_CONNECTIONS_PER_CLIENT: withDefault(
    'http.connections.perClient',
    wholeNumber(1, 1_000_000),
    '512',
    'The same for one address; not asked behind TRUST_PROXY, where all connections are the proxy’s. Of this, of requests in flight and of rates, a /24 or /56 may have four times and a /48 sixteen times as much, which counts only while more than half of all is taken. Of connections, bodies and requests in flight no /24 or /48 then has more than a quarter while others want some, and none ever has more than half.',
  ),
  MAX_QUOTES: withDefault(
    'relay.quotes.inAll',
    wholeNumber(1, 10_000_000),
    '20000',
    'Unused fee quotes of this instance in the ledger; no more are given, and at most half of them to one /24 or /48. Each one binds the relayer to its fee.',
  ),
  MAX_QUOTES_PER_CLIENT: withDefault(
    'relay.quotes.perClient',
    wholeNumber(1, 10_000_000),
    '300',
    'Fee quotes that stand in the ledger without having been used, of one caller address and this instance; more are not given.',
  ),
  SHARED_PORT: optional(
    null,
    wholeNumber(0, 65_535),
    'Port of a second listener for callers who all share one address, such as those of an onion service; 0 takes a free one. Together they may have sixteen times as much as an address, and at most half of what may be at a time; whom TRUST_PROXY names is not asked there.',
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
    'How long `/health/ready` says 503 after SIGTERM while requests are still taken, so that a balancer can turn away first.',
  ),

  ...KEEPER_VARIABLES,

  WALLET_PAGE: optional(
    'http.walletPage',
    z.string().min(1).max(4_096),
    'Development only: folder of a built wallet page, which is served at `/wallet` with all of its files.',
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
    'How many times the process reaches that checkpoint until it does.',
  ),
} as const;

/** The values of all variables, by their names. */
export type Environment = ValuesOf<typeof VARIABLES>;
