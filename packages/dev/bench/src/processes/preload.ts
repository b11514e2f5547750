import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { loopDelayOf } from '../measure/loop-delay.js';

/**
 * Preloaded into every process of the benchmark. Reports the used resources on request. The
 * measurement is the same for all processes and needs no changes to their code.
 */

/**
 * Sampling interval of the event loop in ms. Samples cost little, and are recorded only during a
 * measurement.
 */
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
  // The listener must not prevent a finished process from ending.
  channel.unref();
}

/**
 * Returns the bytes that this process has written to files, in whole pages as counted by Linux.
 * Returns null on other systems.
 */
function writtenBytes(): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
    return bytes === undefined ? null : Number(bytes);
  } catch {
    return null;
  }
}
