import type { Clock } from './clock.js';
import type { Logger } from './logger.js';
import { runIsolated } from './run-isolated.js';

/** Something that is done again and again while the service runs. */
export abstract class BackgroundTask {
  /** For the log. */
  abstract readonly name: string;
  /** From the end of one run to the begin of the next. */
  abstract readonly intervalMs: number;
  /** Ends within a time of its own, sooner when the signal aborts. */
  abstract run(signal: AbortSignal): Promise<void>;
}

export interface BackgroundSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs each task at once and then at its intervals. A run that fails is logged, and the next one
 * comes all the same.
 * @returns ends the intervals; resolves when runs that are under way have ended
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
