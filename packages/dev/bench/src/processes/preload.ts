import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { loopDelayOf } from '../measure/loop-delay.js';

/**
 * Preloaded into every process of the benchmark: reports to it on request what the process has
 * used, the same for all of them, from inside, without a word in their own code.
 */

/** A sample this often costs next to nothing, and is only taken during a measurement. */
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

const { channel } = process;
if (isMainThread && channel) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  process.on('message', (order) => {
    if (order === 'watch delay') {
      delay.reset();
      delay.enable();
    }
    if (order === 'delay') {
      delay.disable();
      const quantile = (percent: number): number => delay.percentile(percent) / NANOSECONDS_PER_MS;
      process.send?.(loopDelayOf(quantile, RESOLUTION_MS));
    }
    if (order !== 'usage') return;
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpuMicros: user + system,
      residentBytes: process.memoryUsage.rss(),
      writtenBytes: writtenBytes(),
    });
  });
  // Listening must not keep a process alive that has nothing left to do.
  channel.unref();
}

/** To files, by whole pages, as Linux counts them; null on any other system. */
function writtenBytes(): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
    return bytes === undefined ? null : Number(bytes);
  } catch {
    return null;
  }
}
