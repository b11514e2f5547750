import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { causeCodeOf } from '@sotto/kernel';
import { InvalidConfiguration, namesOfEnvFiles } from '@sotto/settings';
import { loadConfig } from '@sotto/relayer';
import type { Command } from 'commander';
import { CannotRun, type Environment, type Terminal } from './terminal.js';

/** Settings of the service. The type is derived, because the package does not export it. */
export type Settings = ReturnType<typeof loadConfig>;

export interface SettingsOptions {
  readonly envFile?: string;
}

/** Adds the option `--env-file` to a command that reads the service's settings. */
export const takesSettings = (command: Command): Command =>
  command.option(
    '--env-file <file>',
    'read the service’s variables from this file (as systemd and compose write them) in place of this shell’s environment',
  );

/**
 * Name of the variable with the API token that commands send to a running service. This name was
 * formerly the name of the setting that contains the service's API tokens.
 */
const OWN_TOKEN = 'OPERATOR_API_TOKEN';
const SERVICE_TOKENS = 'OPERATOR_API_TOKENS';
const namesOf = (name: string): readonly string[] => [name, `${name}_FILE`];

/**
 * Returns the names of the shell's variables that contain the operator's own API token. If
 * `OPERATOR_API_TOKENS` is not set, or if a settings file of the service is read, the result is
 * empty: `OPERATOR_API_TOKEN` is then the former name of the service's tokens.
 */
function ownTokenNames({ envFile }: SettingsOptions, env: Environment): readonly string[] {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (envFile !== undefined || !namesOf(SERVICE_TOKENS).some(isSet)) return [];
  return namesOf(OWN_TOKEN).filter(isSet);
}

/**
 * Returns a note on each variable of the shell that contains the operator's own API token and is
 * not a setting.
 */
export const ownTokenNotes = (options: SettingsOptions, env: Environment): readonly string[] =>
  ownTokenNames(options, env).map(
    (name) =>
      `${name} is the operator’s own token here: a service with ${SERVICE_TOKENS} refuses it`,
  );

/**
 * Returns the service's environment. If `--env-file` is set, the result contains only the variables
 * of the file. Otherwise the result is this process's environment without the operator's own API
 * token.
 * @throws CannotRun when the file can't be read
 */
export function serviceEnvironment(options: SettingsOptions, env: Environment): Environment {
  const { envFile } = options;
  if (envFile === undefined) {
    const own = ownTokenNames(options, env);
    return Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)));
  }
  try {
    return parseEnv(readFileSync(envFile, 'utf8'));
  } catch (error) {
    throw new CannotRun(
      `--env-file: the file cannot be read (${causeCodeOf(error) ?? 'no cause'})`,
    );
  }
}

/**
 * Returns the names of variables in settings files, with their line numbers. Without `--env-file`,
 * the files are those that Node loaded for this process.
 */
export const fromFile = (
  { envFile }: SettingsOptions,
  { nodeOptions }: Pick<Terminal, 'nodeOptions'>,
): ReadonlyMap<string, number> =>
  namesOfEnvFiles(envFile === undefined ? nodeOptions : [`--env-file=${envFile}`]);

/**
 * Loads the service's settings.
 * @throws CannotRun listing every problem
 */
export function settingsOf(options: SettingsOptions, env: Environment): Settings {
  try {
    return loadConfig({ env: serviceEnvironment(options, env) });
  } catch (error) {
    if (error instanceof InvalidConfiguration) throw new CannotRun(error.message);
    throw error;
  }
}

/**
 * Returns the path of the service's SQLite ledger.
 * @param instead advice in the error for a PostgreSQL ledger
 * @throws CannotRun if the ledger is a PostgreSQL database
 */
export function ledgerFile(options: SettingsOptions, { env }: Terminal, instead: string): string {
  const { store } = settingsOf(options, env);
  if (store.kind === 'sqlite') return store.path;
  throw new CannotRun(`the ledger is a PostgreSQL database: ${instead}`);
}
