import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { orderIdOf } from '@sotto/dca-core';
import type { TaskName } from '@sotto/facts';
import { VerificationKeyInvalid, parseVerificationKey } from '@sotto/groth16';
import {
  Address,
  NetworkProfile,
  convertedTokens,
  isPublishedSetup,
  leveragedVaults,
  profilePools,
  repeatedAddresses,
  poolsToDeploy,
} from '@sotto/network-profile';
import { feesSubject, fundedLanes } from '@sotto/relayer-core';
import {
  InvalidConfiguration,
  attempt,
  placeOf,
  readVariables,
  type ConfigSources,
  type ReadVariables,
} from '@sotto/settings';
import type { LaneRole } from '@sotto/submission-core';
import { z } from 'zod';
import { RULES } from './rules.js';
import {
  lanesOf,
  settingsFrom,
  type Environment,
  type Settings,
  type SettingsFiles,
  type VerificationSettings,
} from './settings.js';
import { VARIABLES } from './variables.js';

/**
 * Reads environment, secret files, network profile and verification key.
 * @throws InvalidConfiguration with all problems at once.
 */
export function loadConfig(sources: ConfigSources): Settings {
  const { readFile = (path) => readFileSync(path, 'utf8') } = sources;
  const read = readVariables(VARIABLES, RULES, sources);
  const { NETWORK_PROFILE: path, VERIFICATION_KEY_PATH: ownKey } = read.texts;
  const keyNamed = (named: string | undefined): NamedJson | null => {
    if (ownKey !== undefined)
      return { source: 'VERIFICATION_KEY_PATH', json: readJson(ownKey, readFile) };
    if (path === undefined || named === undefined) return null;
    const json = readJson(resolve(dirname(path), named), readFile);
    return { source: 'NETWORK_PROFILE: verificationKey', json };
  };
  return checkSettings(
    read,
    path === undefined ? null : { profile: readJson(path, readFile), keyNamed },
  );
}

/** What settings are made of besides variables. */
export interface Documents {
  readonly profile: Json;
  /** The key, given what the profile names; null where neither names one. */
  readonly keyNamed: (named: string | undefined) => NamedJson | null;
}

/** @throws InvalidConfiguration with all problems at once, those of the reading among them. */
export function checkSettings(
  { values, problems: found, texts, exposedSecrets }: ReadVariables<typeof VARIABLES>,
  documents: Documents | null,
): Settings {
  const problems = [...found];
  const network =
    documents === null
      ? null
      : checkNetwork(documents, {
          // As the schema of the environment has it: what is not development is production.
          isDevelopment: texts['MODE'] === 'development',
          problems,
        });
  if (values !== null && network !== null)
    problems.push(...crossFileProblems(values, network.profile));
  if (values === null || network === null || problems.length > 0)
    throw new InvalidConfiguration(problems);
  return settingsFrom(values, { ...network, exposedSecrets });
}

interface Check {
  readonly isDevelopment: boolean;
  readonly problems: string[];
}

type Network = Omit<SettingsFiles, 'exposedSecrets'>;

function checkNetwork({ profile: json, keyNamed }: Documents, check: Check): Network | null {
  const { problems } = check;
  if (!json.ok) {
    problems.push(`NETWORK_PROFILE: the file ${json.problem}`);
    return null;
  }
  const profile = NetworkProfile.safeParse(json.value);
  problems.push(
    ...[...problemsOf(profile), ...repeatedAddresses(json.value)].map(
      (problem) => `NETWORK_PROFILE: ${problem}`,
    ),
  );
  const key = keyNamed(profile.data?.verificationKey);
  if (key === null && profile.success) {
    problems.push(
      'VERIFICATION_KEY_PATH: is required, because the network profile names no verification key',
    );
  }
  const verification = key === null ? null : checkVerificationKey(key, check);
  return !profile.success || verification === null ? null : { profile: profile.data, verification };
}

/** What stands beside the points of the key. Other members are snarkjs' and left alone. */
const BesideKey = z.object({ verifierClassHashes: z.array(Address).min(1).max(10).default([]) });

const PUBLISHED_SETUP =
  'this is a development key: the secrets of its setup are public, so anybody can forge proofs under it and empty the pools. Name the verification key that the pools’ own ceremony has made; only MODE=development takes this one';

function checkVerificationKey(
  { source, json }: NamedJson,
  { isDevelopment, problems }: Check,
): VerificationSettings | null {
  if (!json.ok) {
    problems.push(`${source}: the file ${json.problem}`);
    return null;
  }
  try {
    const key = parseVerificationKey(json.value);
    const beside = BesideKey.safeParse(json.value);
    problems.push(...problemsOf(beside).map((problem) => `${source}: ${problem}`));
    if (!isDevelopment && isPublishedSetup(key)) problems.push(`${source}: ${PUBLISHED_SETUP}`);
    return { key, classHashes: beside.data?.verifierClassHashes ?? [] };
  } catch (error) {
    if (!(error instanceof VerificationKeyInvalid)) throw error;
    const { field, reason } = error.details;
    problems.push(`${source}: ${String(field)}: ${String(reason)}`);
    return null;
  }
}

/** What is fine by itself, but does not fit together. */
function crossFileProblems(env: Environment, network: NetworkProfile): readonly string[] {
  const { swapPool, vaults, lendingPools } = network;
  const {
    MODE,
    ACCEPT_EMPTY_LEDGER,
    AGGREGATOR_URL,
    CURATOR_API_TOKEN,
    CURATOR_API_TOKENS,
    REWARDS_URL,
  } = env;
  const tokens = CURATOR_API_TOKENS === undefined ? 'CURATOR_API_TOKEN' : 'CURATOR_API_TOKENS';
  const deploys = CURATOR_API_TOKEN !== undefined || CURATOR_API_TOKENS !== undefined;
  return [
    ...unknownPausedPools(env, network),
    ...(ACCEPT_EMPTY_LEDGER === undefined || ACCEPT_EMPTY_LEDGER.chainId === network.chainId
      ? []
      : ['ACCEPT_EMPTY_LEDGER: names another chain than the network profile']),
    ...(AGGREGATOR_URL === undefined || swapPool !== undefined
      ? []
      : ['AGGREGATOR_URL: private swaps need a swapPool in the network profile']),
    ...(!deploys || vaults.length > 0
      ? []
      : [`${tokens}: vault deployments need vaults in the network profile`]),
    ...tasksWithoutContracts(env, network),
    ...unknownSubjects(env, network),
    ...floorsOfNoAccount(env),
    ...unknownConversions(env, network),
    ...(MODE !== 'production' || REWARDS_URL !== undefined || lendingPools.length === 0
      ? []
      : ['REWARDS_URL: is required in production, because the network profile has lending pools']),
  ];
}

/** Tasks of the keeper that the profile names nothing for. */
function tasksWithoutContracts(
  { KEEPER_TASKS = [] }: Environment,
  { vaults, purchases }: NetworkProfile,
): readonly string[] {
  const missing: Partial<Record<TaskName, string>> = {
    ...(vaults.length > 0 ? {} : { curator: 'vaults' }),
    ...(purchases !== undefined ? {} : { purchases: 'purchases, the contract of orders,' }),
    ...(vaults.some(({ leverage }) => leverage !== undefined)
      ? {}
      : { leverage: 'a vault with leverage' }),
  };
  return KEEPER_TASKS.flatMap((task) =>
    missing[task] === undefined
      ? []
      : [`KEEPER_TASKS: ${task} needs ${missing[task]} in the network profile`],
  );
}

/** Subjects that a task is restricted to and never looks at: it would silently do nothing. */
function unknownSubjects(env: Environment, network: NetworkProfile): readonly string[] {
  const { KEEPER_TASKS = [], KEEPER_SUBJECTS = new Map<TaskName, readonly string[]>() } = env;
  return KEEPER_TASKS.flatMap((task) => {
    const named = KEEPER_SUBJECTS.get(task) ?? [];
    const known = task === 'purchases' ? null : subjectsOf(task, env, network);
    const unknown = named.filter((subject) =>
      known === null ? orderIdOf(subject) === null : !known.includes(subject),
    );
    if (unknown.length === 0) return [];
    const allowed = known === null ? 'ids of orders, in decimal' : known.join(', ');
    const shown = unknown.map((subject) => JSON.stringify(subject)).join(', ');
    return [`KEEPER_SUBJECTS: ${task} does not look at ${shown}, but at: ${allowed || 'nothing'}`];
  });
}

/** All that a task looks at; orders come and go. */
function subjectsOf(
  task: Exclude<TaskName, 'purchases'>,
  env: Environment,
  network: NetworkProfile,
): readonly string[] {
  const { TREASURY_FLOORS = new Map(), TREASURY_CONVERSIONS = new Map() } = env;
  switch (task) {
    case 'curator':
      return network.vaults.map(({ id }) => id);
    case 'batches':
      return poolsToDeploy(network).map(({ key }) => key);
    case 'leverage':
      return leveragedVaults(network).map(({ id }) => id);
    case 'treasury':
      return [
        ...fundedLanes(lanesOf(env), TREASURY_FLOORS).map(({ name }) => name),
        ...convertedTokens(network, TREASURY_CONVERSIONS).map(({ token }) => feesSubject(token)),
      ];
  }
}

/** Roles whose accounts are to be filled up, and that no account has. */
function floorsOfNoAccount(env: Environment): readonly string[] {
  const { KEEPER_TASKS = [], TREASURY_FLOORS = new Map<LaneRole, unknown>() } = env;
  if (!KEEPER_TASKS.includes('treasury')) return [];
  const roles = new Set(lanesOf(env).map(({ role }) => role));
  return [...TREASURY_FLOORS.keys()].flatMap((role) =>
    roles.has(role) ? [] : [`TREASURY_FLOORS: no account has the role ${role}`],
  );
}

/** Tokens whose fees are to be swapped, and that the profile does not have. */
function unknownConversions(
  { TREASURY_CONVERSIONS = new Map() }: Environment,
  { tokens }: NetworkProfile,
): readonly string[] {
  return [...TREASURY_CONVERSIONS.keys()].flatMap((symbol) =>
    Object.hasOwn(tokens, symbol)
      ? []
      : [`TREASURY_CONVERSIONS: ${symbol} is no token of the network profile`],
  );
}

/** Pools that are paused and not served: a slip that would pause nothing. */
function unknownPausedPools(
  { PAUSED_POOLS = new Map() }: Environment,
  network: NetworkProfile,
): readonly string[] {
  const served = new Set(profilePools(network).map(({ key }) => key));
  return [...PAUSED_POOLS.keys()].every((key) => served.has(key))
    ? []
    : ['PAUSED_POOLS: names a pool that is not in the network profile'];
}

type Json =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

interface NamedJson {
  /** What to blame for it. */
  readonly source: string;
  readonly json: Json;
}

function readJson(path: string, readFile: (path: string) => string): Json {
  const text = attempt(() => readFile(path));
  if (text === null) return { ok: false, problem: 'cannot be read' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: 'is not JSON' };
  }
}

function problemsOf(result: z.ZodSafeParseResult<unknown>): string[] {
  return (result.error?.issues ?? []).map(({ path, message }) =>
    path.length === 0 ? message : `${placeOf(path)}: ${message}`,
  );
}
