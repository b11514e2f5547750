import type { VerificationKey } from '@sotto/groth16';
import type { Felt } from '@sotto/kernel';
import type { LogLevel } from '@sotto/telemetry';
import type { CHECKPOINTS, Environment } from './environment.js';
import type { NetworkProfile } from './network-profile.js';
import type { Secret } from './secret.js';

interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Proxies in front of the service that are trusted to name their caller. */
  readonly trustedProxies: number;
  readonly shutdownGraceMs: number;
}

interface NodeSettings {
  readonly url: Secret;
  readonly readTimeoutMs: number;
  readonly sendTimeoutMs: number;
}

interface RelayAccount {
  readonly address: Felt;
  readonly privateKey: Secret;
}

interface RelaySettings {
  readonly feeAddress: Felt;
  readonly accounts: readonly RelayAccount[];
  readonly waitForConfirmationMs: number;
}

interface EngineSettings {
  readonly instance: string;
  readonly answerAt: 'preconfirmed' | 'accepted_on_l2';
  readonly maxInFlightPerLane: number;
  readonly pollIntervalMs: number;
  readonly idleIntervalMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  readonly queueTimeoutMs: number;
  readonly deadlineMs: number;
  readonly ceilingL2PriceFri: bigint;
  readonly strict: boolean;
  readonly retentionMs: number;
  /** Development only: where the process kills itself. */
  readonly crashAt: (typeof CHECKPOINTS)[number] | null;
}

interface PriceSettings {
  readonly maxAgeMs: number;
  readonly minPublishers: number;
  readonly maxDeviationBps: number;
}

/** All that the service is told from outside, by the area that uses it. */
export interface Settings {
  readonly mode: 'production' | 'development';
  readonly logLevel: LogLevel;
  readonly http: HttpSettings;
  readonly node: NodeSettings;
  readonly network: NetworkProfile;
  /** What the pools' proofs are checked against. */
  readonly verificationKey: VerificationKey;
  readonly databasePath: string;
  readonly relay: RelaySettings;
  readonly engine: EngineSettings;
  readonly prices: PriceSettings;
}

/** Frozen settings from a parsed environment. */
export function settingsFrom(env: Environment, network: NetworkProfile, verificationKey: VerificationKey): Settings {
  return deepFreeze({
    mode: env.MODE,
    logLevel: env.LOG_LEVEL,
    http: { host: env.HOST, port: env.PORT, trustedProxies: env.TRUST_PROXY, shutdownGraceMs: env.SHUTDOWN_GRACE_MS },
    node: { url: env.STARKNET_RPC_URL, readTimeoutMs: env.NODE_TIMEOUT_MS, sendTimeoutMs: env.NODE_SEND_TIMEOUT_MS },
    network,
    verificationKey,
    databasePath: env.DATABASE_PATH,
    relay: {
      feeAddress: env.FEE_ADDRESS,
      accounts: env.RELAY_ACCOUNTS.map(({ address, privateKey }) => ({ address, privateKey })),
      waitForConfirmationMs: env.WAIT_FOR_CONFIRMATION_MS,
    },
    engine: {
      instance: env.INSTANCE_ID,
      answerAt: env.ANSWER_AT,
      maxInFlightPerLane: env.MAX_IN_FLIGHT_PER_LANE,
      pollIntervalMs: env.POLL_INTERVAL_MS,
      idleIntervalMs: env.IDLE_INTERVAL_MS,
      leaseTtlMs: env.LEASE_TTL_MS,
      resendAfterMs: env.RESEND_AFTER_MS,
      queueTimeoutMs: env.QUEUE_TIMEOUT_MS,
      deadlineMs: env.SUBMISSION_DEADLINE_MS,
      ceilingL2PriceFri: env.L2_GAS_PRICE_CEILING_FRI,
      strict: env.STRICT_REFUSALS,
      retentionMs: env.RETENTION_MS,
      crashAt: env.SOTTO_CRASH_AT ?? null,
    },
    prices: { maxAgeMs: env.PRICE_MAX_AGE_MS, minPublishers: env.PRICE_MIN_PUBLISHERS, maxDeviationBps: env.PRICE_MAX_DEVIATION_BPS },
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
