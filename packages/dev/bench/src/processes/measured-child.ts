import { Child, type ChildOptions } from '@sotto/process-kit';
import { z } from 'zod';
import { LoopDelay } from '../measure/loop-delay.js';

const Usage = z.object({
  cpuMicros: z.number(),
  residentBytes: z.number(),
  writtenBytes: z.number().nullable(),
});

/** What a process has used since it began. */
type Usage = z.output<typeof Usage>;

const MICROS_PER_MS = 1_000;
const PRELOAD = new URL('./preload.js', import.meta.url).href;

/** A process that reports what it has used. */
export class MeasuredChild extends Child {
  constructor({ nodeOptions = [], ...options }: ChildOptions) {
    super({ ...options, nodeOptions: [...nodeOptions, '--import', PRELOAD] });
  }

  /** From now until {@link delay} is asked for. */
  watchDelay(): void {
    this.send('watch delay');
  }

  /** Of its event loop since {@link watchDelay}. */
  async delay(): Promise<LoopDelay> {
    return LoopDelay.parse(await this.ask('delay'));
  }

  async usage(): Promise<Usage> {
    return Usage.parse(await this.ask('usage'));
  }

  /** Processor time since it began, in milliseconds. */
  async cpuMs(): Promise<number> {
    return (await this.usage()).cpuMicros / MICROS_PER_MS;
  }
}
