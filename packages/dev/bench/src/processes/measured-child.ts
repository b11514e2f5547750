import { Child, type ChildOptions } from '@sotto/process-kit';
import { z } from 'zod';
import { LoopDelay } from '../measure/loop-delay.js';

const Usage = z.object({
  cpuMicros: z.number(),
  residentBytes: z.number(),
  writtenBytes: z.number().nullable(),
});

/** Resources that a process has used since its start. */
type Usage = z.output<typeof Usage>;

const MICROS_PER_MS = 1_000;
const PRELOAD = new URL('./preload.js', import.meta.url).href;

/** Child process that reports the resources that it has used. */
export class MeasuredChild extends Child {
  constructor({ nodeOptions = [], ...options }: ChildOptions) {
    super({ ...options, nodeOptions: [...nodeOptions, '--import', PRELOAD] });
  }

  /** Starts to measure the event loop, for {@link delay}. */
  watchDelay(): void {
    this.send('watch delay');
  }

  /** Returns the event-loop delay since {@link watchDelay}. */
  async delay(): Promise<LoopDelay> {
    return LoopDelay.parse(await this.query('delay'));
  }

  async usage(): Promise<Usage> {
    return Usage.parse(await this.query('usage'));
  }

  /** Returns the CPU time since the process started, in ms. */
  async cpuMs(): Promise<number> {
    return (await this.usage()).cpuMicros / MICROS_PER_MS;
  }
}
