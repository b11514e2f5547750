import type { BackgroundTask } from '@sotto/kernel';
import { startBackgroundTasks, type Clock, type Logger } from '@sotto/kernel';
import type { RepeatedCalls, TaskRunners } from '@sotto/relayer/composition';
import { warnOfUnpricedTokens, type FairValues, type Readiness } from '@sotto/relayer-core';
import {
  startEngineOnRightChain,
  warnOfEmptyLedger,
  type ChainReader,
  type Ledger,
  type NodeHealthCheck,
  type SubmissionEngine,
} from '@sotto/submission-core';
import { serveMetrics, type Metrics } from '@sotto/telemetry';
import type { Settings } from '@sotto/relayer';
import { listenOnAll, type Connections, type InFlight, type Route } from '@sotto/http-server';
import type { CuratorTokens, OperatorTokens } from '../../../../apps/api/src/http/credentials.js';
import { createApp } from '../../../../apps/api/src/http/create-app.js';

export interface RunningService {
  /** Where the HTTP interface listens. */
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

/** What is started and stopped together. */
export interface ServiceParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: SubmissionEngine;
  readonly probe: NodeHealthCheck;
  readonly reader: ChainReader;
  readonly ledger: Ledger;
  readonly readiness: Readiness;
  readonly curatorTokens: CuratorTokens;
  readonly operatorTokens: OperatorTokens;
  readonly fairValues: Pick<FairValues, 'offered'>;
  readonly inFlight: InFlight;
  readonly connections: Connections;
  readonly metrics: Metrics;
  readonly routes: readonly Route[];
  readonly tasks: readonly BackgroundTask[];
  /** Of the keeper's tasks. */
  readonly runners: Pick<TaskRunners, 'all'>;
  /** What reads calls back from the chain, and asks the ledger first. */
  readonly repeatedCalls: readonly Pick<RepeatedCalls, 'learn'>[];
}

export type ServiceSettings = Pick<
  Settings,
  'mode' | 'http' | 'metrics' | 'network' | 'engine' | 'lanes' | 'swap'
>;

/** The service as a whole: its listeners, its background tasks and the engine. */
export class Service {
  readonly #parts: ServiceParts;
  readonly #settings: ServiceSettings;

  constructor(parts: ServiceParts, settings: ServiceSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** Rejects when a port can't be had; nothing runs then. */
  async start(): Promise<RunningService> {
    const { logger, clock, engine, probe, readiness, connections, metrics, tasks, runners } =
      this.#parts;
    const { mode, http, metrics: served, network } = this.#settings;
    const stopping = new AbortController();
    const hurrying = new AbortController();
    const { trustedProxies, corsOrigins, rateLimits } = http;
    const app = createApp({
      ...this.#parts,
      trustedProxies,
      corsOrigins,
      rateLimits,
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
    const stopTasks = startBackgroundTasks([...tasks, ...runners.all], { clock, logger });
    let reporting: Promise<void> = Promise.resolve();
    const running = startEngineOnRightChain(
      {
        probe,
        engine,
        chainId: network.chainId,
        clock,
        logger,
        beforeStart: async () => {
          await this.#compareLedger();
          // Nothing waits for it: prices may be out of reach, and the machine needs none.
          reporting = this.#warnOfUnpricedTokens();
        },
      },
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
        await Promise.all(runners.all.map((runner) => runner.stop()));
        await engine.stop();
        await metricsServer?.close();
      },
    };
  }

  async #compareLedger(): Promise<void> {
    const { ledger, reader, logger, repeatedCalls } = this.#parts;
    const { network, engine, lanes } = this.#settings;
    await warnOfEmptyLedger({
      ledger,
      reader,
      chainId: network.chainId,
      accounts: lanes.map(({ address }) => address),
      acceptance: engine.acceptance,
      logger,
    });
    for (const calls of repeatedCalls) await calls.learn();
  }

  async #warnOfUnpricedTokens(): Promise<void> {
    const { network, swap } = this.#settings;
    const { fairValues, logger } = this.#parts;
    if (swap !== null)
      await warnOfUnpricedTokens(network.swapPool?.outputTokens ?? [], fairValues, logger);
  }
}
