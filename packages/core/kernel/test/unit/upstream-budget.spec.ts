import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Overloaded,
  TimedShares,
  UNNAMED_CALLER,
  UpstreamBudget,
  type Caller,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const IN_ALL = 40;
const WINDOW_MS = 10_000;
const callerAt = (address: string): Caller => ({
  name: address,
  networks: [`${address.slice(0, address.lastIndexOf('.'))}.0/24`],
});
/** Returns callers at different addresses of one /24. */
const crowd = (index: number): Caller => callerAt(`203.0.113.${index % 256}`);
const other = (index: number): Caller => callerAt(`203.0.114.${index % 256}`);
const third = (index: number): Caller => callerAt(`203.0.115.${index % 256}`);
const honest = callerAt('198.51.100.9');

let clock: ManualClock;
let budget: UpstreamBudget;
const spend = (caller: Caller): boolean => {
  try {
    budget.spend(caller);
    return true;
  } catch (error) {
    if (error instanceof Overloaded) return false;
    throw error;
  }
};
const spent = (times: number, callerOf: (index: number) => Caller): number =>
  Array.from({ length: times }, (_, index) => spend(callerOf(index))).filter(Boolean).length;

/**
 * Counts the requests of one honest caller over a minute, while each attacker makes 20 requests per
 * second.
 */
function compete(attackers: number, addressesEach = 1): { made: number; served: number } {
  budget = new UpstreamBudget(100, clock);
  let [made, served] = [0, 0];
  for (let tick = 0; tick < 1_200; tick += 1) {
    for (let index = 0; index < attackers; index += 1)
      spend(callerAt(`10.0.${index}.${tick % addressesEach}`));
    if (tick % 20 === 19) {
      made += 1;
      if (spend(honest)) served += 1;
    }
    clock.advance(50);
  }
  return { made, served };
}

beforeEach(() => {
  clock = new ManualClock(1_000);
  budget = new UpstreamBudget(IN_ALL, clock);
});

describe('TimedShares', () => {
  it('a share that was released early does not shorten the announced waiting time', () => {
    const shares = new TimedShares({ inAll: 2, perClient: 2 }, WINDOW_MS, clock);
    shares.take(honest)?.();
    clock.advance(WINDOW_MS / 2);
    shares.take(honest);
    shares.take(crowd(0));
    clock.advance(WINDOW_MS / 4);
    expect(shares.take(other(0))).toBeNull();
    expect(shares.retryAfterSeconds).toBe(8);
  });
});

describe('UpstreamBudget', () => {
  it('T9: a single network gets half of the budget’s requests in each time window', () => {
    expect(spent(400, crowd)).toBe(IN_ALL / 2);
    expect(spend(honest)).toBe(true);
    clock.advance(WINDOW_MS - 1);
    expect(spend(crowd(0))).toBe(false);
    clock.advance(1);
    expect(spend(crowd(0))).toBe(true);
  });

  it('requests without a known caller get the whole budget', () => {
    expect(spent(400, () => UNNAMED_CALLER)).toBe(IN_ALL);
  });

  it('T9 no network gets more than a quarter of the budget while another network waits', () => {
    spent(400, crowd);
    expect([spent(400, other), spent(400, third)]).toEqual([IN_ALL / 4, IN_ALL / 4]);
    clock.advance(WINDOW_MS);
    expect(spent(400, crowd)).toBe(IN_ALL / 4);
    expect(spend(honest)).toBe(true);
  });

  it.each([1, 4, 10])(
    'T9 serves at least half of an honest caller’s requests while %i other networks send requests',
    (count) => {
      const { made, served } = compete(count, 4);
      expect(made).toBe(60);
      expect(served).toBeGreaterThanOrEqual(made / 2);
    },
  );

  it('T9 serves a new network in each time window of the budget although 40 networks request continuously', () => {
    expect(compete(40).served).toBeGreaterThanOrEqual(6);
  });

  it('T9 serves an honest caller after ten networks have used the budget one after another', () => {
    budget = new UpstreamBudget(100, clock);
    let served = 0;
    for (let window = 0; window < 4; window += 1) {
      for (let index = 0; index < 10; index += 1)
        for (let request = 0; request < 100; request += 1) spend(callerAt(`10.0.${index}.1`));
      if (spend(honest)) served += 1;
      clock.advance(WINDOW_MS);
    }
    expect(served).toBeGreaterThanOrEqual(3);
  });

  it('T9 serves an honest caller although ten networks stop just before they are rejected', () => {
    budget = new UpstreamBudget(100, clock);
    let served = 0;
    for (let window = 0; window < 6; window += 1) {
      for (let index = 0; index < 10; index += 1)
        for (let request = 0; request < 10; request += 1) spend(callerAt(`10.0.${index}.1`));
      if (spend(honest)) served += 1;
      clock.advance(WINDOW_MS);
    }
    expect(served).toBeGreaterThanOrEqual(4);
  });

  it('a network gets half of the budget again after the other networks have stopped their requests', () => {
    spent(400, crowd);
    spent(400, other);
    spent(400, third);
    expect(spend(honest)).toBe(false);
    clock.advance(WINDOW_MS);
    expect(spent(400, crowd)).toBeLessThanOrEqual(IN_ALL / 4);
    clock.advance(2 * WINDOW_MS);
    expect(spent(400, crowd)).toBe(IN_ALL / 2);
  });

  it('T9: networks that use up a smaller budget do not use up the larger common budget', () => {
    const larger = new UpstreamBudget(IN_ALL, clock);
    budget = new UpstreamBudget(IN_ALL / 2, clock, larger);
    expect(spent(400, (index) => callerAt(`10.0.${index % 256}.1`))).toBe(IN_ALL / 2);
    budget = larger;
    expect(spend(honest)).toBe(true);
  });

  it('a smaller budget rejects a request if the larger common budget is used up', () => {
    const larger = new UpstreamBudget(IN_ALL, clock);
    budget = larger;
    spent(400, (index) => callerAt(`10.0.${index % 256}.1`));
    budget = new UpstreamBudget(IN_ALL / 2, clock, larger);
    expect(spend(honest)).toBe(false);
  });

  it('the rejection of a request contains the number of seconds until the next permitted request', () => {
    spent(IN_ALL, () => UNNAMED_CALLER);
    clock.advance(7_500);
    expect(() => budget.spend(honest)).toThrow(
      expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 3 }),
    );
  });
});
