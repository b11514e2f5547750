import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { VerificationKeyInvalid, parseVerificationKey } from '@sotto/groth16';
import {
  Address,
  NetworkProfile,
  isPublishedSetup,
  repeatedAddresses,
  soundFields,
} from '@sotto/network-profile';
import {
  InvalidConfiguration,
  attempt,
  placeOf,
  readVariables,
  type ConfigSources,
  type ReadVariables,
} from '@sotto/settings';
import { z } from 'zod';
import { removedSettings } from './constants.js';
import { crossFileProblems } from './cross-file-rules.js';
import { RULES } from './rules.js';
import { settingsFrom, type Settings, type VerificationSettings } from './settings.js';
import { VARIABLES } from './variables.js';

/**
 * Reads environment, secret files, network profile and verification key.
 * @throws InvalidConfiguration if there are problems; the error lists all of them
 */
export function loadConfig(sources: ConfigSources): Settings {
  const { readFile = (path) => readFileSync(path, 'utf8') } = sources;
  const read = readVariables(VARIABLES, RULES, sources);
  const removed = removedSettings(read.texts);
  const { NETWORK_PROFILE: path, VERIFICATION_KEY_PATH: ownKey } = read.texts;
  const keyNamed = (named: string | undefined): NamedJson | null => {
    if (ownKey !== undefined)
      return { source: 'VERIFICATION_KEY_PATH', json: readJson(ownKey, readFile) };
    if (path === undefined || named === undefined) return null;
    const json = readJson(resolve(dirname(path), named), readFile);
    return { source: 'NETWORK_PROFILE: verificationKey', json };
  };
  const stale = [...read.formerNames, ...removed.warnings];
  const problems = [...read.problems, ...removed.problems];
  return checkSettings({ ...read, problems }, stale, {
    // A missing path is reported later as a problem of its variable.
    profile: path === undefined ? null : readJson(path, readFile),
    keyNamed,
  });
}

/** Documents that are read in addition to the variables. */
export interface Documents {
  /** Network profile; null if no variable names a profile. */
  readonly profile: Json | null;
  /**
   * Returns the verification key, given its path in the profile; null if neither the profile nor a
   * variable contains a path.
   */
  readonly keyNamed: (named: string | undefined) => NamedJson | null;
}

/**
 * Creates settings. @throws InvalidConfiguration with all problems at once, including problems of
 * reading
 */
export function checkSettings(
  { values, sound, problems: found, texts, exposedSecrets }: ReadVariables<typeof VARIABLES>,
  stale: readonly string[],
  documents: Documents,
): Settings {
  const problems = [...found];
  const check = {
    // The schema of the environment has the same rule: any value other than `development` means
    // production.
    isDevelopment: texts['MODE'] === 'development',
    problems,
  };
  const { profile, fields } = checkProfile(documents.profile, check);
  // A profile that can't be read may contain the path of a key, so the key is not reported as
  // missing.
  const key = documents.keyNamed(fields.verificationKey);
  if (key === null && documents.profile?.ok === true && 'verificationKey' in fields)
    problems.push(
      'VERIFICATION_KEY_PATH: is required, because the network profile names no verification key',
    );
  const verification = key === null ? null : checkVerificationKey(key, check);
  problems.push(...crossFileProblems(sound, fields));
  if (values === null || profile === null || verification === null || problems.length > 0)
    throw new InvalidConfiguration(problems);
  return settingsFrom(values, { profile, verification, exposedSecrets, stale });
}

interface Check {
  readonly isDevelopment: boolean;
  readonly problems: string[];
}

interface CheckedProfile {
  readonly profile: NetworkProfile | null;
  /**
   * Fields of the profile that are valid. Valid fields are returned even if other fields of the
   * profile are invalid.
   */
  readonly fields: Partial<NetworkProfile>;
}

const NO_PROFILE: CheckedProfile = { profile: null, fields: {} };

function checkProfile(json: Json | null, { problems }: Check): CheckedProfile {
  if (json === null) return NO_PROFILE;
  if (!json.ok) {
    problems.push(`NETWORK_PROFILE: the file ${json.problem}`);
    return NO_PROFILE;
  }
  const profile = NetworkProfile.safeParse(json.value);
  problems.push(
    ...[...problemsOf(profile), ...repeatedAddresses(json.value)].map(
      (problem) => `NETWORK_PROFILE: ${problem}`,
    ),
  );
  return { profile: profile.data ?? null, fields: soundFields(json.value) };
}

/**
 * Members of the key's file that do not belong to the key itself. Unknown members belong to snarkjs
 * and are ignored.
 */
const BesideKey = z.object({ verifierClassHashes: z.array(Address).min(1).max(10).default([]) });

const PUBLISHED_SETUP =
  'this is a development key: the secrets of its setup are public, so any attacker can forge proofs under it and empty the pools. Name the verification key that the pools’ own ceremony has made; only MODE=development accepts this key';

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

type Json =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

interface NamedJson {
  /** Name of the variable or field, used in problems. */
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
