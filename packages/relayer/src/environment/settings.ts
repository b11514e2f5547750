import { hostname } from 'node:os';
import type { VerificationKey } from '@sotto/groth16';
import type { TaskName } from '@sotto/facts';
import { unguessableId, type Felt } from '@sotto/kernel';
import { profilePools, type NetworkProfile } from '@sotto/network-profile';
import type { PartialBatchPolicy } from '@sotto/relayer-core';
import { deepFreeze, settingsOf, type Secret, type SettingsOf } from '@sotto/settings';
import type { LaneRole, LedgerAcceptance } from '@sotto/submission-core';
import { CONSTANTS } from './constants.js';
import { VARIABLES, type Environment } from './variables.js';
import { weakSettings } from './weak-settings.js';

export interface SigningAccount {
  readonly address: Felt;
  /** Private key of the account; null if a signer holds the key. */
  readonly privateKey: Secret | null;
}

/** Verification key of the pools' proofs. */
export interface VerificationSettings {
  readonly key: VerificationKey;
  /**
   * Class hashes of verifiers that were generated from the key, as listed in the key's file; empty
   * if the file lists none.
   */
  readonly classHashes: readonly Felt[];
}

/** Settings from files, in addition to the environment. */
export interface SettingsFiles {
  readonly profile: NetworkProfile;
  readonly verification: VerificationSettings;
  /** Variables that name a file of secrets that other users of the machine can read. */
  readonly exposedSecrets: readonly string[];
  /** Warnings about former names and former settings that this release still accepts. */
  readonly stale: readonly string[];
}

/** All settings of the service, grouped by the area that uses them. */
export type Settings = ReturnType<typeof settingsFrom>;
export type SwapSettings = NonNullable<Settings['swap']>;
export type BridgeSettings = NonNullable<Settings['bridge']>;
export type StoreSettings = Settings['store'];

/**
 * Creates frozen settings: each variable's value under its path, and values that are derived from
 * several variables or a file.
 */
export function settingsFrom(env: Environment, files: SettingsFiles) {
  const { profile: network, verification, exposedSecrets, stale } = files;
  const placed = settingsOf(VARIABLES, env);
  const { http, relay, guards, prices, engine } = placed;
  const accounts = env.RELAY_ACCOUNTS.map(signingAccount);
  const [firstAccount] = accounts;
  if (firstAccount === undefined)
    throw new Error('the schema let an empty list of accounts through');
  const swap = swapSettings(env);
  const curatorAccount = accountOrNull(env.CURATOR_ACCOUNT);
  const keeper = keeperSettings(env, placed.keeper);
  return deepFreeze({
    ...placed,
    exposedSecrets,
    stale,
    /** Sentences about settings that weaken a safety rule; see {@link weakSettings}. */
    weak: weakSettings(env, network),
    network,
    verification,
    node: {
      ...placed.node,
      endpoints: nodesOf(env),
      push: pushOf(env),
      maxHeadAgeMs: maxHeadAgeMs(env),
    },
    http: {
      ...http,
      rateLimits: { ...http.rateLimits, ...CONSTANTS.rateLimits },
      corsOrigins: env.CORS_ORIGINS ?? [],
      /**
       * Second listener, whose callers are all counted as one address; null if there is no such
       * listener.
       */
      shared: endpoint(env.SHARED_HOST, env.SHARED_PORT),
    },
    /** Endpoint of the metrics; null if metrics are not served. */
    metrics: endpoint(env.METRICS_HOST, env.METRICS_PORT),
    store: storeSettings(env),
    relay: {
      ...relay,
      feeAddress: env.FEE_ADDRESS ?? firstAccount.address,
      recipientGasMaxFri: recipientGasMaxFri(env),
      accounts,
      /** Account that simulates and signs quotes and other typed data. */
      firstAccount,
    },
    signer: signerSettings(env),
    swap,
    /** Aggregator of swaps; null if no aggregator is configured. */
    aggregator: aggregatorSettings(env),
    curator: {
      account: curatorAccount,
      tokens: env.CURATOR_API_TOKENS ?? [],
    },
    keeper,
    webhooks: { ...placed.webhooks, endpoints: env.WEBHOOK_ENDPOINTS ?? [] },
    operator: { tokens: env.OPERATOR_API_TOKENS ?? [] },
    sponsors: env.SPONSORS ?? [],
    bridge: bridgeSettings(env),
    staking: { ...placed.staking, ...CONSTANTS.staking },
    retention: { ...placed.retention, ...CONSTANTS.retention },
    guards: {
      ...guards,
      smallBatchBelow: CONSTANTS.guards.smallBatchBelow,
      slots: { ...guards.slots, ...slotsOf(network) },
      partialBatches: { ...guards.partialBatches, mode: partialBatchMode(env) },
      paused: pausedPools(env, network),
    },
    engine: {
      ...engine,
      horizonMs: CONSTANTS.engine.horizonMs,
      instance: env.INSTANCE_ID ?? nameOfProcess(),
      acceptance: acceptance(env),
      needsYoungHead: !network.blocksOnDemand,
      storeHasNoClock: storeSettings(env).kind === 'sqlite',
      /** Lane roles whose lanes this process does not lease, because other processes lease them. */
      leftToOthers: noRoles,
    },
    lanes: lanesOf(env),
    /** Accounts that are being retired and get no new calls. */
    retiring: env.RETIRING_ACCOUNTS ?? [],
    prices: {
      ...prices,
      /** Number of price sources that must agree. */
      quorum: env.PRICE_QUORUM ?? Math.min(2, priceSourcesOf(env)),
    },
  });
}

/** Returns the number of price sources: the oracle and the configured sources. */
export const priceSourcesOf = ({
  PRICE_API_URL,
  EXCHANGE_PRICES_URL,
}: Pick<Environment, 'PRICE_API_URL' | 'EXCHANGE_PRICES_URL'>): number =>
  1 + [PRICE_API_URL, EXCHANGE_PRICES_URL].filter((url) => url !== undefined).length;

/**
 * Returns a name that is unique to this process, so that two processes on one machine that share a
 * store never hold the same lane or task.
 */
function nameOfProcess(): string {
  return `${hostname()}#${process.pid}-${unguessableId().slice(0, 8)}`;
}

/** Default maximum of STRK for a recipient: 1 STRK. */
const RECIPIENT_GAS_MAX_FRI = 10n ** 18n;

/**
 * Returns the most STRK that a withdrawal may give to its recipient, in fri; 0 if it gives none.
 * The default with a remote signer is 0, because existing policies do not permit the transfer.
 */
const recipientGasMaxFri = ({
  RECIPIENT_GAS_MAX_FRI: maxFri,
  SIGNER_URL,
}: Pick<Environment, 'RECIPIENT_GAS_MAX_FRI' | 'SIGNER_URL'>): bigint =>
  maxFri ?? (SIGNER_URL === undefined ? RECIPIENT_GAS_MAX_FRI : 0n);

/** Variables from which {@link lanesOf} derives the signing accounts. */
export const ACCOUNT_VARIABLES = [
  'RELAY_ACCOUNTS',
  'AGGREGATOR_URL',
  'SWAP_OWNER_ACCOUNT',
  'MAX_PRICE_IMPACT_BPS',
  'MIN_SLIPPAGE_BPS',
  'CURATOR_ACCOUNT',
  'KEEPER_ACCOUNTS',
  'TREASURY_ACCOUNT',
] as const satisfies readonly (keyof Environment)[];
export type AccountVariables = Pick<Environment, (typeof ACCOUNT_VARIABLES)[number]>;

/** Returns every signing account with its role. */
export function lanesOf(env: AccountVariables): readonly (SigningAccount & { role: LaneRole })[] {
  const laneOf = (account: SigningAccount | undefined, role: LaneRole) =>
    account === undefined ? [] : [{ ...signingAccount(account), role }];
  return [
    ...env.RELAY_ACCOUNTS.flatMap((account) => laneOf(account, 'relay')),
    ...laneOf(swapSettings(env)?.owner, 'swap_owner'),
    ...laneOf(env.CURATOR_ACCOUNT, 'curator'),
    ...(env.KEEPER_ACCOUNTS ?? []).flatMap((account) => laneOf(account, 'keeper')),
    ...laneOf(env.TREASURY_ACCOUNT, 'treasury'),
  ];
}

/** Returns every node with its name, which logs and metrics use in place of the address. */
function nodesOf({ STARKNET_RPC_URLS: [first, ...others] }: Environment) {
  if (first === undefined) throw new Error('the schema let settings without a node through');
  return [first, ...others] as const;
}

type NodeVariables = Pick<Environment, 'STARKNET_RPC_URLS' | 'STARKNET_WS_URL'>;

/**
 * Returns the nodes that push messages, by the same names as for reads. Addresses that belong to no
 * node are omitted.
 */
export function pushOf({ STARKNET_WS_URL = [], ...env }: NodeVariables) {
  const names = env.STARKNET_RPC_URLS.map(({ name }) => name);
  return STARKNET_WS_URL.flatMap(({ name: given, url }, place) => {
    const name = given ?? names[place];
    return name !== undefined && names.includes(name) ? [{ name, url }] : [];
  });
}

const noRoles: readonly LaneRole[] = [];

const DEFAULT_FILE = 'sotto.sqlite';

/**
 * Returns the settings of the durable store: SQLite for one instance, PostgreSQL for any number of
 * instances.
 */
function storeSettings({
  DATABASE_URL: url,
  DATABASE_PATH: path = DEFAULT_FILE,
  DATABASE_POOL_SIZE: poolSize,
}: Environment) {
  return url === undefined
    ? ({ kind: 'sqlite', path } as const)
    : ({ kind: 'postgres', url, poolSize } as const);
}

/** Returns the signer that holds the keys of the accounts; null if this process holds them. */
function signerSettings(env: Environment) {
  const { SIGNER_URL: url } = env;
  const { SIGNER_CLIENT_CERT: cert, SIGNER_CLIENT_KEY: key, SIGNER_CA: ca } = env;
  if (url === undefined) return null;
  const isMutual = cert !== undefined && key !== undefined && ca !== undefined;
  return { url, tls: isMutual ? { cert, key, ca } : null, ...CONSTANTS.signer };
}

/** Returns the settings of private swaps; null if they are disabled. */
function swapSettings({
  AGGREGATOR_URL: url,
  SWAP_OWNER_ACCOUNT: owner,
  MAX_PRICE_IMPACT_BPS: maxPriceImpactBps,
  MIN_SLIPPAGE_BPS: minSlippageBps,
}: AccountVariables) {
  if (url === undefined || owner === undefined) return null;
  return { owner: signingAccount(owner), maxPriceImpactBps, minSlippageBps };
}

/**
 * Returns the settings of automatic tasks. The keeper's accounts are included even if all tasks are
 * off, because their earlier submissions must still be polled.
 */
function keeperSettings(env: Environment, placed: SettingsOf<typeof VARIABLES>['keeper']) {
  return {
    ...placed,
    tasks: env.KEEPER_TASKS ?? [],
    /** For each restricted task, the subjects that the task checks. */
    subjects: env.KEEPER_SUBJECTS ?? new Map<TaskName, readonly string[]>(),
    accounts: (env.KEEPER_ACCOUNTS ?? []).map(signingAccount),
    purchases: { ...placed.purchases, closesUrls: env.DAILY_CLOSES_URLS ?? [] },
    treasury: {
      ...placed.treasury,
      account: accountOrNull(env.TREASURY_ACCOUNT),
      levels: env.TREASURY_FLOORS ?? new Map(),
      /** Fees that are swapped into STRK. The key is the token's symbol. */
      conversions: env.TREASURY_CONVERSIONS ?? new Map(),
    },
  };
}

/** Returns address and protocol of the aggregator; null if no aggregator is configured. */
function aggregatorSettings({ AGGREGATOR_URL: url, AGGREGATOR_PROTOCOL: protocol }: Environment) {
  return url === undefined ? null : { url, protocol };
}

/** Returns the settings of bridge transfers; null if no bridge is configured. */
function bridgeSettings({
  BRIDGE_URL: url,
  BRIDGE_PROTOCOL: protocol,
  BRIDGE_API_TOKEN: token,
}: Environment) {
  return url === undefined ? null : { url, protocol, token: token ?? null };
}

/**
 * Returns the limits of concurrent proof checks. If there are several pools, each pool may use
 * three quarters of the slots.
 */
function slotsOf(network: NetworkProfile) {
  const { slots } = CONSTANTS.guards;
  const slotsPerName = profilePools(network).length > 1 ? Math.ceil((slots * 3) / 4) : slots;
  return { slots, slotsPerName };
}

const MAX_HEAD_AGE_MS = 120_000;

/** Returns the maximum age of the chain head in ms; null if the age is not checked. */
function maxHeadAgeMs({ HEAD_MAX_AGE_MS: maxMs, MODE }: Environment): number | null {
  const ageMs = maxMs ?? (MODE === 'production' ? MAX_HEAD_AGE_MS : 0);
  return ageMs === 0 ? null : ageMs;
}

function partialBatchMode({ PARTIAL_BATCHES, MODE }: Environment): PartialBatchPolicy['mode'] {
  return PARTIAL_BATCHES ?? (MODE === 'production' ? 'aged' : 'anyone');
}

/** Returns the reasons of pauses in the settings, by the pool's address. */
function pausedPools(
  { PAUSED_POOLS }: Environment,
  network: NetworkProfile,
): ReadonlyMap<Felt, string> {
  return new Map(
    profilePools(network).flatMap(({ key, address }) => {
      const reason = PAUSED_POOLS?.get(key);
      return reason === undefined ? [] : [[address, reason] as const];
    }),
  );
}

/**
 * Returns the rule that decides which empty ledgers are accepted as new. For a development chain,
 * an empty ledger is always accepted.
 */
function acceptance({ ACCEPT_EMPTY_LEDGER, MODE }: Environment): LedgerAcceptance {
  return ACCEPT_EMPTY_LEDGER ?? (MODE === 'development' ? 'always' : null);
}

function endpoint(
  host: string,
  port: number | undefined,
): { readonly host: string; readonly port: number } | null {
  return port === undefined ? null : { host, port };
}

function accountOrNull(account: SigningAccount | undefined): SigningAccount | null {
  return account === undefined ? null : signingAccount(account);
}

function signingAccount({ address, privateKey }: SigningAccount): SigningAccount {
  return { address, privateKey };
}
