import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { load, problemsOf, withProfile } from './configuration.js';

const KEY = 'marker-key-of-the-wallet';
const sponsors = (value: unknown) => ({ SPONSORS: JSON.stringify(value) });

describe('SPONSORS', () => {
  it('no sponsors exist by default', () => {
    expect(load().sponsors).toEqual([]);
  });

  it('a network may use a quarter of a sponsor’s budget, or as much as is configured', () => {
    const loaded = load(
      sponsors({
        app: { key: KEY, budgetPerDayFri: '1000' },
        backend: { key: `${KEY}-2`, budgetPerDayFri: '1000', budgetPerNetworkFri: '900' },
      }),
      withProfile({ privacyPool: { address: '0x8001', feeTokens: ['STRK'] } }),
    );
    expect(
      loaded.sponsors.map(({ name, budgetPerNetworkFri }) => [name, budgetPerNetworkFri]),
    ).toEqual([
      ['app', 250n],
      ['backend', 900n],
    ]);
    expect(`${JSON.stringify(loaded.sponsors, String)} ${inspect(loaded.sponsors)}`).not.toContain(
      KEY,
    );
  });

  it('all problems of SPONSORS are reported at once, without the values', () => {
    const problems = problemsOf(
      sponsors({
        'A name': { key: KEY, budgetPerDayFri: '1' },
        b: { key: 'marker', budgetPerDayFri: 5 },
        c: { key: `${KEY}-3`, budgetPerDayFri: '0', budgetPerNetworkFri: '-1' },
        d: { key: KEY, budgetPerDayFri: '1', 'marker-field': 1 },
        e: KEY,
      }),
    );
    const text = problems.join('\n');
    for (const expected of [
      'sponsor 1: name must be',
      'sponsor 2: key must be 16 to 200 printable characters',
      'sponsor 2: budgetPerDayFri must be a text',
      'sponsor 3: budgetPerDayFri must be a whole number above 0',
      'sponsor 3: budgetPerNetworkFri must be a whole number above 0',
      'sponsor 4: must have no fields but key, budgetPerDayFri and budgetPerNetworkFri',
      'sponsor 5: must be an object',
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('marker');
  });
});
