import { describe, expect, it } from '@jest/globals';
import { RepeatedSubmissions, isLive, type Attempt } from '@sotto/submission-core';
import {
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  aSubmission,
  took,
} from '@sotto/submission-core/testing';
import * as fc from 'fast-check';
import { skipped } from '../../src/index.js';
import { LEASE_MS, World, acted, type Attend } from '../support/world.js';

const SERIES = '0x5e|curator|trident';

/** Event that happens between two lines of an instance's check. */
type Between = 'nothing' | 'lease_runs_out' | 'killed' | 'landed';
const between = fc.constantFrom<Between[]>('nothing', 'lease_runs_out', 'killed', 'landed');

/**
 * Test environment with one ledger and two keepers. Each keeper submits to the ledger whenever all
 * submissions have ended.
 */
class Race {
  readonly world = new World();
  readonly ledger = new InMemoryLedger();
  readonly driver = new LedgerDriver(this.ledger);
  #nonce = 0n;
  #ids = 0;
  #events: Between[];

  constructor(events: readonly Between[]) {
    this.#events = [...events];
  }

  /**
   * Runs an instance that has just started and has nothing in memory, until its check ends or it is
   * killed.
   */
  keeper(name: string): Promise<void> {
    const { task, run } = this.world.instance(name);
    task.names = ['trident'];
    const repeated = new RepeatedSubmissions(this.ledger);
    const killed = Promise.withResolvers<void>();
    const die = (): Promise<void> => {
      killed.resolve();
      // The instance was killed, so the promise never resolves.
      return new Promise(() => {});
    };
    task.script = (_subject, gate) => this.#attend(repeated, gate, die);
    return Promise.race([run(), killed.promise]);
  }

  async #attend(
    repeated: RepeatedSubmissions,
    gate: Parameters<Attend>[1],
    die: () => Promise<void>,
  ): ReturnType<Attend> {
    const { key, last } = await repeated.next(SERIES);
    if (last !== null && isLive(last.state)) return skipped('IN_FLIGHT');
    await this.#meanwhile(die);
    const rejection = await gate.admit(1n);
    if (rejection !== null) return skipped(rejection);
    await this.#meanwhile(die);
    this.#ids += 1;
    const id = `id-${this.#ids}`;
    const result = await this.ledger.apply({
      type: 'request',
      submission: { ...aSubmission(id), key, id },
    });
    await this.#meanwhile(die);
    return result.applied ? acted(id) : skipped('IN_FLIGHT');
  }

  async #meanwhile(die: () => Promise<void>): Promise<void> {
    switch (this.#events.shift()) {
      case 'lease_runs_out':
        this.world.clock.advance(LEASE_MS);
        return this.keeper('rival');
      case 'killed':
        return die();
      case 'landed':
        return this.land();
      case 'nothing':
      case undefined:
    }
  }

  /** After this call, no events happen between two lines. */
  calm(): void {
    this.#events = [];
  }

  /** Makes all submissions that have not ended succeed. */
  async land(): Promise<void> {
    const live = await this.attempts();
    for (const attempt of live.filter(({ state }) => isLive(state))) {
      const nonce = this.#nonce;
      this.#nonce += 1n;
      if (nonce === 0n) await this.driver.lease();
      const transaction = aSignedTransaction(attempt.id);
      await this.driver.store(attempt, nonce, transaction);
      await this.driver.settle(nonce, took(transaction.hash));
    }
  }

  async attempts(): Promise<readonly Attempt[]> {
    const all = await Promise.all(
      Array.from({ length: this.#ids }, (_, index) => this.ledger.attemptById(`id-${index + 1}`)),
    );
    return all.filter((attempt) => attempt !== null);
  }
}

describe('two keepers on one store', () => {
  it('two keepers never have two live submissions in one series of numbered submission keys, despite kills and lost leases', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(between, { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        async (events, rounds) => {
          const race = new Race(events);
          for (let round = 0; round < rounds; round += 1) {
            await Promise.all([race.keeper('a'), race.keeper('b')]);
            const attempts = await race.attempts();
            expect(attempts.filter(({ state }) => isLive(state)).length).toBeLessThanOrEqual(1);
            expect(new Set(attempts.map(({ key }) => key)).size).toBe(attempts.length);
            await race.land();
            race.world.clock.advance(2 * LEASE_MS);
          }
          race.calm();
          await race.keeper('a');
          const keys = (await race.attempts()).map(({ key }) => key);
          expect(keys.toSorted()).toEqual(
            keys.map((_, number) => `${SERIES}|${number}`).toSorted(),
          );
          expect(keys.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
