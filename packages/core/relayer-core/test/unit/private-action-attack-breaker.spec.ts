import { beforeEach, describe, expect, it } from '@jest/globals';
import { MovingClock } from '@sotto/kernel/testing';
import type { Caller } from '@sotto/kernel';
import { aSubmission } from '@sotto/submission-core/testing';
import { PoolCircuitBreaker, type MoneyEntry } from '../../src/index.js';
import { FakeSubmissions } from '../../src/testing/index.js';
import { LIMITS, SNAPSHOT_MS, TERMS, aGuard, anEntry } from '../support/guard-world.js';
import { ONE, privacyPool } from '../support/private-action-world.js';
import { NOW_MS } from '../support/world.js';

const mallory: Caller = { name: '203.0.113.1', networks: ['203.0.113.0/24'] };
const trudy: Caller = { name: '192.0.2.1', networks: ['192.0.2.0/24'] };
const honest: Caller = { name: '198.51.100.9', networks: ['198.51.100.0/24'] };
/** Part of the loss budget that one network may use. */
const SHARE = LIMITS.hourlyLossPerPoolFri / 4n;

let clock = new MovingClock(NOW_MS);
let submissions = new FakeSubmissions();
let world = aGuard(clock, submissions, [privacyPool]);
beforeEach(() => {
  clock = new MovingClock(NOW_MS);
  submissions = new FakeSubmissions();
  world = aGuard(clock, submissions, [privacyPool]);
});

const breakerOf = (isGuarded: boolean): PoolCircuitBreaker =>
  new PoolCircuitBreaker(world.view, world.controls, world.claims, clock, {
    limits: LIMITS,
    pools: [privacyPool],
    maxWaitingPerRole: 200,
    isGuarded: () => isGuarded,
  });

let count = 0;
/** Accepts private actions of a caller, which then end with this entry. */
async function ended(
  breaker: PoolCircuitBreaker,
  caller: Caller,
  changes: Partial<MoneyEntry>,
): Promise<void> {
  count += 1;
  const key = `actions-${count}`;
  const request = { pool: privacyPool, key, requested: { effect: key }, role: 'relay' } as const;
  const { attempt } = await breaker.confirm(
    { ...request, kind: 'relay', costFri: 0n, caller },
    async () => submissions.submit({ ...aSubmission(key), key }),
  );
  const entry = { kind: 'private_action', id: attempt.id, key, ...changes };
  world.money.end(anEntry(privacyPool, clock.nowMs(), entry));
  clock.pass(SNAPSHOT_MS);
}

const codeFor = async (breaker: PoolCircuitBreaker, caller: Caller): Promise<string | null> => {
  const request = { pool: privacyPool, key: 'next', requested: { effect: 'next' }, caller };
  return (await breaker.acquire({ ...request, role: 'relay' }))?.code ?? null;
};

describe('private actions of strangers and the circuit breaker', () => {
  it('a guard of withdrawals does not exempt private actions from the losses of their caller', async () => {
    const breaker = breakerOf(true);
    await ended(breaker, mallory, { state: 'reverted', gasPaidFri: SHARE });
    expect(await codeFor(breaker, mallory)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await codeFor(breaker, honest)).toBeNull();
  });

  it('a burst of one network costs at most the network’s share, before any loss is known', async () => {
    const breaker = breakerOf(false);
    const costFri = SHARE / 4n;
    const codes: (string | null)[] = [];
    for (let host = 1; host <= 8; host += 1) {
      const caller = { name: `203.0.113.${host}`, networks: ['203.0.113.0/24'] };
      const key = `burst-${host}`;
      const of = { pool: privacyPool, key, requested: { effect: key }, role: 'relay' } as const;
      const written = breaker.confirm({ ...of, kind: 'relay', costFri, caller }, async () =>
        submissions.submit({ ...aSubmission(key), key }),
      );
      codes.push(
        await written.then(
          () => null,
          ({ code }: { readonly code: string }) => code,
        ),
      );
    }
    const refused = 'CALLER_BUDGET_EXHAUSTED';
    expect(codes).toEqual([null, null, null, null, refused, refused, refused, refused]);
    expect(await codeFor(breaker, honest)).toBeNull();
  });

  it('the no-ops of refused proofs are charged to the caller and pause nothing', async () => {
    const breaker = breakerOf(false);
    const gasPaidFri = SHARE / BigInt(LIMITS.lossesInARow);
    for (let nth = 0; nth < LIMITS.lossesInARow; nth += 1)
      await ended(breaker, mallory, { state: 'refused', gasPaidFri });
    expect(await codeFor(breaker, mallory)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await codeFor(breaker, honest)).toBeNull();
  });

  it('callers with many refused proofs wait, and others do not', async () => {
    const breaker = breakerOf(false);
    for (let nth = 0; nth < 8; nth += 1) {
      expect(await codeFor(breaker, mallory)).toBeNull();
      await ended(breaker, mallory, { state: 'refused', gasPaidFri: 0n });
    }
    expect(await codeFor(breaker, mallory)).toBe('CALLER_BUDGET_EXHAUSTED');
    const neighbour = { name: '203.0.113.2', networks: mallory.networks };
    for (let nth = 0; nth < 8; nth += 1) {
      expect(await codeFor(breaker, neighbour)).toBeNull();
      await ended(breaker, neighbour, { state: 'refused', gasPaidFri: 0n });
    }
    const other = { name: '203.0.113.3', networks: mallory.networks };
    expect(await codeFor(breaker, other)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await codeFor(breaker, honest)).toBeNull();
    clock.pass(600_000);
    expect(await codeFor(breaker, mallory)).toBeNull();
  });

  it('successes whose contracts use more gas than their simulation pause nothing', async () => {
    const breaker = breakerOf(false);
    const terms = { ...TERMS, feeAmount: 10n ** 7n };
    for (let nth = 0; nth < LIMITS.lossesInARow; nth += 1)
      await ended(breaker, nth % 2 === 0 ? mallory : trudy, { terms, gasPaidFri: (2n * ONE) / 3n });
    expect(await codeFor(breaker, mallory)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await codeFor(breaker, honest)).toBeNull();
  });
});
