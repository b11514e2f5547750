import { Connections, InFlight } from '@sotto/http-server';
import { Clock, Logger } from '@sotto/kernel';
import { Readiness } from '@sotto/relayer-core';
import { Metrics } from '@sotto/telemetry';
import { createContainer, type AppContainer, type AppModule } from '../composition/container.js';
import { keeperModules, relayerModules, type OwnParts } from '../composition/relayer-modules.js';
import { NamedUseCases, type UseCases } from '../composition/use-cases.module.js';
import type { Settings } from '../environment/settings.js';
import { Work } from './work.js';

/** Running relayer: its start and stop, and the objects that the surrounding program needs. */
export interface Runtime {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** Counter of the callers' requests in flight, for the server and the metrics. */
  readonly inFlight: InFlight;
  readonly connections: Connections;
  /** Starts the automatic work; see {@link Work.start}. */
  start(signal?: AbortSignal): Promise<void>;
  /**
   * Waits until tasks and sends finish, and closes node, store and workers. A second call only
   * waits for the first call.
   */
  stop(): Promise<void>;
}

/**
 * Opens all components of a relayer. No task is started. {@link Runtime.stop} closes everything
 * that was opened.
 */
export function openRelayer(settings: Settings, own: OwnParts = {}): Promise<Runtime & UseCases> {
  return open(relayerModules(settings, own), async (container) => ({
    ...(await container.getAsync(NamedUseCases)).all,
    ...(await runtimeOf(container)),
  }));
}

/** Opens the components of a process that runs tasks and accepts no requests. */
export function openKeeper(settings: Settings): Promise<Runtime> {
  return open(keeperModules(settings), runtimeOf);
}

async function open<T>(
  modules: readonly AppModule[],
  partsOf: (container: AppContainer) => Promise<T>,
): Promise<T> {
  const container = createContainer(...modules);
  try {
    return await partsOf(container);
  } catch (error) {
    // Components that could not be opened can't be closed either. The first failure is the cause,
    // so failures of closing are ignored.
    await Promise.allSettled([container.unbindAllAsync()]);
    throw error;
  }
}

async function runtimeOf(container: AppContainer): Promise<Runtime> {
  const work = await container.getAsync(Work);
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    try {
      await work.stop();
    } finally {
      await container.unbindAllAsync();
    }
  };
  return {
    clock: await container.getAsync(Clock),
    logger: await container.getAsync(Logger),
    metrics: await container.getAsync(Metrics),
    readiness: await container.getAsync(Readiness),
    inFlight: await container.getAsync(InFlight),
    connections: await container.getAsync(Connections),
    start: (signal) => work.start(signal),
    stop: () => (stopped ??= stop()),
  };
}
