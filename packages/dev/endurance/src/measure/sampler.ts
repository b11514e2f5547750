import { systemClock } from '@sotto/kernel';
import type { Service } from '@sotto/process-kit';
import { readProcessSample, type ProcessSample } from './process-metrics.js';

/** Polls the metrics of a service's process at a fixed interval. */
export class Sampler {
  readonly samples: ProcessSample[] = [];
  /** Number of polls without a response. */
  missed = 0;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly service: Service,
    private readonly startMs = systemClock.monotonicMs(),
  ) {}

  start(everyMs: number): void {
    this.#running = this.#run(everyMs);
  }

  /** Polls one last time and stops. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#poll();
  }

  async #run(everyMs: number): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#poll();
      await systemClock.sleep(everyMs, this.#ending.signal);
    }
  }

  async #poll(): Promise<void> {
    const text = await this.service.metrics().catch(() => null);
    if (text === null) this.missed += 1;
    else
      this.samples.push(
        readProcessSample(text, (systemClock.monotonicMs() - this.startMs) / 1_000),
      );
  }
}
