import { serveMetrics } from '@sotto/telemetry';
import { thisBuild } from '../build.js';
import type { Settings } from '../environment/settings.js';
import type { Runtime } from '../relayer/open.js';
import type { Listener } from './listener.js';

export interface RunningService {
  /** Where it listens. */
  readonly url: string;
  /** Rejects when the service can't go on; resolves once the engine runs. */
  readonly running: Promise<void>;
  /**
   * Says that it is not ready, and after the drain time takes no more connections, lets requests
   * that wait end within the grace time and then answers them with what is known, and lets the
   * engine end its sends. What is in flight stays in the ledger for the next start.
   */
  stop(): Promise<void>;
}

export type ServiceSettings = Pick<Settings, 'mode' | 'http' | 'metrics' | 'network'>;

/**
 * Starts a process as a whole: its listeners, and what runs by itself. Rejects when a port can't be
 * had; nothing runs then, and what was opened is closed.
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
  // After it listens, because a port that can't be had must not leave anything running.
  const running = runtime.start(stopping.signal);

  return {
    url: opened.url,
    running,
    async stop() {
      logger.info({}, 'stopping');
      readiness.stop();
      // Balancers ask whether it is ready now and then; until they have, they send requests.
      await clock.sleep(http.shutdownDrainMs);
      stopping.abort();
      await opened.close(http.shutdownGraceMs);
      await runtime.stop();
      await metricsServer?.close();
      logger.info({}, 'stopped');
    },
  };
}
