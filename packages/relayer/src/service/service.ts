import { serveMetrics } from '@sotto/telemetry';
import { thisBuild } from '../build.js';
import type { Settings } from '../environment/settings.js';
import type { Runtime } from '../relayer/open.js';
import type { Listener } from './listener.js';

export interface RunningService {
  /** Address on which the service listens. */
  readonly url: string;
  /** Resolves as soon as the engine runs; rejects if the service can't continue. */
  readonly running: Promise<void>;
  /**
   * Stops the service. The service first reports that it is not ready, and after the drain time
   * accepts no more connections. Waiting requests may finish within the grace time. After the grace
   * time, they get a response with the state that is known. The engine finishes its sends;
   * submissions in flight stay in the ledger for the next start.
   */
  stop(): Promise<void>;
}

export type ServiceSettings = Pick<Settings, 'mode' | 'http' | 'metrics' | 'network'>;

/**
 * Starts all listeners and the automatic work of a process. If a port is not available, the call
 * rejects, nothing runs, and everything that was opened is closed.
 */
export async function startService(
  runtime: Runtime,
  listener: Listener,
  settings: ServiceSettings,
): Promise<RunningService> {
  try {
    return await start(runtime, listener, settings);
  } catch (error) {
    await Promise.allSettled([runtime.stop()]);
    throw error;
  }
}

async function start(
  runtime: Runtime,
  listener: Listener,
  { mode, http, metrics: served, network }: ServiceSettings,
): Promise<RunningService> {
  const { logger, clock, readiness, metrics } = runtime;
  const stopping = new AbortController();
  const opened = await listener.open();
  const metricsServer =
    served === null
      ? null
      : await serveMetrics(metrics, served).catch(async (error: unknown) => {
          await opened.close(0);
          throw error;
        });
  logger.info(
    {
      url: opened.url,
      ...(opened.sharedUrl === null ? {} : { sharedUrl: opened.sharedUrl }),
      metricsUrl: metricsServer?.url,
      mode,
      network: network.name,
      ...thisBuild(process.env),
    },
    'listening',
  );
  // The automatic work starts only after the listeners have started. If a listener fails, the call
  // must reject with nothing running.
  const running = runtime.start(stopping.signal);

  return {
    url: opened.url,
    running,
    async stop() {
      logger.info({}, 'stopping');
      readiness.stop();
      // Load balancers poll readiness at intervals. They send requests to this instance until the
      // next poll.
      await clock.sleep(http.shutdownDrainMs);
      stopping.abort();
      await opened.close(http.shutdownGraceMs);
      await runtime.stop();
      await metricsServer?.close();
      logger.info({}, 'stopped');
    },
  };
}
