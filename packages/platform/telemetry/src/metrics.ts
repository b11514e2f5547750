import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { linesLost } from './bounded-lines.js';

/**
 * Allowed values of each label of a metric. Any other value is counted under {@link OTHER}, so that
 * external text never creates a time series.
 */
export type LabelSets = Readonly<Record<string, readonly string[]>>;
type Labels<L extends LabelSets> = { readonly [Name in keyof L]: L[Name][number] };

export interface MetricDefinition<L extends LabelSets> {
  /**
   * Name of the metric, ending with a base unit (`_seconds`, `_bytes`), or with `_total` for
   * counters.
   */
  readonly name: `sotto_${string}`;
  readonly help: string;
  readonly labels: L;
}

/** Label value that replaces every value outside the label’s set of allowed values. */
export const OTHER = 'other';

/**
 * Histogram buckets in seconds, from the duration of a cached read to the duration of a withdrawal
 * whose caller waits for its outcome.
 */
const SECONDS_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

export interface CounterHandle<L extends LabelSets> {
  add(labels: Labels<L>, by?: number): void;
}
export interface DurationHandle<L extends LabelSets> {
  observe(labels: Labels<L>, seconds: number): void;
}
/** Value of a metric for one combination of labels. */
export interface Sample<L extends LabelSets> {
  readonly labels: Labels<L>;
  readonly value: number;
}

/** Maximum time in ms that a read of the metrics waits for the samples of one gauge. */
const GAUGE_WAIT_MS = 500;

/**
 * Interval between two samples of the event-loop delay, in ms. Each sample wakes the process: at
 * prom-client's default of 10 ms, the samples use more processor time than the rest of an idle
 * service. A sample includes this interval.
 */
const EVENT_LOOP_SAMPLE_MS = 100;

/** Metrics of the process in Prometheus' format. Every label has a closed set of values. */
export class Metrics {
  readonly #registry = new Registry();

  /**
   * @param ofProcess true if memory, handles and event-loop delay of this process are also exposed
   * @default true
   * @param gaugeWaitMs maximum wait in ms for the samples of a gauge; a slower gauge exposes its
   *   previous samples @default 500
   */
  constructor(
    ofProcess = true,
    private readonly gaugeWaitMs = GAUGE_WAIT_MS,
  ) {
    if (!ofProcess) return;
    collectDefaultMetrics({
      register: this.#registry,
      eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
    });
    this.counted(
      {
        name: 'sotto_log_lines_lost_total',
        help: 'Log lines that were neither written nor can be: their reader stopped or the disk is full.',
        labels: {},
      },
      () => [{ labels: {}, value: linesLost() }],
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  counter<const L extends LabelSets>(definition: MetricDefinition<L>): CounterHandle<L> {
    const counter = new Counter({ ...this.#optionsOf(definition) });
    const closed = closing(definition.labels);
    return { add: (labels, by = 1) => counter.inc(closed(labels), by) };
  }

  /** Creates a histogram of durations in seconds. */
  duration<const L extends LabelSets>(definition: MetricDefinition<L>): DurationHandle<L> {
    const histogram = new Histogram({ ...this.#optionsOf(definition), buckets: SECONDS_BUCKETS });
    const closed = closing(definition.labels);
    return { observe: (labels, seconds) => histogram.observe(closed(labels), seconds) };
  }

  /**
   * Registers a counter whose value another component stores. The value is requested each time the
   * metrics are read.
   */
  counted<const L extends LabelSets>(
    definition: MetricDefinition<L>,
    samples: () => readonly Sample<L>[],
  ): void {
    const closed = closing(definition.labels);
    const counter: Counter = new Counter({
      ...this.#optionsOf(definition),
      collect() {
        counter.reset();
        for (const { labels, value } of samples()) counter.inc(closed(labels), value);
      },
    });
  }

  /**
   * Registers a gauge whose samples are requested each time the metrics are read. If the request
   * rejects, the gauge has no samples, or is NaN if it has no labels. A slow gauge delays a read
   * only up to the limit and then exposes its previous samples. While a request for its samples is
   * running, no second one starts.
   */
  gauge<const L extends LabelSets>(
    definition: MetricDefinition<L>,
    samples: () => Promise<readonly Sample<L>[]>,
  ): void {
    const options = this.#optionsOf(definition);
    const closed = closing(definition.labels);
    const known = lastKnown(samples, this.gaugeWaitMs);
    const gauge: Gauge = new Gauge({
      ...options,
      async collect() {
        gauge.reset();
        // After a reset, a gauge without labels would expose 0.
        if (options.labelNames.length === 0) gauge.set(Number.NaN);
        for (const { labels, value } of await known()) gauge.set(closed(labels), value);
      },
    });
  }

  #optionsOf<L extends LabelSets>({
    name,
    help,
    labels,
  }: MetricDefinition<L>): {
    name: string;
    help: string;
    labelNames: string[];
    registers: Registry[];
  } {
    return { name, help, labelNames: Object.keys(labels), registers: [this.#registry] };
  }
}

/**
 * Creates a function that returns the result of `read` if it arrives within `waitMs`, and otherwise
 * the previous result. The result is an empty list if `read` fails.
 */
function lastKnown<T>(
  read: () => Promise<readonly T[]>,
  waitMs: number,
): () => Promise<readonly T[]> {
  let last: readonly T[] = [];
  let reading: Promise<void> | null = null;
  const refresh = async (): Promise<void> => {
    try {
      last = await read();
    } catch {
      last = [];
    }
    reading = null;
  };
  return async () => {
    reading ??= refresh();
    const waited = new AbortController();
    // The aborted sleep rejects after the race, when no code awaits it. Without this handler, Node
    // would report an unhandled rejection.
    const wait = sleep(waitMs, undefined, { signal: waited.signal, ref: false }).catch(
      () => undefined,
    );
    await Promise.race([reading, wait]);
    waited.abort();
    return last;
  };
}

/**
 * Creates a function that replaces label values outside their allowed sets by {@link OTHER}. The
 * function runs for every request, so the sets are created only once.
 */
function closing<L extends LabelSets>(sets: L): (labels: Labels<L>) => Record<string, string> {
  const allowed = Object.entries(sets).map(
    ([name, values]) => [name, new Set<unknown>(values)] as const,
  );
  return (labels) => {
    const closed: Record<string, string> = {};
    for (const [name, values] of allowed) {
      const value = labels[name];
      closed[name] = value !== undefined && values.has(value) ? value : OTHER;
    }
    return closed;
  };
}
