import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { Readiness } from '@sotto/relayer-core';
import { ChainReader, Ledger, NodeHealthCheck, SubmissionEngine } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import { RepeatedCalls, StartWarning, TaskRunners } from '../composition/bindings.js';
import { type AppContainer, AppModule, assemble, every } from '../composition/container.js';
import { Listener } from './listener.js';
import { Service, type RunningService, type ServiceSettings } from './service.js';

/** The service as a whole, from everything that the other modules bind. */
export const serviceModule = (settings: ServiceSettings): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(Service),
      {
        logger: Logger,
        clock: Clock,
        engine: SubmissionEngine,
        probe: NodeHealthCheck,
        reader: ChainReader,
        ledger: Ledger,
        readiness: Readiness,
        listener: Listener,
        metrics: Metrics,
        tasks: every(BackgroundTask),
        runners: TaskRunners,
        repeatedCalls: every(RepeatedCalls),
        warnings: every(StartWarning),
      },
      (parts) => new Service(parts, settings),
    );
  });

/** Starts what the container holds; closes it when that fails, and when the service was stopped. */
export async function startService(container: AppContainer): Promise<RunningService> {
  try {
    const service = await container.getAsync(Service);
    const logger = await container.getAsync(Logger);
    const started = await service.start();
    return {
      ...started,
      async stop() {
        await started.stop();
        await container.unbindAllAsync();
        logger.info({}, 'stopped');
      },
    };
  } catch (error) {
    await container.unbindAllAsync();
    throw error;
  }
}
