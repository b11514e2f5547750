import type { Clock } from '@sotto/kernel';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import type { SwapTries } from '../../swaps/application/swap-tries.js';

/** How often a swap that is tried again is looked at. */
const LOOK_INTERVAL_MS = 250;

/** Submissions that report a swap and the tries that follow it as one. */
export class RetriedSubmissions implements Submissions {
  readonly expect: Submissions['expect'];
  readonly submit: Submissions['submit'];
  readonly renew: Submissions['renew'];
  readonly checkQueueCapacity: Submissions['checkQueueCapacity'];
  readonly last: Submissions['last'];

  constructor(
    private readonly machine: Submissions,
    private readonly tries: Pick<SwapTries, 'withTries'>,
    private readonly clock: Clock,
  ) {
    this.expect = (call) => machine.expect(call);
    this.submit = (wanted) => machine.submit(wanted);
    this.renew = (attempt, newer) => machine.renew(attempt, newer);
    this.checkQueueCapacity = (role) => machine.checkQueueCapacity(role);
    this.last = (key) => machine.last(key);
  }

  async find(id: string): Promise<SubmissionAnswer | null> {
    const answer = await this.machine.find(id);
    return answer === null ? null : this.tries.withTries(answer);
  }

  async waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const untilMs = this.clock.monotonicMs() + waitMs;
    for (;;) {
      const answer = await this.machine.waitFor(
        id,
        Math.max(0, untilMs - this.clock.monotonicMs()),
        signal,
      );
      const reported = await this.tries.withTries(answer);
      const leftMs = untilMs - this.clock.monotonicMs();
      if (reported.kind !== 'pending' || leftMs <= 0 || signal?.aborted === true) return reported;
      await this.clock.sleep(Math.min(leftMs, LOOK_INTERVAL_MS), signal);
    }
  }
}
