import { Child, type ChildOptions } from '@sotto/process-kit';
import { z } from 'zod';

const Usage = z.object({
  cpuMicros: z.number(),
  residentBytes: z.number(),
  writtenBytes: z.number().nullable(),
  delayP50Ms: z.number(),
  delayP99Ms: z.number(),
  /** The longest that the loop stood still. */
  delayMaxMs: z.number(),
});

/**
 * What a process has used since it began; delays of its event loop since
 * {@link MeasuredChild.watchDelay}.
 */
export type Usage = z.output<typeof Usage>;

const MICROS_PER_MS = 1_000;
const PRELOAD = new URL('./preload.js', import.meta.url).href;

/** A process that reports what it has used. */
export class MeasuredChild extends Child {
  constructor({ nodeOptions = [], ...options }: ChildOptions) {
    super({ ...options, nodeOptions: [...nodeOptions, '--import', PRELOAD] });
  }

  /** From now until {@link usage} is asked for. */
  watchDelay(): void {
    this.send('watch delay');
  }

  async usage(): Promise<Usage> {
    return Usage.parse(await this.ask('usage'));
  }

  /** Processor time since it began, in milliseconds. */
  async cpuMs(): Promise<number> {
    return (await this.usage()).cpuMicros / MICROS_PER_MS;
  }
}
