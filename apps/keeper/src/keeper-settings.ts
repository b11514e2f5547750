import { loadConfig, type Settings } from '@sotto/relayer';
import { InvalidConfiguration, type ConfigSources } from '@sotto/settings';
import type { LaneRole } from '@sotto/submission-core';

/** Beside a service on the same machine, which listens on 3000. */
const DEFAULT_PORT = '3001';
const NO_TASKS = 'KEEPER_TASKS: names no task, and a keeper does nothing else';
/** The service's own: withdrawals do not depend on a keeper that comes and goes. */
const OF_THE_SERVICE: readonly LaneRole[] = ['relay', 'swap_owner'];

/**
 * Settings of a keeper, from the same variables as those of the service.
 * @throws InvalidConfiguration with all problems at once, and where no task is on
 */
export function keeperSettings({ env, ...sources }: ConfigSources): Settings {
  const settings = loadConfig({ ...sources, env: { ...env, PORT: env['PORT'] || DEFAULT_PORT } });
  const { keeper, audit, http, engine } = settings;
  if (keeper.tasks.length === 0) throw new InvalidConfiguration([NO_TASKS]);
  return {
    ...settings,
    // The service audits all accounts, those of the keeper too.
    audit: { ...audit, intervalMs: 0 },
    // No balancer has to notice that it ends.
    http: { ...http, shutdownDrainMs: 0 },
    engine: {
      ...engine,
      // A keeper and a service may be started with one INSTANCE_ID.
      instance: `keeper-${engine.instance}`,
      leftToOthers: OF_THE_SERVICE,
    },
  };
}
