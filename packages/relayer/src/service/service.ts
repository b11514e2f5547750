import { startBackgroundTasks, type BackgroundTask, type Clock, type Logger } from '@sotto/kernel';
import type { Readiness } from '@sotto/relayer-core';
import {
  startEngineOnRightChain,
  warnOfEmptyLedger,
  type ChainReader,
  type Ledger,
  type NodeHealthCheck,
  type SubmissionEngine,
} from '@sotto/submission-core';
import { serveMetrics, type Metrics } from '@sotto/telemetry';
import type { RepeatedCalls, StartWarning, TaskRunners } from '../composition/bindings.js';
import type { Settings } from '../environment/settings.js';
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

/** What is started and stopped together. */
export interface ServiceParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: SubmissionEngine;
  readonly probe: NodeHealthCheck;
  readonly reader: ChainReader;
  readonly ledger: Ledger;
  readonly readiness: Readiness;
  readonly listener: Listener;
  readonly metrics: Metrics;
  readonly tasks: readonly BackgroundTask[];
  /** Of the keeper's tasks. */
  readonly runners: Pick<TaskRunners, 'all'>;
  /** What reads calls back from the chain, and asks the ledger first. */
  readonly repeatedCalls: readonly Pick<RepeatedCalls, 'learn'>[];
  readonly warnings: readonly StartWarning[];
}

export type ServiceSettings = Pick<
  Settings,
  'mode' | 'http' | 'metrics' | 'network' | 'engine' | 'lanes'
>;

/** A process as a whole: its listeners, its background tasks and the engine. */
export class Service {
  readonly #parts: ServiceParts;
  readonly #settings: ServiceSettings;

  constructor(parts: ServiceParts, settings: ServiceSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** Rejects when a port can't be had; nothing runs then. */
  async start(): Promise<RunningService> {
    const { logger, clock, engine, probe, readiness, metrics, tasks, runners } = this.#parts;
    const { mode, http, metrics: served, network } = this.#settings;
    const stopping = new AbortController();
    const listener = await this.#parts.listener.open();
    const metricsServer =
      served === null
        ? null
        : await serveMetrics(metrics, served).catch(async (error: unknown) => {
            await listener.close(0);
            throw error;
          });
    logger.info(
      {
        url: listener.url,
        ...(listener.sharedUrl === null ? {} : { sharedUrl: listener.sharedUrl }),
        metricsUrl: metricsServer?.url,
        mode,
        network: network.name,
      },
      'listening',
    );
    // After it listens, because a port that can't be had must not leave anything running.
    const stopTasks = startBackgroundTasks([...tasks, ...runners.all], { clock, logger });
    let warning: Promise<unknown> = Promise.resolve();
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
          warning = Promise.all(this.#parts.warnings.map((each) => each.warn()));
        },
      },
      stopping.signal,
    );

    return {
      url: listener.url,
      running,
      async stop() {
        logger.info({}, 'stopping');
        readiness.stop();
        // Balancers ask whether it is ready now and then; until they have, they send requests.
        await clock.sleep(http.shutdownDrainMs);
        stopping.abort();
        await listener.close(http.shutdownGraceMs);
        await Promise.allSettled([running, warning]);
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
}
