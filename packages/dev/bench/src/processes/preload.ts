import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

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
  // What is recorded is the time from one look to the next, the intended part included.
  const beyond = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS);
  process.on('message', (order) => {
    if (order === 'watch delay') {
      delay.reset();
      delay.enable();
    }
    if (order !== 'usage') return;
    delay.disable();
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpuMicros: user + system,
      residentBytes: process.memoryUsage.rss(),
      writtenBytes: writtenBytes(),
      delayP50Ms: beyond(delay.percentile(50)),
      delayP99Ms: beyond(delay.percentile(99)),
      delayMaxMs: beyond(delay.max),
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
