import type { Clock } from './clock.js';
import type { Logger } from './logger.js';
import { runIsolated } from './run-isolated.js';

/** Task that repeats while the service runs. */
export abstract class BackgroundTask {
  /** Name of the task in the log. */
  abstract readonly name: string;
  /** Pause between the end of a run and the next one, in ms. */
  abstract readonly intervalMs: number;
  /** Runs once. Must end within a limited time, and sooner if the signal aborts. */
  abstract run(signal: AbortSignal): Promise<void>;
}

export interface BackgroundSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs each task at once and then at its intervals. A failed run is logged, and the next one still
 * follows.
 * @returns function that ends the intervals; resolves when running tasks have ended
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
