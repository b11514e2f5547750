import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import type { Submissions } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { withChanged } from '@sotto/submission-core/testing';
import type { DeployIdleFunds, IdleFundsDeployment, VaultFunds } from '../../src/index.js';
import { CHAIN_ID, VaultWorld, sentinel, type InstanceParts } from '../support/world.js';

/**
 * Events that a property test generates in any sequence. Any event may happen between a read and a
 * write of another instance.
 */
type Happening =
  | { readonly what: 'call'; readonly instance: number; readonly waitMs: number }
  | { readonly what: 'restart'; readonly instance: number }
  | { readonly what: 'deposit'; readonly sats: bigint }
  | { readonly what: 'end'; readonly to: 'refused' | 'expired' }
  | { readonly what: 'include'; readonly reverted: boolean }
  | {
      readonly what:
        'send' | 'show' | 'settle' | 'finalize' | 'undo' | 'time' | 'node down' | 'node up';
    };

const INSTANCES = 2;
const PATIENCE_MS = 2_000;
const POLL_AGAIN_MS = 500;
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('call'),
      instance: fc.nat(INSTANCES - 1),
      waitMs: fc.constantFrom(0, PATIENCE_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('restart'), instance: fc.nat(INSTANCES - 1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('deposit'), sats: fc.bigInt(1n, 2n ** 40n) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('end'), to: fc.constantFrom('refused', 'expired') }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('include'), reverted: fc.boolean() }) },
  { weight: 10, arbitrary: fc.record({ what: fc.constantFrom('send', 'settle') }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('show', 'time', 'finalize') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('node down', 'node up') }) },
);

/** Generates events on a chain whose newest blocks are sometimes removed by a reorg. */
const happeningOrRollback: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 12, arbitrary: happening },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('undo') }) },
);

/**
 * Test environment whose instances get the results of their calls in the sequence that the
 * scheduler chooses.
 */
class ManyCallers {
  readonly world = new VaultWorld();
  depositedSats = 0n;
  /** Highest number of deployments that were live at the same time. */
  mostLive = 0;
  readonly #answers: Promise<IdleFundsDeployment | DomainError>[] = [];
  readonly #instances: DeployIdleFunds[];
  #waiting = 0;

  constructor(private readonly scheduler: fc.Scheduler) {
    this.#instances = Array.from({ length: INSTANCES }, () => this.#anInstance());
  }

  async happens(event: Happening): Promise<void> {
    const { world } = this;
    const [live] = await world.live();
    switch (event.what) {
      case 'call':
        this.#answers.push(this.#call(event.instance, event.waitMs));
        break;
      case 'restart':
        this.#instances[event.instance] = this.#anInstance();
        break;
      case 'deposit':
        this.depositedSats += event.sats;
        world.funds.add(sentinel.address, event.sats);
        break;
      case 'send':
        if (live !== undefined && !world.isSent(live)) await world.send(live);
        break;
      case 'show':
        if (live !== undefined && world.isSent(live) && !world.isIncluded(live))
          await world.show(live);
        break;
      case 'include':
        if (live !== undefined && world.isSent(live) && !world.isIncluded(live)) {
          await world.include(live, event.reverted ? 'REVERTED' : 'SUCCEEDED');
        }
        break;
      case 'settle':
        if (live !== undefined && world.isIncluded(live)) await world.settle(live);
        break;
      case 'finalize':
        // Finalize the oldest attempt first, because a reorg may still remove the blocks of the
        // attempts after it.
        for (const attempt of (await world.unfinal()).slice(-1)) await world.finalize(attempt);
        break;
      case 'undo':
        await this.#undoNewest();
        break;
      case 'end':
        if (live !== undefined && !world.isSent(live)) await world.end(live, event.to, 'ANY_CODE');
        break;
      case 'time':
        world.clock.advance(POLL_AGAIN_MS);
        break;
      case 'node down':
        world.funds.failReads();
        break;
      case 'node up':
        world.funds.failReads(null);
    }
    this.mostLive = Math.max(this.mostLive, (await world.live()).length);
  }

  /**
   * Removes the newest deployment from the chain by a reorg. Does nothing if a block contains a
   * deployment that the ledger does not know yet.
   */
  async #undoNewest(): Promise<void> {
    const { world } = this;
    if ((await world.live()).some((attempt) => world.isIncluded(attempt))) return;
    for (const attempt of (await world.unfinal()).slice(0, 1)) await world.rollBack(attempt);
  }

  /** Advances the clock until no caller waits. Returns the results of all calls. */
  async allAnswers(): Promise<readonly (IdleFundsDeployment | DomainError)[]> {
    while (this.#waiting > 0) {
      this.world.clock.advance(PATIENCE_MS);
      await this.scheduler.waitIdle();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return Promise.all(this.#answers);
  }

  async #call(instance: number, waitMs: number): Promise<IdleFundsDeployment | DomainError> {
    this.#waiting += 1;
    try {
      return await this.world.deploy({ waitMs }, this.#instances[instance]);
    } catch (error) {
      return errorOf(error);
    } finally {
      this.#waiting -= 1;
    }
  }

  #anInstance(): DeployIdleFunds {
    return this.world.anInstance(this.#overtaken());
  }

  #overtaken(): InstanceParts {
    const { scheduler } = this;
    return {
      slowFunds: (funds): VaultFunds => ({
        idle: scheduler.scheduleFunction((vault, at) => funds.idle(vault, at)),
      }),
      slowSubmissions: (kept): Submissions =>
        withChanged(kept, {
          submit: async (submission) => {
            await scheduler.schedule(Promise.resolve());
            const acceptance = await kept.submit(submission);
            this.mostLive = Math.max(this.mostLive, (await this.world.live()).length);
            return acceptance;
          },
          last: scheduler.scheduleFunction((key) => kept.last(key)),
        }),
    };
  }
}

/** Returns a DomainError as a result and rethrows any other error as a defect. */
function errorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

/**
 * Runs the given events in the sequence that the scheduler chooses, then deploys the remaining
 * funds. Returns the keys of the successful deployments.
 */
async function play(scheduler: fc.Scheduler, happenings: readonly Happening[]) {
  const callers = new ManyCallers(scheduler);
  const { world } = callers;
  const sequence = scheduler.scheduleSequence(
    happenings.map((event) => ({ builder: () => callers.happens(event), label: event.what })),
  );
  await scheduler.waitIdle();
  await sequence.task;
  const answers = await callers.allAnswers();

  const attempts = await world.attempts();
  for (const answer of answers) {
    if (answer instanceof DomainError || answer.status === 'no_idle_funds') continue;
    const answered = attempts.find(({ id }) => id === answer.submissionId);
    if (answered === undefined) throw new Error('an answer is about no deployment');
    const hash = answer.status === 'deployed' ? { transactionHash: world.hashOf(answered) } : {};
    expect(answer).toMatchObject({ amountSats: await world.amountOf(answered), ...hash });
  }

  world.funds.failReads(null);
  await deployAll(world);
  expect(world.funds.idleSats(sentinel.address)).toBe(0n);
  const succeeded = (await world.attempts()).filter(({ state }) => state === 'succeeded');
  const moved = await Promise.all(succeeded.map((attempt) => world.amountOf(attempt)));
  expect(moved.reduce((sum, sats) => sum + sats, 0n)).toBe(callers.depositedSats);
  return { callers, keys: succeeded.map(({ key }) => key) };
}

const many = (of: fc.Arbitrary<Happening>): fc.Arbitrary<Happening[]> =>
  fc.array(of, { minLength: 20, maxLength: 60, size: 'max' });

describe('deployments of a vault', () => {
  it('a vault has at most one deployment that has not ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), many(happening), async (scheduler, happenings) => {
        const { callers, keys } = await play(scheduler, happenings);
        expect(callers.mostLive).toBeLessThanOrEqual(1);
        expect(keys).toEqual(
          keys.map((_, number) => `${CHAIN_ID}|${sentinel.address}|idle|${number}`),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('each deployment number succeeds at most once, even after rollbacks of blocks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), many(happeningOrRollback), async (scheduler, happenings) => {
        const { keys } = await play(scheduler, happenings);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 300 },
    );
  });
});

/**
 * Deploys all idle funds by single calls of an instance that has just started. Each deployment is
 * finalized before the next call.
 */
async function deployAll(world: VaultWorld): Promise<void> {
  const fresh = world.anInstance();
  for (;;) {
    for (const attempt of await world.live()) await world.land(attempt);
    for (const attempt of await world.unfinal()) await world.finalize(attempt);
    const answer = await world.deploy({}, fresh);
    if (answer.status === 'no_idle_funds') return;
  }
}
