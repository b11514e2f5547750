import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '../../src/environment/variables.js';

const PAGE = new URL('../../../../docs/operations/external-protocols.md', import.meta.url);

describe('documentation page of external protocols', () => {
  it('the page of external protocols has a row for each setting that contains a URL', () => {
    const rows = readFileSync(PAGE, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => (row.split(' | ')[0] ?? '').match(/[A-Z_]+/g) ?? []);
    const addresses = Object.keys(VARIABLES).filter((name) => /_URLS?$/.test(name));
    expect(addresses.length).toBeGreaterThan(7);
    expect(addresses.filter((name) => !named.includes(name))).toEqual([]);
  });
});
