import { Clock, Logger, BackgroundTask, startBackgroundTasks } from '@sotto/kernel';
import {
  ChainReader,
  Ledger,
  SubmissionEngine,
  warnOfEmptyLedger,
  startEngineOnRightChain,
  NodeHealthCheck,
} from '@sotto/submission-core';
import { Connections } from './connections.js';
import { CuratedCalls } from '@sotto/curator-core';
import { OperatorTokens, CuratorTokens } from '../http/bearer-tokens.js';
import { FairValues, Readiness, warnOfUnpricedTokens } from '@sotto/relayer-core';
import { InFlight } from '../http/middleware/in-flight.js';
import { Metrics, serveMetrics } from '@sotto/telemetry';
import { Route } from '../http/define-route.js';
import type { AppContainer } from '../composition/container.js';
import { lanesOf } from '../environment/lanes.js';
import type { Settings } from '../environment/settings.js';
import { createApp } from '../http/create-app.js';
import { listenOnAll } from './listeners.js';

export interface RunningService {
  /** Where the HTTP interface listens. */
  readonly url: string;
  /** Rejects when the service can't go on; resolves once the engine runs. */
  readonly running: Promise<void>;
  /**
   * Says that it is not ready, and after the drain time takes no more connections, lets requests
   * that wait end within the grace time and then answers them with what is known, lets the engine
   * end its sends, and closes everything. What is in flight stays in the ledger for the next start.
   */
  stop(): Promise<void>;
}

export type ServiceSettings = Pick<
  Settings,
  'mode' | 'http' | 'metrics' | 'network' | 'engine' | 'relay' | 'swap' | 'curator'
>;

/** Starts what the container holds, and closes it again if that fails. */
export async function startService(
  container: AppContainer,
  settings: ServiceSettings,
): Promise<RunningService> {
  try {
    return await start(container, settings);
  } catch (error) {
    await container.unbindAllAsync();
    throw error;
  }
}

async function start(container: AppContainer, settings: ServiceSettings): Promise<RunningService> {
  const { mode, http, metrics: served, network, engine: machine } = settings;
  const [
    logger,
    clock,
    engine,
    probe,
    reader,
    ledger,
    curatedCalls,
    readiness,
    curatorTokens,
    operatorTokens,
  ] = await Promise.all([
    container.getAsync(Logger),
    container.getAsync(Clock),
    container.getAsync(SubmissionEngine),
    container.getAsync(NodeHealthCheck),
    container.getAsync(ChainReader),
    container.getAsync(Ledger),
    container.getAsync(CuratedCalls),
    container.getAsync(Readiness),
    container.getAsync(CuratorTokens),
    container.getAsync(OperatorTokens),
  ]);
  const [fairValues, inFlight, connections, metrics, routes, tasks] = await Promise.all([
    container.getAsync(FairValues),
    container.getAsync(InFlight),
    container.getAsync(Connections),
    container.getAsync(Metrics),
    container.getAllAsync(Route),
    container.getAllAsync(BackgroundTask),
  ]);
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const { trustedProxies, corsOrigins, rateLimits } = http;
  const app = createApp({
    routes,
    logger,
    metrics,
    trustedProxies,
    corsOrigins,
    rateLimits,
    curatorTokens,
    operatorTokens,
    inFlight,
    stopping: hurrying.signal,
  });
  const server = await listenOnAll(app, http, connections);
  const metricsServer =
    served === null
      ? null
      : await serveMetrics(metrics, served).catch(async (error: unknown) => {
          await server.close(0, () => hurrying.abort());
          throw error;
        });
  logger.info(
    {
      url: server.url,
      ...(server.sharedUrl === null ? {} : { sharedUrl: server.sharedUrl }),
      metricsUrl: metricsServer?.url,
      mode,
      network: network.name,
    },
    'listening',
  );
  // After it listens, because a port that can't be had must not leave anything running.
  const stopTasks = startBackgroundTasks(tasks, { clock, logger });
  const { chainId } = network;
  const accounts = lanesOf(settings).map(({ address }) => address);
  let reporting: Promise<void> = Promise.resolve();
  const beforeStart = async (): Promise<void> => {
    await warnOfEmptyLedger({
      ledger,
      reader,
      chainId,
      accounts,
      acceptance: machine.acceptance,
      logger,
    });
    await curatedCalls.learn();
    // Nothing waits for it: prices may be out of reach, and the machine needs none.
    if (settings.swap !== null)
      reporting = warnOfUnpricedTokens(network.swapPool?.outputTokens ?? [], fairValues, logger);
  };
  const running = startEngineOnRightChain(
    { probe, engine, chainId, clock, logger, beforeStart },
    stopping.signal,
  );

  return {
    url: server.url,
    running,
    async stop() {
      logger.info({}, 'stopping');
      readiness.stop();
      // Balancers ask whether it is ready now and then; until they have, they send requests.
      await clock.sleep(http.shutdownDrainMs);
      stopping.abort();
      await server.close(http.shutdownGraceMs, () => hurrying.abort());
      await Promise.allSettled([running, reporting]);
      await stopTasks();
      await engine.stop();
      await metricsServer?.close();
      await container.unbindAllAsync();
      logger.info({}, 'stopped');
    },
  };
}
