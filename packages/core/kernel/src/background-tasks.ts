import type { Clock } from './clock.js';
import type { Logger } from './logger.js';
import { runIsolated } from './run-isolated.js';

/** Task that runs repeatedly while the service runs. */
export abstract class BackgroundTask {
  /** Name of the task in the log. */
  abstract readonly name: string;
  /** Pause between the end of one run and the start of the next, in ms. */
  abstract readonly intervalMs: number;
  /**
   * Runs the task once. The run must end within a limited time, and sooner if the signal aborts.
   */
  abstract run(signal: AbortSignal): Promise<void>;
}

export interface BackgroundSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs each task immediately, and then after each interval. A failed run is logged, and the task is
 * still run again.
 * @returns function that ends the intervals; its promise resolves when running tasks have ended
 */
export function startBackgroundTasks(
  tasks: readonly BackgroundTask[],
  deps: BackgroundSurroundings,
): () => Promise<void> {
  const stopping = new AbortController();
  const loops = tasks.map(async (task) => {
    while (!stopping.signal.aborted) {
      await runIsolated(deps.logger, 'a background task', { task: task.name }, () =>
        task.run(stopping.signal),
      );
      await deps.clock.sleep(task.intervalMs, stopping.signal);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}
