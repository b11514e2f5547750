import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { VerificationKeyInvalid, parseVerificationKey } from '@sotto/groth16';
import { z } from 'zod';
import { Environment } from './environment.js';
import { unknownPausedPools } from './guard-settings.js';
import {
  Address,
  NetworkProfile,
  isPublishedSetup,
  repeatedAddresses,
} from '@sotto/network-profile';
import {
  settingsFrom,
  type Settings,
  type SettingsFiles,
  type VerificationSettings,
} from './settings.js';
import { SECRET_VARIABLES } from './variables.js';

/**
 * The service cannot start with its configuration. The message lists every problem, one a line, and
 * quotes no value.
 */
export class InvalidConfiguration extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      ['the configuration has problems:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
    );
    this.name = 'InvalidConfiguration';
  }
}

/** What the configuration is read from, so that tests need no files. */
export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default reads the file system */
  readonly readFile?: (path: string) => string;
  /** Permission bits of a file. @default asks the file system */
  readonly modeOf?: (path: string) => number;
}

/** Of a file's permissions: any user of the machine may read it. */
const READABLE_BY_OTHERS = 0o004;

/**
 * Reads environment, secret files, network profile and verification key.
 * An empty variable counts as absent.
 * @throws InvalidConfiguration with all problems at once.
 */
export function loadConfig({
  env,
  readFile = (path) => readFileSync(path, 'utf8'),
  modeOf = (path) => statSync(path).mode,
}: ConfigSources): Settings {
  const problems: string[] = [];
  const exposedSecrets: string[] = [];
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  for (const name of SECRET_VARIABLES) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined)
      problems.push(`${name}: give either ${name} or ${name}_FILE, not both`);
    const text = attempt(() => readFile(path).trim());
    if (text === null) problems.push(`${name}_FILE: cannot be read`);
    else if (((attempt(() => modeOf(path)) ?? 0) & READABLE_BY_OTHERS) !== 0)
      exposedSecrets.push(`${name}_FILE`);
    given[name] = text ?? undefined;
  }

  const environment = Environment.safeParse(given);
  const unread = new Set(problems.map((problem) => problem.split(/_FILE:|:/)[0]));
  problems.push(
    ...problemsOf(environment).filter((problem) => !unread.has(problem.split(/[:[]/)[0])),
  );
  const network =
    given['NETWORK_PROFILE'] === undefined
      ? null
      : loadNetwork(given['NETWORK_PROFILE'], { readFile, given, problems });
  if (environment.success && network !== null)
    problems.push(...crossFileProblems(environment.data, network.profile));
  if (!environment.success || network === null || problems.length > 0)
    throw new InvalidConfiguration(problems);
  return settingsFrom(environment.data, { ...network, exposedSecrets });
}

interface Reading {
  readonly readFile: (path: string) => string;
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly problems: string[];
}

type Network = Omit<SettingsFiles, 'exposedSecrets'>;

function loadNetwork(path: string, reading: Reading): Network | null {
  const { readFile, given, problems } = reading;
  const json = readJson(path, readFile);
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
  const named = profile.data?.verificationKey;
  const keyPath =
    given['VERIFICATION_KEY_PATH'] ??
    (named === undefined ? undefined : resolve(dirname(path), named));
  if (keyPath === undefined && profile.success) {
    problems.push(
      'VERIFICATION_KEY_PATH: is required, because the network profile names no verification key',
    );
  }
  const verification = keyPath === undefined ? null : loadVerificationKey(keyPath, reading);
  return !profile.success || verification === null ? null : { profile: profile.data, verification };
}

/** What stands beside the points of the key. Other members are snarkjs' and left alone. */
const BesideKey = z.object({ verifierClassHashes: z.array(Address).min(1).max(10).default([]) });

const PUBLISHED_SETUP =
  'this is a development key: the secrets of its setup are public, so anybody can forge proofs under it and empty the pools. Name the verification key that the pools’ own ceremony has made; only MODE=development takes this one';

function loadVerificationKey(
  path: string,
  { readFile, given, problems }: Reading,
): VerificationSettings | null {
  const source =
    given['VERIFICATION_KEY_PATH'] === undefined
      ? 'NETWORK_PROFILE: verificationKey'
      : 'VERIFICATION_KEY_PATH';
  const json = readJson(path, readFile);
  if (!json.ok) {
    problems.push(`${source}: the file ${json.problem}`);
    return null;
  }
  try {
    const key = parseVerificationKey(json.value);
    const beside = BesideKey.safeParse(json.value);
    problems.push(...problemsOf(beside).map((problem) => `${source}: ${problem}`));
    // As the schema of the environment has it: what is not development is production.
    if (given['MODE'] !== 'development' && isPublishedSetup(key))
      problems.push(`${source}: ${PUBLISHED_SETUP}`);
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
    ...(MODE !== 'production' || REWARDS_URL !== undefined || lendingPools.length === 0
      ? []
      : ['REWARDS_URL: is required in production, because the network profile has lending pools']),
  ];
}

type Json =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function readJson(path: string, readFile: (path: string) => string): Json {
  const text = attempt(() => readFile(path));
  if (text === null) return { ok: false, problem: 'cannot be read' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: 'is not JSON' };
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function problemsOf(result: z.ZodSafeParseResult<unknown>): string[] {
  return (result.error?.issues ?? []).map(({ path, message }) =>
    path.length === 0 ? message : `${nameOf(path)}: ${message}`,
  );
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}
