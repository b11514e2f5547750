import { InvalidConfiguration } from '@sotto/settings';
import { loadConfig } from '../../src/environment/load-config.js';
import type { Settings } from '../../src/environment/settings.js';
import { environment, files, profile } from '@sotto/process-kit/environment';

type Env = Readonly<Record<string, string | undefined>>;

/** Loads settings from a valid environment with these changes. */
export const load = (env: Env = {}, more: Readonly<Record<string, string>> = {}): Settings =>
  loadConfig({ env: { ...environment, ...env }, readFile: files(more) });

/** Returns the problems that `loadConfig` finds in a valid environment with these changes. */
export function problemsOf(
  env: Env,
  more: Readonly<Record<string, string>> = {},
): readonly string[] {
  try {
    load(env, more);
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
  return [];
}

/** Returns the profile with changed fields, as a file by its path. */
export const withProfile = (changed: object): Readonly<Record<string, string>> => ({
  '/etc/sotto/profile.json': JSON.stringify({ ...profile, ...changed }),
});
