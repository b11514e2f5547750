import { DomainError, type Felts } from '@sotto/kernel';
import type {
  Acceptance,
  Attempt,
  ResourceLimits,
  SubmissionAnswer,
  WantedSubmission,
} from '@sotto/submission-core';
import { CONTRACTS } from './chain/chain.js';
import { calldataOf, lastBlockIn } from './chain/transaction.js';
import type { Judge } from './judge.js';
import type { CallerPlan } from './run-plan.js';
import type { Random } from './random.js';
import type { ReportedAnswer } from './reported.js';
import type { Scheduler } from './scheduler.js';
import type { ServiceProcess } from './service-process.js';
import type { Story } from './story.js';

const CALL_LIMITS: ResourceLimits = {
  l2Gas: 100_000_000n,
  l1Gas: 256n,
  l1DataGas: 2_048n,
  priceMultiplier: 2n,
};

export interface CallersParts {
  readonly scheduler: Scheduler;
  readonly judge: Judge;
  readonly story: Story;
  /** Selects a process that accepts requests; null if no process does. */
  readonly pick: (random: Random) => ServiceProcess | null;
  /** Called when a caller has received an answer. */
  readonly heard: (answer: ReportedAnswer) => void;
  /** Returns the height of the chain. */
  readonly height: () => number;
}

const NO_ANSWER = Symbol('no answer');

/**
 * Callers that request payments of keys. A caller may repeat a request, wait, disconnect and
 * return. The judge assumes that callers believe every answer.
 */
export class Callers {
  #serials = 0;
  /** Number of callers that are still active. */
  busy = 0;

  constructor(private readonly deps: CallersParts) {}

  start(plan: CallerPlan, random: Random): void {
    this.busy += 1;
    this.deps.scheduler.after(plan.atMs - this.deps.scheduler.nowMs, () => {
      void this.#live(plan, random).finally(() => {
        this.busy -= 1;
      });
    });
  }

  /**
   * Sends one request and repeats it until the outcome arrives. Used at the end of a run, when
   * there are no faults.
   */
  async probe(plan: CallerPlan, random: Random): Promise<string | null> {
    const id = await this.#request(plan, random, 20);
    if (id === null) return 'was not accepted';
    for (let round = 0; round < 40; round += 1) {
      const answer = await this.#wait(plan, id, 5_000, random);
      if (answer?.kind === 'rejected') return `ended with ${answer.code}`;
      if (answer?.kind === 'executed' && answer.finality !== 'PRE_CONFIRMED') return null;
      await this.#pause(2_000);
    }
    return 'was not executed';
  }

  async #live(plan: CallerPlan, random: Random): Promise<void> {
    for (let round = 0; round <= plan.requestsAgain; round += 1) {
      const id = await this.#request(plan, random, 4);
      if (id === null) return;
      for (let requested = 0; requested < 3; requested += 1) {
        const answer = await this.#wait(plan, id, plan.patienceMs, random);
        await this.#pause(random.between(0, 6_000));
        if (answer === null || answer.kind === 'pending') continue;
        if (
          answer.kind === 'executed' &&
          answer.execution === 'SUCCEEDED' &&
          answer.finality !== 'PRE_CONFIRMED'
        )
          return;
        if (answer.kind === 'rejected' || answer.execution === 'REVERTED') break;
      }
    }
  }

  /**
   * Requests the payment of the key. Returns the id of its attempt, or null if no answer arrived.
   */
  async #request(plan: CallerPlan, random: Random, tries: number): Promise<string | null> {
    for (let tried = 0; tried < tries; tried += 1) {
      const process = this.deps.pick(random);
      if (process !== null) {
        const wanted = this.#wantedBy(plan);
        const name = `caller ${plan.index}`;
        this.deps.story.report(
          () =>
            `${name} requests ${wanted.key} from ${process.os.name} (request ${wanted.calldata.at(1)})`,
        );
        const acceptance = await this.#query<Acceptance>(process, 10_000, () =>
          process.service.submit(wanted),
        );
        if (acceptance !== NO_ANSWER && acceptance.kind !== 'conflict') {
          this.deps.judge.acknowledged.add(acceptance.attempt.id);
          this.deps.story.report(
            () => `${name} hears: ${acceptance.kind} as ${acceptance.attempt.id}`,
          );
          if (acceptance.attempt.state === 'accepted' && random.chance(0.4))
            await this.#renew(plan, acceptance.attempt, random);
          return acceptance.attempt.id;
        }
      }
      await this.#pause(random.between(300, 5_000));
    }
    return null;
  }

  /**
   * For a waiting attempt, submits a newer call with the same effect, such as a proof at a newer
   * root.
   */
  async #renew(plan: CallerPlan, attempt: Attempt, random: Random): Promise<void> {
    await this.#pause(random.between(0, 2_000));
    const process = this.deps.pick(random);
    if (process === null) return;
    const newer = this.#wantedBy(plan);
    this.deps.story.report(
      () =>
        `caller ${plan.index} brings a newer call for ${attempt.id} (request ${newer.calldata.at(1)})`,
    );
    await this.#query<boolean>(process, 10_000, () => process.service.renew(attempt, newer));
  }

  async #wait(
    plan: CallerPlan,
    id: string,
    patienceMs: number,
    random: Random,
  ): Promise<SubmissionAnswer | null> {
    const process = this.deps.pick(random);
    if (process === null) return null;
    const gone = new AbortController();
    if (plan.disconnects)
      this.deps.scheduler.after(patienceMs * random.next(), () =>
        process.os.enter(() => gone.abort('gone')),
      );
    const waits = random.chance(0.7);
    const answer = await this.#query<SubmissionAnswer | null>(
      process,
      patienceMs + 5_000,
      async () => {
        const known = await process.service.find(id);
        return known !== null && waits
          ? process.service.waitFor(id, patienceMs, gone.signal)
          : known;
      },
    );
    if (answer === NO_ANSWER || answer === null) return null;
    this.#hear(id, answer, plan.index);
    return answer;
  }

  #hear(id: string, answer: SubmissionAnswer, caller: number): void {
    const known = this.deps.judge.answered(id, answer);
    if (known === null) return;
    this.deps.heard(known);
    this.deps.story.report(
      () =>
        `caller ${caller} is answered about ${id}: ${known.kind} ${known.hash ?? ''} ${known.finality ?? ''}`,
    );
  }

  /**
   * Returns the answer of a process if it arrives before the caller's time limit. An error counts
   * as no answer.
   */
  #query<Answer>(
    process: ServiceProcess,
    patienceMs: number,
    question: () => Promise<Answer>,
  ): Promise<Answer | typeof NO_ANSWER> {
    return new Promise((resolve) => {
      this.deps.scheduler.after(patienceMs, () => resolve(NO_ANSWER));
      process.os.enter(() => {
        question().then(resolve, (error: unknown) => {
          if (!(error instanceof DomainError))
            this.deps.judge.broken('callers hear domain errors only', String(error));
          resolve(NO_ANSWER);
        });
      });
    });
  }

  #wantedBy(plan: CallerPlan): WantedSubmission {
    this.#serials += 1;
    const lastBlock = plan.blocks === null ? null : this.deps.height() + plan.blocks;
    return wantedBy(plan, this.#serials, lastBlock);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.deps.scheduler.after(ms, resolve));
  }
}

function wantedBy(
  { key, role, isProtected }: Pick<CallerPlan, 'key' | 'role' | 'isProtected'>,
  serial: number,
  lastBlock: number | null,
): WantedSubmission {
  const contract = isProtected ? CONTRACTS.withNullifiers : CONTRACTS.plain;
  return {
    key: `K${key}`,
    effect: `pays K${key}`,
    fingerprint: String(serial),
    kind: 'pay',
    subject: contract,
    memo: String(serial),
    role,
    target: { to: contract, entrypoint: 'pay' },
    calldata: calldataOf({ key, serial, lastBlock }),
    limits: CALL_LIMITS,
    terms: null,
    replayProtected: isProtected,
    deadlineBlock: lastBlock,
  };
}

/** Returns the submission for a call on chain. */
export function submissionOf(
  calldata: Felts,
  id: string,
  roleOf: (key: number) => CallerPlan['role'],
) {
  const key = Number(calldata.at(0));
  const isProtected = key % 2 === 1;
  const caller = { key, role: roleOf(key), isProtected };
  return { ...wantedBy(caller, Number(calldata.at(1)), lastBlockIn(calldata)), id };
}
