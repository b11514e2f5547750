import { loadConfig, type Settings } from '@sotto/relayer';
import { InvalidConfiguration, type ConfigSources } from '@sotto/settings';
import type { LaneRole } from '@sotto/submission-core';

/**
 * Default port, which differs from the service's default 3000, so that both can run on one machine.
 */
const DEFAULT_PORT = '3001';
const NO_TASKS = 'KEEPER_TASKS: names no task, and a keeper does nothing else';
/** Lane roles that only the service uses, because withdrawals must not depend on a keeper. */
const OF_THE_SERVICE: readonly LaneRole[] = ['relay', 'swap_owner'];

/**
 * Reads the settings of a keeper from the same variables as the service's settings.
 * @throws InvalidConfiguration with all problems at once, also if no task is enabled
 */
export function keeperSettings({ env, ...sources }: ConfigSources): Settings {
  const settings = loadConfig({ ...sources, env: { ...env, PORT: env['PORT'] || DEFAULT_PORT } });
  const { keeper, audit, http, engine } = settings;
  if (keeper.tasks.length === 0) throw new InvalidConfiguration([NO_TASKS]);
  return {
    ...settings,
    // The keeper does not audit, because the service audits all accounts, including the keeper's.
    audit: { ...audit, intervalMs: 0 },
    // No load balancer sends requests to a keeper, so the shutdown need not wait until one notices
    // it.
    http: { ...http, shutdownDrainMs: 0 },
    engine: {
      ...engine,
      // The prefix distinguishes a keeper from a service with the same INSTANCE_ID.
      instance: `keeper-${engine.instance}`,
      leftToOthers: OF_THE_SERVICE,
    },
  };
}
