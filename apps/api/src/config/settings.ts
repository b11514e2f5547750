import type { VerificationKey } from '@sotto/groth16';
import type { Felt } from '@sotto/kernel';
import type { Failpoint, LedgerAcceptance } from '@sotto/submission-core';
import type { LogLevel } from '@sotto/telemetry';
import type { InFlightSettings } from '../http/middleware/in-flight.js';
import type { ShareLimits } from '@sotto/relayer-core';
import type { RateLimitSettings } from '../http/middleware/rate-limits.js';
import type { Environment } from './environment.js';
import {
  guardSettings,
  operatorSettings,
  type GuardSettings,
  type OperatorSettings,
} from './guard-settings.js';
import type { NetworkProfile } from '@sotto/network-profile';
import type { NamedToken } from './secret-values.js';
import type { Secret } from './secret.js';

interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Proxies in front of the service that are trusted to name their caller. */
  readonly trustedProxies: number;
  readonly shutdownGraceMs: number;
  /** How long the service reports that it is not ready while it still takes requests. */
  readonly shutdownDrainMs: number;
  readonly inFlight: InFlightSettings;
  readonly connections: ShareLimits;
  /** A second listener, whose callers all share one address; null for none. */
  readonly shared: { readonly host: string; readonly port: number } | null;
  /** Origins of the web pages that may read answers. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitSettings;
}

interface NodeSettings {
  readonly url: Secret;
  readonly readTimeoutMs: number;
  readonly sendTimeoutMs: number;
}

export interface SigningAccount {
  readonly address: Felt;
  readonly privateKey: Secret;
}

interface RelaySettings {
  readonly feeAddress: Felt;
  readonly accounts: readonly SigningAccount[];
  readonly waitForConfirmationMs: number;
  readonly quoteTtlMs: number;
  /** Of quotes that are given and not used. */
  readonly quotes: ShareLimits;
  readonly feeMarginPercent: bigint;
}

/** What private swaps need. */
export interface SwapSettings {
  readonly aggregatorUrl: Secret;
  /** Owner of the swap pool. */
  readonly owner: SigningAccount;
  /** How far a swap may fall short of its fair value, in hundredths of a percent. */
  readonly maxPriceImpactBps: number;
  /** Least tolerance, in hundredths of a percent. */
  readonly minSlippageBps: number;
}

interface EngineSettings {
  readonly instance: string;
  readonly answerAt: 'preconfirmed' | 'accepted_on_l2';
  readonly maxInFlightPerLane: number;
  readonly nonceWindow: number;
  readonly maxWaitingPerRole: number;
  readonly attentionAfterMs: number;
  readonly pollIntervalMs: number;
  readonly idleIntervalMs: number;
  readonly lookTimeoutMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  readonly queueTimeoutMs: number;
  readonly deadlineMs: number;
  readonly ceilingL2PriceFri: bigint;
  readonly strict: boolean;
  readonly mempoolLifetimeMs: number;
  readonly horizonMs: number;
  readonly adoptBackMs: number;
  readonly acceptance: LedgerAcceptance;
  readonly pauseOnForeign: boolean;
  readonly retentionMs: number;
  /** Development only: where the process kills itself. */
  readonly crashAt: Failpoint | null;
  /** When it gets there so many times. */
  readonly crashAfter: number;
}

interface PriceSettings {
  readonly maxAgeMs: number;
  readonly minPublishers: number;
  readonly maxDeviationBps: number;
  /** How many sources must count. */
  readonly quorum: number;
  /** Of the source beside the oracle; null without one. */
  readonly apiUrl: Secret | null;
}

/**
 * What vault deployments need. A caller needs a token to ask for one, and there is no token without
 * an account.
 */
interface CuratorSettings {
  readonly account: SigningAccount | null;
  readonly tokens: readonly NamedToken[];
}

interface StakingSettings {
  /** Null where there is no source of rewards. */
  readonly rewardsUrl: Secret | null;
  readonly refreshMs: number;
  readonly maxLendingAgeMs: number;
  readonly maxPriceAgeMs: number;
  readonly minPricePublishers: number;
  readonly maxRewardsAgeMs: number;
}

/** What bridge transfers need. */
export interface BridgeSettings {
  readonly url: Secret;
  readonly protocol: 'spec' | 'oneclick';
  readonly token: Secret | null;
}

const DEFAULT_FILE = 'sotto.sqlite';

/** Where everything durable is kept. */
export type StoreSettings =
  /** For one instance. */
  | { readonly kind: 'sqlite'; readonly path: string }
  /** For any number of them. */
  | { readonly kind: 'postgres'; readonly url: Secret; readonly poolSize: number };

/** How the ledger is compared with the chain while the service runs. */
interface AuditSettings {
  /** 0: not at all. */
  readonly intervalMs: number;
}

/** How long rows that are no longer needed are kept. */
interface RetentionSettings {
  /** Counted from a quote's expiry. */
  readonly quotesMs: number;
  /** Counted from the last change of a bridge transfer. */
  readonly transfersMs: number;
}

/** What the pools' proofs are checked against. */
export interface VerificationSettings {
  readonly key: VerificationKey;
  /**
   * Classes of verifiers that were generated from the key, as the key's file says; empty where it
   * says nothing.
   */
  readonly classHashes: readonly Felt[];
}

/** How what transactions use is learnt. */
interface GasSettings {
  readonly learnIntervalMs: number;
}

/** All settings from outside the service, by the area that uses them. */
export interface Settings {
  /** Variables that name a file of secrets which any user of the machine may read. */
  readonly exposedSecrets: readonly string[];
  readonly mode: 'production' | 'development';
  readonly logLevel: LogLevel;
  readonly http: HttpSettings;
  /** Where metrics are served; null for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly node: NodeSettings;
  readonly network: NetworkProfile;
  readonly verification: VerificationSettings;
  readonly store: StoreSettings;
  readonly relay: RelaySettings;
  /** Null when there are no private swaps. */
  readonly swap: SwapSettings | null;
  readonly curator: CuratorSettings;
  readonly guards: GuardSettings;
  readonly operator: OperatorSettings;
  readonly staking: StakingSettings;
  /** Null when there is no bridge. */
  readonly bridge: BridgeSettings | null;
  readonly engine: EngineSettings;
  /** Accounts that get nothing new. */
  readonly retiring: readonly Felt[];
  readonly audit: AuditSettings;
  readonly gas: GasSettings;
  readonly prices: PriceSettings;
  readonly retention: RetentionSettings;
}

/** What settings take from files besides the environment. */
export interface SettingsFiles extends Pick<Settings, 'verification' | 'exposedSecrets'> {
  readonly profile: NetworkProfile;
}

/** Frozen settings from a parsed environment. */
export function settingsFrom(
  env: Environment,
  { profile: network, verification, exposedSecrets }: SettingsFiles,
): Settings {
  return deepFreeze({
    exposedSecrets,
    mode: env.MODE,
    logLevel: env.LOG_LEVEL,
    http: {
      host: env.HOST,
      port: env.PORT,
      trustedProxies: env.TRUST_PROXY,
      shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
      shutdownDrainMs: env.SHUTDOWN_DRAIN_MS,
      inFlight: {
        inAll: env.MAX_REQUESTS_IN_FLIGHT,
        perClient: env.MAX_REQUESTS_IN_FLIGHT_PER_CLIENT,
      },
      connections: { inAll: env.MAX_CONNECTIONS, perClient: env.MAX_CONNECTIONS_PER_CLIENT },
      shared:
        env.SHARED_PORT === undefined ? null : { host: env.SHARED_HOST, port: env.SHARED_PORT },
      corsOrigins: env.CORS_ORIGINS ?? [],
      rateLimits: {
        perMinute: {
          reads: env.RATE_LIMIT_READS_PER_MINUTE,
          quotes: env.RATE_LIMIT_QUOTES_PER_MINUTE,
          submissions: env.RATE_LIMIT_SUBMISSIONS_PER_MINUTE,
        },
        maxClients: env.RATE_LIMIT_MAX_CLIENTS,
      },
    },
    metrics:
      env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    node: {
      url: env.STARKNET_RPC_URL,
      readTimeoutMs: env.NODE_TIMEOUT_MS,
      sendTimeoutMs: env.NODE_SEND_TIMEOUT_MS,
    },
    network,
    verification,
    store: storeSettings(env),
    relay: {
      feeAddress: env.FEE_ADDRESS,
      accounts: env.RELAY_ACCOUNTS.map(({ address, privateKey }) => ({ address, privateKey })),
      waitForConfirmationMs: env.WAIT_FOR_CONFIRMATION_MS,
      quoteTtlMs: env.QUOTE_TTL_MS,
      quotes: { inAll: env.MAX_QUOTES, perClient: env.MAX_QUOTES_PER_CLIENT },
      feeMarginPercent: BigInt(env.FEE_MARGIN_PERCENT),
    },
    swap: swapSettings(env),
    curator: curatorSettings(env),
    guards: guardSettings(env, network),
    operator: operatorSettings(env),
    staking: {
      rewardsUrl: env.REWARDS_URL ?? null,
      refreshMs: env.STAKING_REFRESH_MS,
      maxLendingAgeMs: env.STAKING_MAX_AGE_MS,
      maxPriceAgeMs: env.STAKING_PRICE_MAX_AGE_MS,
      minPricePublishers: env.STAKING_PRICE_MIN_PUBLISHERS,
      maxRewardsAgeMs: env.STAKING_REWARDS_MAX_AGE_MS,
    },
    bridge: bridgeSettings(env),
    engine: {
      instance: env.INSTANCE_ID,
      answerAt: env.ANSWER_AT,
      maxInFlightPerLane: env.MAX_IN_FLIGHT_PER_LANE,
      nonceWindow: env.NONCE_WINDOW,
      maxWaitingPerRole: env.MAX_WAITING_PER_ROLE,
      attentionAfterMs: env.ATTENTION_AFTER_MS,
      pollIntervalMs: env.POLL_INTERVAL_MS,
      idleIntervalMs: env.IDLE_INTERVAL_MS,
      lookTimeoutMs: env.LOOK_TIMEOUT_MS,
      leaseTtlMs: env.LEASE_TTL_MS,
      resendAfterMs: env.RESEND_AFTER_MS,
      queueTimeoutMs: env.QUEUE_TIMEOUT_MS,
      deadlineMs: env.SUBMISSION_DEADLINE_MS,
      ceilingL2PriceFri: env.L2_GAS_PRICE_CEILING_FRI,
      strict: env.STRICT_REFUSALS,
      mempoolLifetimeMs: env.MEMPOOL_LIFETIME_MS,
      horizonMs: env.FINALITY_HORIZON_MS,
      adoptBackMs: env.ADOPT_BACK_MS,
      // An empty ledger of a development chain is a new one.
      acceptance: env.ACCEPT_EMPTY_LEDGER ?? (env.MODE === 'development' ? 'always' : null),
      pauseOnForeign: env.PAUSE_ON_FOREIGN_TRANSACTION,
      retentionMs: env.RETENTION_MS,
      crashAt: env.SOTTO_FAILPOINT ?? null,
      crashAfter: env.SOTTO_CRASH_AFTER,
    },
    retiring: env.RETIRING_ACCOUNTS ?? [],
    audit: { intervalMs: env.AUDIT_INTERVAL_MS },
    gas: { learnIntervalMs: env.GAS_LEARN_INTERVAL_MS },
    prices: {
      maxAgeMs: env.PRICE_MAX_AGE_MS,
      minPublishers: env.PRICE_MIN_PUBLISHERS,
      maxDeviationBps: env.PRICE_MAX_DEVIATION_BPS,
      quorum: env.PRICE_QUORUM ?? (env.PRICE_API_URL === undefined ? 1 : 2),
      apiUrl: env.PRICE_API_URL ?? null,
    },
    retention: { quotesMs: env.QUOTE_RETENTION_MS, transfersMs: env.TRANSFER_RETENTION_MS },
  });
}

function storeSettings({
  DATABASE_URL: url,
  DATABASE_PATH: path = DEFAULT_FILE,
  DATABASE_POOL_SIZE: poolSize,
}: Environment): StoreSettings {
  return url === undefined ? { kind: 'sqlite', path } : { kind: 'postgres', url, poolSize };
}

function swapSettings({
  AGGREGATOR_URL: aggregatorUrl,
  SWAP_OWNER_ACCOUNT: account,
  MAX_PRICE_IMPACT_BPS: maxPriceImpactBps,
  MIN_SLIPPAGE_BPS: minSlippageBps,
}: Environment): SwapSettings | null {
  if (aggregatorUrl === undefined || account === undefined) return null;
  return {
    aggregatorUrl,
    owner: { address: account.address, privateKey: account.privateKey },
    maxPriceImpactBps,
    minSlippageBps,
  };
}

function curatorSettings({
  CURATOR_ACCOUNT: account,
  CURATOR_API_TOKEN: token,
  CURATOR_API_TOKENS: tokens,
}: Environment): CuratorSettings {
  return {
    account:
      account === undefined ? null : { address: account.address, privateKey: account.privateKey },
    tokens: tokens ?? (token === undefined ? [] : [{ name: 'default', token }]),
  };
}

function bridgeSettings({
  BRIDGE_URL: url,
  BRIDGE_PROTOCOL: protocol,
  BRIDGE_API_TOKEN: token,
}: Environment): BridgeSettings | null {
  return url === undefined ? null : { url, protocol, token: token ?? null };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
