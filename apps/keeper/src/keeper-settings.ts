import { loadConfig, type Settings } from '@sotto/relayer';
import { InvalidConfiguration, type ConfigSources } from '@sotto/settings';
import type { LaneRole } from '@sotto/submission-core';

/** Default port next to a service on the same machine, which uses 3000. */
const DEFAULT_PORT = '3001';
const NO_TASKS = 'KEEPER_TASKS: names no task, and a keeper does nothing else';
/** Roles of the service only: withdrawals must not depend on a keeper. */
const OF_THE_SERVICE: readonly LaneRole[] = ['relay', 'swap_owner'];

/**
 * Reads the settings of a keeper, from the same variables as those of the service.
 * @throws InvalidConfiguration with all problems at once, also if no task is enabled
 */
export function keeperSettings({ env, ...sources }: ConfigSources): Settings {
  const settings = loadConfig({ ...sources, env: { ...env, PORT: env['PORT'] || DEFAULT_PORT } });
  const { keeper, audit, http, engine } = settings;
  if (keeper.tasks.length === 0) throw new InvalidConfiguration([NO_TASKS]);
  return {
    ...settings,
    // The service audits all accounts, including the keeper's.
    audit: { ...audit, intervalMs: 0 },
    // No load balancer has to notice the shutdown.
    http: { ...http, shutdownDrainMs: 0 },
    engine: {
      ...engine,
      // Keeper and service may have the same INSTANCE_ID.
      instance: `keeper-${engine.instance}`,
      leftToOthers: OF_THE_SERVICE,
    },
  };
}
