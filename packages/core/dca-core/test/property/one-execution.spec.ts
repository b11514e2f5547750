import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isLive } from '@sotto/submission-core';
import { PurchaseWorld } from '../support/world.js';

type Step =
  | { readonly do: 'look'; readonly keeper: 0 | 1 }
  | { readonly do: 'look_together' | 'restart' | 'send' | 'include' | 'settle' | 'expire' }
  | { readonly do: 'another' | 'finalize' }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'lag'; readonly blocks: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('look' as const), keeper: fc.constantFrom(0 as const, 1 as const) }),
  fc.record({
    do: fc.constantFrom(
      ...(['look_together', 'restart', 'send', 'include', 'settle', 'expire'] as const),
    ),
  }),
  fc.record({ do: fc.constantFrom(...(['another', 'finalize'] as const)) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(2, 600, 3_600, 20_000) }),
  fc.record({ do: fc.constant('lag' as const), blocks: fc.constantFrom(0, 1, 20) }),
);

/** A test run with two keepers and one order. Records the state of each execution. */
class Run {
  readonly world = new PurchaseWorld({ policy: { retry: { baseMs: 1_000, maxFailures: 99 } } });
  readonly order: bigint;
  readonly included = new Set<string>();
  readonly settled = new Set<string>();
  readonly sent = new Set<string>();
  /** Number of executions by other accounts. The contract includes these in its count. */
  others = 0;
  #keepers = [this.world.aKeeper(), this.world.aKeeper()];

  constructor() {
    this.order = this.world.create({ total: 100n });
  }

  async take(each: Step): Promise<void> {
    const { world } = this;
    const live = (await world.attempts()).find(({ state }) => isLive(state));
    switch (each.do) {
      case 'look':
        return this.#poll(this.#keepers[each.keeper]);
      case 'look_together':
        await Promise.all(this.#keepers.map((keeper) => this.#poll(keeper)));
        return;
      case 'restart':
        this.#keepers = [world.aKeeper(), world.aKeeper()];
        return;
      case 'send':
        if (live && !this.sent.has(live.id)) {
          this.sent.add(live.id);
          await world.send(live);
        }
        return;
      case 'include':
        if (live && this.sent.has(live.id) && !this.included.has(live.id)) {
          this.included.add(live.id);
          await world.include(live);
        }
        return;
      case 'settle':
        if (live && this.included.has(live.id)) {
          this.settled.add(live.id);
          await world.settle(live);
        }
        return;
      case 'expire':
        if (live && !this.sent.has(live.id)) await world.expire(live);
        return;
      case 'another':
        // Eight is the maximum number of executions by other accounts between the planning and the
        // inclusion of a transaction that the task still detects.
        if (this.others < 8 && world.chain.execute(this.order)) this.others += 1;
        world.chain.mine();
        return;
      case 'finalize':
        for (const attempt of await world.attempts())
          if (this.settled.has(attempt.id) && !attempt.isFinal) await world.finalize(attempt);
        return;
      case 'pass':
        return world.pass(each.seconds);
      case 'lag':
        return world.chain.lag(each.blocks);
    }
  }

  async #poll(keeper = this.world.aKeeper()): Promise<void> {
    await keeper.subjects();
    await this.world.attend(this.order, keeper);
  }
}

describe('an order’s executions under random events', () => {
  it('keepers submit one execution of an order at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const run = new Run();
        for (const each of steps) {
          await run.take(each);
          const attempts = await run.world.attempts();
          expect(attempts.filter(({ state }) => isLive(state)).length).toBeLessThanOrEqual(1);
          const succeeded = attempts.filter(({ state }) => state === 'succeeded');
          expect(new Set(succeeded.map(({ key }) => key)).size).toBe(succeeded.length);
        }
        // The contract's count equals the number of executions that were included in blocks, so no
        // execution of the keepers was counted twice or lost.
        for (const last of ['send', 'include', 'settle'] as const) await run.take({ do: last });
        const succeeded = (await run.world.attempts()).filter(({ state }) => state === 'succeeded');
        expect(run.world.chain.order(run.order).executed).toBe(
          BigInt(succeeded.length + run.others),
        );
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('keepers continue with executions of an order once the simulated faults end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const run = new Run();
        for (const each of steps) await run.take(each);
        await run.take({ do: 'lag', blocks: 0 });
        const quiet = ['send', 'include', 'settle', 'finalize'] as const;
        for (const each of quiet) await run.take({ do: each });
        run.world.pass(40_000);
        const before = run.world.chain.order(run.order).executed;
        await run.take({ do: 'look', keeper: 0 });
        for (const each of quiet) await run.take({ do: each });
        expect(run.world.chain.order(run.order).executed).toBe(before + 1n);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
