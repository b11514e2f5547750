/** Metrics of a service's process, read by one poll. */
export interface ProcessSample {
  /** Seconds since the run began. */
  readonly atSeconds: number;
  readonly residentMemoryBytes: number;
  readonly heapUsedBytes: number;
  readonly activeHandles: number;
  /** p99 of the event loop delay since the previous poll, in seconds. */
  readonly eventLoopDelayP99Seconds: number;
  /** Total CPU time since the process began, in seconds. */
  readonly cpuSeconds: number;
}

const NAMES = {
  residentMemoryBytes: 'process_resident_memory_bytes',
  heapUsedBytes: 'nodejs_heap_size_used_bytes',
  activeHandles: 'nodejs_active_handles_total',
  eventLoopDelayP99Seconds: 'nodejs_eventloop_lag_p99_seconds',
  cpuSeconds: 'process_cpu_seconds_total',
} as const;

/** Seconds between two samples of the event loop. The service's metric includes this time. */
const EVENT_LOOP_SAMPLE_SECONDS = 0.1;

/**
 * Parses a sample from metrics in Prometheus' text format.
 * @throws Error if a metric is missing
 */
export function readProcessSample(text: string, atSeconds: number): ProcessSample {
  const values = new Map(
    text
      .split('\n')
      .filter((line) => !line.startsWith('#') && !line.includes('{'))
      .map((line) => line.split(' '))
      .map(([name = '', value = '']) => [name, Number(value)]),
  );
  const read = (name: string): number => {
    const value = values.get(name);
    if (value === undefined || Number.isNaN(value))
      throw new Error(`the service does not expose ${name}`);
    return value;
  };
  return {
    atSeconds,
    residentMemoryBytes: read(NAMES.residentMemoryBytes),
    heapUsedBytes: read(NAMES.heapUsedBytes),
    activeHandles: read(NAMES.activeHandles),
    eventLoopDelayP99Seconds: Math.max(
      0,
      read(NAMES.eventLoopDelayP99Seconds) - EVENT_LOOP_SAMPLE_SECONDS,
    ),
    cpuSeconds: read(NAMES.cpuSeconds),
  };
}
