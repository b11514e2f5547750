import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isLive, type Attempt } from '../../src/index.js';
import { attemptsOf } from '../../src/testing/index.js';
import { brokenIn } from '../support/judge.js';
import { LANE, World } from '../unit/world.js';

/** What may happen, in any order. The chain here has no nullifiers: exactly-once rests on the machine alone. */
type Happening =
  | { readonly what: 'request'; readonly key: string }
  | { readonly what: 'time'; readonly ms: number }
  | { readonly what: 'answer lost'; readonly arrives: boolean }
  | { readonly what: 'refused'; readonly cause: 'price' | 'funds' | 'call' }
  | { readonly what: 'pre-confirmed'; readonly reverted: boolean }
  | { readonly what: 'forgotten by the node' | 'late request arrives'; readonly pick: number }
  | { readonly what: 'block'; readonly reverted: boolean }
  | { readonly what: 'price'; readonly l2GasFri: bigint }
  | { readonly what: 'stranger' | 'restart' | 'second instance' | 'node down' | 'node up' | 'no longer wanted' | 'wanted again' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('request'), key: fc.constantFrom('A', 'B', 'C') }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('time'), ms: fc.constantFrom(500, 5_000, 10_000, 61_000, 601_000) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('answer lost'), arrives: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refused'), cause: fc.constantFrom('price', 'funds', 'call') }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pre-confirmed'), reverted: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('forgotten by the node', 'late request arrives'), pick: fc.nat(50) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('block'), reverted: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('price'), l2GasFri: fc.constantFrom(8_000_000_000n, 30_000_000_000n, 90_000_000_000n) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('stranger', 'restart', 'second instance', 'node down', 'node up', 'no longer wanted', 'wanted again'),
    }),
  },
);

/** Worlds that live side by side: a restarted process leaves its predecessor running as a stale holder. */
class Worlds {
  readonly all: World[] = [new World()];
  readonly keys = new Set<string>();

  get now(): World {
    const world = this.all.at(-1);
    if (world === undefined) throw new Error('there is always a world');
    return world;
  }

  async happens(event: Happening): Promise<void> {
    const { chain } = this.now;
    switch (event.what) {
      case 'request':
        this.keys.add(event.key);
        await this.now.submit({ key: event.key });
        break;
      case 'time':
        await this.now.round(event.ms);
        break;
      case 'answer lost':
        chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: event.arrives });
        break;
      case 'refused':
        chain.script({ answer: { kind: 'refused', code: 'REFUSED', cause: event.cause }, arrives: false });
        break;
      case 'pre-confirmed':
        attemptTo(() => chain.preConfirm(pick(chain.sent, -1), { execution: event.reverted ? 'REVERTED' : 'SUCCEEDED' }));
        break;
      case 'forgotten by the node':
        attemptTo(() => chain.drop(pick(chain.sent, event.pick)));
        break;
      case 'late request arrives':
        attemptTo(() => void chain.deliver(pick([...chain.mayLand.keys()], event.pick)));
        break;
      case 'block':
        chain.includeAll({ execution: event.reverted ? 'REVERTED' : 'SUCCEEDED' });
        break;
      case 'price':
        chain.setGasPrices({ l2GasFri: event.l2GasFri });
        break;
      case 'stranger':
        chain.includeStranger(LANE);
        break;
      case 'restart':
      case 'second instance':
        this.all.push(this.now.restarted(event.what === 'restart' ? {} : { instance: `instance ${this.all.length}` }));
        await this.now.engine.start();
        break;
      case 'node down':
        chain.failReads();
        break;
      case 'node up':
        chain.failReads(null);
        break;
      case 'no longer wanted':
        this.now.refusal = 'NULLIFIER_SPENT';
        break;
      case 'wanted again':
        this.now.refusal = null;
        break;
    }
    await this.now.round(0);
  }

  attempts(): Promise<Attempt[]> {
    return attemptsOf(this.now.ledger, [...this.keys]);
  }

  /** Broken properties of the checked model, and of what was paid. */
  async broken(): Promise<string[]> {
    const { chain, ledger } = this.now;
    const bad = await brokenIn(this.now);
    for (const attempt of await this.attempts()) {
      const own = new Set((await ledger.transactionsOf(attempt)).map(({ hash }) => hash));
      const paid = chain.included.filter((hash) => own.has(hash)).length;
      if (paid > 1) bad.push(`${attempt.key}${attempt.attempt} was paid for ${paid} times`);
    }
    return bad;
  }

  /** Fair weather: node and chain do their work, and nothing more goes wrong. */
  async heal(): Promise<void> {
    const { chain } = this.now;
    chain.failReads(null);
    this.now.refusal = null;
    chain.setGasPrices({ l2GasFri: 8_000_000_000n });
    for (let round = 0; round < 80; round += 1) {
      chain.includeAll();
      await this.now.round(11_000);
      const live = (await this.attempts()).filter(({ state }) => isLive(state));
      if (live.length === 0 && (await this.holes()).length === 0) return;
    }
  }

  /** Nonces that are not settled though something was or is above them. */
  async holes(): Promise<bigint[]> {
    const open = await this.now.ledger.openNonces(LANE);
    return open.filter(({ transactions }) => transactions.some(({ dead }) => !dead)).map(({ row }) => row.nonce);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((world) => world.engine.stop()));
  }
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list.at(index < 0 ? index : index % Math.max(list.length, 1));
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** The chain refuses what makes no sense for it now, such as confirming what it does not have. */
function attemptTo(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

describe('the submission machine', () => {
  it('pays at most once per attempt, tells no untrue end, and settles everything in fair weather', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const worlds = new Worlds();
        await worlds.now.engine.start();
        try {
          for (const event of happenings) {
            await worlds.happens(event);
            expect(await worlds.broken()).toEqual([]);
          }
          await worlds.heal();
          expect(await worlds.broken()).toEqual([]);
          expect((await worlds.attempts()).filter(({ state }) => isLive(state))).toEqual([]);
          expect(await worlds.holes()).toEqual([]);
        } finally {
          await worlds.stop();
        }
      }),
      { numRuns: 1000 },
    );
  }, 120_000);
});
