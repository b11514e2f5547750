import { expect, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
} from 'fast-check';
import type { SlotSettings } from '../../src/index.js';
import { jobsOn, turn, type Jobs } from '../support/jobs.js';

const NAMES = ['a', 'b', 'c'] as const;

/**
 * Starts jobs on a semaphore. Computes the set of running jobs from the observed starts and ends.
 */
class Watched {
  readonly outcomes: Promise<string>[] = [];
  running: readonly string[] = [];
  readonly #jobs: Jobs;
  #seen = 0;

  constructor(private readonly limits: SlotSettings) {
    this.#jobs = jobsOn(limits);
  }

  async start(name: string, job: string): Promise<void> {
    this.outcomes.push(this.#jobs.start(name, job));
    await this.#poll();
  }

  async end(index: number): Promise<void> {
    const job = this.running[index % Math.max(1, this.running.length)];
    if (job === undefined) return;
    this.running = this.running.filter((other) => other !== job);
    await this.#jobs.end(job);
    await this.#poll();
  }

  /** Returns a description of the violated limit; null if no limit is violated. */
  flaw(): string | null {
    const { slots, slotsPerName } = this.limits;
    const counts = this.#jobs.slots.counts();
    const ofNames = NAMES.map((name) => this.running.filter((job) => job.startsWith(name)).length);
    if (counts.running !== this.running.length || counts.running > slots) return 'too many run';
    if (ofNames.some((count) => count > slotsPerName)) return 'too many of a name run';
    const held = ofNames.some((count) => count === slotsPerName);
    return counts.waiting > 0 && counts.running < slots && !held
      ? 'a slot is empty while a caller that may have it waits'
      : null;
  }

  async #poll(): Promise<void> {
    await turn();
    this.running = [...this.running, ...this.#jobs.began.slice(this.#seen)];
    this.#seen = this.#jobs.began.length;
  }
}

it('FairSemaphore never exceeds a limit, never leaves a usable slot unused, and settles every call', async () => {
  const settings = record({
    slots: integer({ min: 1, max: 4 }),
    slotsPerName: integer({ min: 1, max: 4 }),
    waitingPerName: nat(5),
  });
  const steps = array(oneof(constantFrom(...NAMES), nat(9)), { maxLength: 40 });
  await assert(
    asyncProperty(settings, steps, async (limits, script) => {
      const watched = new Watched(limits);
      for (const [index, step] of script.entries()) {
        await (typeof step === 'string'
          ? watched.start(step, `${step}${index}`)
          : watched.end(step));
        expect(watched.flaw()).toBeNull();
      }
      while (watched.running.length > 0) await watched.end(0);
      const outcomes = new Set(await Promise.all(watched.outcomes));
      expect(
        [...outcomes].filter((outcome) => outcome !== 'done' && outcome !== 'OVERLOADED'),
      ).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
