import { Clock, Logger, systemClock } from '@sotto/kernel';
import type { FailpointHook } from '@sotto/submission-core';
import { createLogger } from '@sotto/telemetry';
import type { Settings } from '../environment/settings.js';
import { Failpoints } from './bindings.js';
import { AppModule } from './container.js';
import { Partners, closesName } from './partners.js';

/**
 * Binds clock, log and failpoint of the process. Settings can make a development process exit at a
 * failpoint.
 * @param logger replaces the default log on standard output
 */
export const systemModule = (
  { logLevel, engine, keeper }: Pick<Settings, 'logLevel' | 'engine' | 'keeper'>,
  logger?: Logger,
): AppModule =>
  new AppModule(({ bind, provide }) => {
    bind(Clock).toConstantValue(systemClock);
    bind(Logger).toConstantValue(logger ?? createLogger({ level: logLevel }));
    const closes = keeper.purchases.closesUrls.map((_, index) => closesName(index));
    provide(Partners, [Logger], closes);
    bind(Failpoints).toConstantValue({ reach: crashAt(engine) });
  });

/**
 * Returns a hook that kills the process with SIGKILL. As in a power failure, no cleanup is
 * possible.
 */
function crashAt({ crashAt: chosen, crashAfter }: Settings['engine']): FailpointHook {
  let reached = 0;
  return (checkpoint) => {
    if (checkpoint !== chosen) return;
    reached += 1;
    if (reached === crashAfter) process.kill(process.pid, 'SIGKILL');
  };
}
