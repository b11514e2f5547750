import { Clock, Logger, systemClock } from '@sotto/kernel';
import type { FailpointHook } from '@sotto/submission-core';
import { createLogger } from '@sotto/telemetry';
import type { Settings } from '../environment/settings.js';
import { Failpoints } from './bindings.js';
import { AppModule } from './container.js';
import { Partners, closesName } from './partners.js';

/**
 * What belongs to the process: clock, log, and the failpoint at which a development process may be
 * made to exit.
 * @param logger in place of a log of its own on standard output
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

/** SIGKILL leaves no chance to tidy up, as a power cut does. */
function crashAt({ crashAt: chosen, crashAfter }: Settings['engine']): FailpointHook {
  let reached = 0;
  return (checkpoint) => {
    if (checkpoint !== chosen) return;
    reached += 1;
    if (reached === crashAfter) process.kill(process.pid, 'SIGKILL');
  };
}
