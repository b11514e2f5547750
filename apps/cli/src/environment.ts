import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { causeCodeOf } from '@sotto/kernel';
import { InvalidConfiguration, namesOfEnvFiles } from '@sotto/settings';
import { loadConfig } from '@sotto/relayer';
import type { Command } from 'commander';
import { CannotRun, type Environment, type Terminal } from './terminal.js';

/** Settings of the service; the package does not export their type. */
export type Settings = ReturnType<typeof loadConfig>;

export interface SettingsOptions {
  readonly envFile?: string;
}

/** Adds the options of a command that reads the service's settings. */
export const takesSettings = (command: Command): Command =>
  command.option(
    '--env-file <file>',
    'read the service’s variables from this file (as systemd and compose write them) in place of this shell’s environment',
  );

/**
 * Environment of the service: that of this process, or only that of the file.
 * @throws CannotRun if the file can't be read
 */
export function serviceEnvironment({ envFile }: SettingsOptions, env: Environment): Environment {
  if (envFile === undefined) return env;
  try {
    return parseEnv(readFileSync(envFile, 'utf8'));
  } catch (error) {
    throw new CannotRun(
      `--env-file: the file cannot be read (${causeCodeOf(error) ?? 'no cause'})`,
    );
  }
}

/** Returns the names in the files of settings, including this process's files, with their lines. */
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
 * Path of the service's SQLite ledger.
 * @param instead advice for a PostgreSQL ledger
 * @throws CannotRun if the ledger is a PostgreSQL database
 */
export function ledgerFile(options: SettingsOptions, { env }: Terminal, instead: string): string {
  const { store } = settingsOf(options, env);
  if (store.kind === 'sqlite') return store.path;
  throw new CannotRun(`the ledger is a PostgreSQL database: ${instead}`);
}
