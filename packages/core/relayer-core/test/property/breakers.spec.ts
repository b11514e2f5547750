import { accountAddress } from '@sotto/kernel/testing';
import { expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { DomainError, type Felts, type Caller } from '@sotto/kernel';
import type { MoneyEntry } from '../../src/index.js';
import { LIMITS, SNAPSHOT_MS, anEntry } from '../support/guard-world.js';
import { aSwapWorld } from '../support/swap-world.js';
import { calldataWith, proofOf, vector } from '../support/vector.js';
import { NOW_MS, PRICES, pool } from '../support/world.js';

const STRK = 10n ** 18n;
const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);

const DEEDS = [
  'swaps and slips',
  'swaps and breaks the route',
  'swaps the same note again',
  'spends the note elsewhere',
  'lets the root go',
  'is never included',
  'stays on its way',
  'withdraws',
  'sends a false proof',
  'sends a false proof while the node is away',
  'cites a quote of its invention',
  'waits',
] as const;
type Deed = (typeof DEEDS)[number];

const HONEST: Caller = { name: 'honest', networks: [] };
/**
 * High limits for gas losses, because these tests do not concern the gas budget. The default limits
 * are equally far above the possible losses.
 */
const LIMITS_OF_LOSS = {
  ...LIMITS,
  hourlyGasPerPoolFri: 400n * STRK,
  hourlyGasInAllFri: 1_000n * STRK,
};
/** Cost of a revert, in fri: more than half of a caller’s share of the loss budget. */
const REVERT_FRI = (9n * STRK) / 10n;

/**
 * Pool with an honest caller and hostile callers. The hostile callers do everything that may open
 * the pool's circuit breaker.
 */
class Pool {
  readonly #world = aSwapWorld({}, LIMITS_OF_LOSS);
  #notes = 0n;
  #used: Felts;

  constructor() {
    this.#used = this.#note();
  }

  async does(deed: Deed, name: string): Promise<void> {
    const caller: Caller = { name, networks: [] };
    switch (deed) {
      case 'swaps and slips':
        this.#used = this.#note();
        return this.#swap(this.#used, caller, 'Insufficient tokens received');
      case 'swaps and breaks the route':
        return this.#swap(this.#note(), caller, 'LIMIT_SQRT_RATIO');
      case 'swaps the same note again':
        return this.#swap(this.#used, caller, 'Insufficient tokens received');
      case 'spends the note elsewhere':
        return this.#withdraw(this.#note(), caller, {
          state: 'reverted',
          revertReason: 'already withdrawn',
          gasPaidFri: REVERT_FRI,
        });
      case 'lets the root go':
        return this.#withdraw(this.#note(), caller, {
          state: 'reverted',
          revertReason: 'unknown root',
          gasPaidFri: REVERT_FRI,
        });
      case 'is never included':
        return this.#withdraw(this.#note(), caller, { state: 'expired', gasPaidFri: 0n });
      case 'stays on its way':
        return this.#withdraw(this.#note(), caller, null);
      case 'withdraws':
        return this.#withdraw(this.#note(), caller, { state: 'succeeded' });
      case 'sends a false proof':
        return this.#junk(caller);
      case 'sends a false proof while the node is away':
        this.#world.pools.failReads();
        await this.#junk(caller);
        this.#world.pools.failReads(null);
        return;
      case 'cites a quote of its invention':
        return this.#junk(caller, 'nonsense');
      case 'waits':
        this.#pass(LIMITS.pauseMs);
    }
  }

  /**
   * Returns the breaker's responses to the honest caller: first for a withdrawal of a note, then
   * for a swap of the same note.
   */
  async heard(): Promise<readonly string[]> {
    const { guard } = this.#world.guarding;
    const request = {
      pool,
      key: `0x5e|${pool.address}|0x1`,
      requested: { effect: 'honest' },
      caller: HONEST,
    };
    const rejections = [
      await guard.acquire({ ...request, role: 'relay' }),
      await guard.acquire({ ...request, role: 'swap_owner' }),
    ];
    return rejections.map((rejection) => rejection?.code ?? 'welcome');
  }

  /** Withdraws a note of the honest caller and waits until the attempt has ended. */
  async honest(): Promise<string> {
    const before = this.#world.submissions.accepted.length;
    await this.#withdraw(this.#note(), HONEST, { state: 'succeeded' });
    return this.#world.submissions.accepted.length > before ? 'accepted' : 'refused';
  }

  #note(): Felts {
    this.#notes += 1n;
    const calldata = calldataWith({ nullifierHash: nullifierHash - this.#notes });
    this.#world.verifier.accept(proofOf(calldata));
    return calldata;
  }

  async #swap(proofCalldata: Felts, caller: Caller, revertReason: string): Promise<void> {
    this.#notes += 1n;
    const newCommitment = 1_000n + this.#notes;
    await this.#ends(this.#world.swap({ proofCalldata, newCommitment, caller }), {
      state: 'reverted',
      revertReason,
      gasPaidFri: REVERT_FRI,
    });
  }

  #withdraw(calldata: Felts, caller: Caller, end: Partial<MoneyEntry> | null): Promise<void> {
    return this.#ends(
      this.#world.subject.execute({ poolAddress: pool.address, calldata, caller, waitMs: 0 }),
      end,
    );
  }

  #junk(caller: Caller, quoteId?: string): Promise<void> {
    this.#notes += 1n;
    const calldata = calldataWith({ recipient: accountAddress(5n), nullifierHash: this.#notes });
    const input = { poolAddress: pool.address, calldata, caller, waitMs: 0 };
    return this.#ends(
      this.#world.subject.execute(quoteId === undefined ? input : { ...input, quoteId }),
      null,
    );
  }

  /**
   * Ends the attempt in the ledger and in the history if it was accepted. A rejection is a valid
   * response too.
   */
  async #ends(
    answer: Promise<{ readonly submissionId: string }>,
    end: Partial<MoneyEntry> | null,
  ): Promise<void> {
    const { submissions, guarding, clock } = this.#world;
    const accepted = await answer.catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return null;
    });
    const attempt = submissions.attempts.find(({ id }) => id === accepted?.submissionId);
    if (attempt !== undefined && end === null)
      guarding.money.begin({
        ...attempt,
        isWaiting: true,
        costFri: STRK / 4n,
        acceptedAtMs: clock.nowMs(),
      });
    if (attempt !== undefined && end !== null) {
      const { id, key, role } = attempt;
      if (end.state === 'expired') submissions.end(id, 'expired', 'NOT_SENT_IN_TIME');
      else submissions.execute(id, end.state === 'reverted' ? 'REVERTED' : 'SUCCEEDED');
      guarding.money.end(anEntry(pool, clock.nowMs(), { id, key, role, ...end }));
    }
    this.#pass(SNAPSHOT_MS);
  }

  #pass(ms: number): void {
    const { clock, prices } = this.#world;
    clock.pass(ms);
    prices.set(PRICES.map((price) => ({ ...price, observedAtMs: NOW_MS + clock.monotonicMs() })));
  }
}

it.each([1, 20])(
  'S7 S8 S9 a pool still serves an honest caller after any actions of %i hostile callers',
  async (callers) => {
    const step = record({
      deed: constantFrom(...DEEDS),
      who: integer({ min: 1, max: callers }),
      times: integer({ min: 1, max: 4 }),
    });
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const world = new Pool();
        for (const { deed, who, times } of steps) {
          for (let count = 0; count < times; count += 1) {
            await world.does(deed, `attacker ${who}`);
            expect([deed, ...(await world.heard())]).toEqual([deed, 'welcome', 'welcome']);
          }
        }
        expect(await world.honest()).toBe('accepted');
      }),
      { numRuns: 12 },
    );
  },
  60_000,
);
