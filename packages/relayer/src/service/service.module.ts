import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { FairValues, Readiness } from '@sotto/relayer-core';
import { ChainReader, Ledger, NodeHealthCheck, SubmissionEngine } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import {
  RepeatedCalls,
  TaskRunners,
  type AppContainer,
  AppModule,
  assemble,
  every,
} from '@sotto/relayer/composition';
import { CuratorTokens, OperatorTokens } from '../../../../apps/api/src/http/credentials.js';
import { Route } from '@sotto/http-server';
import { InFlight } from '@sotto/http-server';
import { Connections } from '@sotto/http-server';
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
        curatorTokens: CuratorTokens,
        operatorTokens: OperatorTokens,
        fairValues: FairValues,
        inFlight: InFlight,
        connections: Connections,
        metrics: Metrics,
        routes: every(Route),
        tasks: every(BackgroundTask),
        runners: TaskRunners,
        repeatedCalls: every(RepeatedCalls),
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
