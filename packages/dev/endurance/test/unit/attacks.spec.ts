import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { UsageError } from '@sotto/load-kit/report';
import { BUDGET_FRI, rowFindings, type Factor } from '../../src/attack/attack.js';
import { costsOf } from '../../src/attack/costs.js';
import { addressIn, times } from '../../src/attack/crowd.js';
import { scenesOf } from '../../src/attack/scenes.js';
import { lanes, type Inclusion } from '../../src/stack/chain.js';

const LANE = toFelt(lanes.lane1.address);
const inclusion = (changes: Partial<Inclusion>): Inclusion => ({
  hash: toFelt(1n),
  sender: LANE,
  nonce: 0n,
  feeFri: 10n,
  executionStatus: 'SUCCEEDED',
  finality: 'ACCEPTED_ON_L2',
  ...changes,
});

const served = (count: number, of: number) => ({
  name: 'withdrawals',
  served: count,
  requestedAgain: 0,
  unserved: Array.from({ length: of - count }, () => '503 POOL_PAUSED'),
  hashes: [],
  requests: { outcomes: {}, durationsMs: {} },
});

const addressesOf = (count: number, crowd: Parameters<typeof addressIn>[0]): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, index) => addressIn(crowd, index)));

describe('costsOf', () => {
  it('costsOf counts the gas of attack transactions that the attacker has not paid for by fees', () => {
    const costs = costsOf({
      inclusions: [
        inclusion({ hash: toFelt(1n), executionStatus: 'REVERTED' }),
        inclusion({ hash: toFelt(2n), feeFri: 9n }),
        inclusion({ hash: toFelt(3n), feeFri: 7n }),
        inclusion({ hash: toFelt(4n), feeFri: 40n }),
        inclusion({ hash: toFelt(5n), sender: toFelt(0xbadn), feeFri: 12n }),
      ],
      honest: new Set([toFelt(4n)]),
      paysFri: 8n,
      sentDirectly: 2,
    });
    expect(costs).toEqual({ operatorFri: 10n + 1n, attackerFri: 2n * 8n + 2n * 40n });
  });
});

describe('rowFindings', () => {
  it.each<readonly [Factor, number, number]>([
    [1, 19, 0],
    [1, 18, 1],
    [10, 10, 0],
    [10, 9, 1],
    [10, 0, 1],
  ])(
    'rowFindings returns the expected findings: factor %i, %i of 20 honest requests served, %i findings',
    (factor, count, findings) => {
      expect(rowFindings([served(count, 20)], factor, 0n)).toHaveLength(findings);
    },
  );

  it('rowFindings reports an attack whose cost is above the budget', () => {
    expect(rowFindings([served(20, 20)], 1, BUDGET_FRI)).toEqual([]);
    expect(rowFindings([served(20, 20)], 1, BUDGET_FRI + 1n)).toHaveLength(1);
    expect(rowFindings([served(0, 0)], 1, 0n)).toHaveLength(1);
  });
});

describe('addressIn', () => {
  it('addressIn spreads an attacker’s addresses over several networks', () => {
    const crowd = { range: 12, addresses: 4, networks: 2 } as const;
    expect([...addressesOf(8, crowd)]).toEqual([
      '10.12.0.1',
      '10.12.1.1',
      '10.12.0.2',
      '10.12.1.2',
    ]);
    const tenfold = addressesOf(80, times(10, crowd));
    expect(tenfold.size).toBe(40);
    expect(new Set([...tenfold].map((address) => address.split('.')[2])).size).toBe(20);
    expect(addressIn({ ...crowd, version: 6 }, 3)).toBe('2001:db8:c01:2::1');
  });
});

describe('scenesOf', () => {
  it('scenesOf selects each attack scenario once, and T6 to T14 also with ten times the addresses', () => {
    const played = scenesOf(undefined, true).map(({ factor, attacks }) => [
      factor,
      attacks.map(({ story }) => story).toSorted(),
    ]);
    const stories = ['T10', 'T11', 'T12', 'T13', 'T14', 'T6', 'T8', 'T9'];
    expect(played).toEqual([
      [1, ['S10', 'S11', 'S5', 'S6', 'S7', 'S8', 'S9']],
      [1, stories],
      [10, stories],
    ]);
    expect(scenesOf(undefined, false)).toHaveLength(2);
  });

  it('scenesOf selects only the requested attack scenario, and rejects an unknown scenario', () => {
    const [scene, ...others] = scenesOf('T8', false);
    expect([scene?.attacks.map(({ story }) => story), others]).toEqual([['T8'], []]);
    expect(() => scenesOf('T99', true)).toThrow(UsageError);
  });
});
