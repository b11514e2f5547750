import type { Caller } from '@sotto/kernel';
import { FairSemaphore, type SlotSettings } from '../../src/index.js';

/** Jobs that run until a test ends them. Records the order in which the jobs started. */
export class Jobs {
  readonly began: string[] = [];
  readonly #ends = new Map<string, () => void>();

  constructor(readonly slots: FairSemaphore) {}

  /**
   * Requests a slot for a job. Resolves to the code of a rejection, or to `done` once the job has
   * ended.
   */
  async start(
    name: string,
    job: string,
    caller: string | Caller = 'anybody',
    key: string | null = null,
  ): Promise<string> {
    const work = async (): Promise<void> => {
      this.began.push(job);
      await new Promise<void>((resolve) => {
        this.#ends.set(job, resolve);
      });
    };
    try {
      await this.slots.run(name, callerOf(caller), work, key);
      return 'done';
    } catch (error) {
      return Object(error).code;
    }
  }

  async end(job: string): Promise<void> {
    this.#ends.get(job)?.();
    this.#ends.delete(job);
    await turn();
  }
}

const callerOf = (caller: string | Caller): Caller =>
  typeof caller === 'string' ? { name: caller, networks: [] } : caller;

/** Waits until all started work is finished or waits for the test. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const jobsOn = (settings: SlotSettings): Jobs => new Jobs(new FairSemaphore(settings));
