import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { linesLost } from './bounded-lines.js';

/**
 * Allowed values of each label of a metric. Any other value is counted under {@link OTHER}, so that
 * no external text creates a series.
 */
export type LabelSets = Readonly<Record<string, readonly string[]>>;
type Labels<L extends LabelSets> = { readonly [Name in keyof L]: L[Name][number] };

export interface MetricDefinition<L extends LabelSets> {
  /** Name in base units, with the unit as suffix: `_seconds`, `_bytes`, `_total` for counters. */
  readonly name: `sotto_${string}`;
  readonly help: string;
  readonly labels: L;
}

/** Label of values outside their closed set. */
export const OTHER = 'other';

/** Buckets from the duration of a cached read to that of a waiting withdrawal. */
const SECONDS_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

export interface CounterHandle<L extends LabelSets> {
  add(labels: Labels<L>, by?: number): void;
}
export interface DurationHandle<L extends LabelSets> {
  observe(labels: Labels<L>, seconds: number): void;
}
/** Sample of a gauge. */
export interface Sample<L extends LabelSets> {
  readonly labels: Labels<L>;
  readonly value: number;
}

/** Time in ms that a read of the metrics waits for the samples of a gauge. */
const GAUGE_WAIT_MS = 500;

/** Metrics of the process in Prometheus' format. Every label has a closed set of values. */
export class Metrics {
  readonly #registry = new Registry();

  /**
   * @param ofProcess true if memory, handles and event-loop delay of this process are exposed too
   * @default true
   * @param gaugeWaitMs a gauge whose samples need longer exposes its previous ones @default 500
   */
  constructor(
    ofProcess = true,
    private readonly gaugeWaitMs = GAUGE_WAIT_MS,
  ) {
    if (!ofProcess) return;
    collectDefaultMetrics({ register: this.#registry });
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
   * Registers a counter that another component keeps. The value is read at each read of the
   * metrics.
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
   * Registers a gauge whose samples are requested at each read of the metrics. After a rejection it
   * has no samples, or is NaN if it has no labels. A slow gauge delays no read: it exposes its
   * previous samples in that case, and at most one request for samples runs at a time.
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
        // A reset gauge without labels would expose 0.
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
 * Returns the result of `read` if it arrives in time, otherwise the previous one; an empty list if
 * it fails.
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
    // An aborted wait rejects, and then nothing awaits it.
    const wait = sleep(waitMs, undefined, { signal: waited.signal, ref: false }).catch(
      () => undefined,
    );
    await Promise.race([reading, wait]);
    waited.abort();
    return last;
  };
}

/**
 * Replaces values outside of their sets by {@link OTHER}. Runs for every request, so the sets are
 * created once.
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
