import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');

const lines = read('docs/traps.md').split('\n');
const rows = lines.filter((line) => /^\| \d/.test(line));
const attacks = lines.filter((line) => /^\| [STO]\d/.test(line));

/** Reference of the page to a test: the test's file and a part of its title. */
const REFERENCE = /`(\S+\.ts)` › (.+?)(?:;| \|$|\s*\|)/;

/** All references to tests in a line. */
const REFERENCES = /`(\S+\.ts)` › (.+?)\s*\|/g;

describe('docs/keeper.md', () => {
  const promises = read('docs/keeper.md')
    .split('\n')
    .filter((line) => line.includes('` › '));

  it('docs/keeper.md has a row each for the curator, the purchases and the leverage', () => {
    expect(promises).toHaveLength(3);
  });

  it.each(promises)('the row of docs/keeper.md refers to two existing tests: %s', (row) => {
    const named = [...row.matchAll(REFERENCES)];
    expect(named).toHaveLength(2);
    for (const [, file = '', title = ''] of named) expect(read(file)).toContain(title);
  });
});

describe('docs/traps.md', () => {
  it('docs/traps.md has all 25 numbered rows', () => {
    expect(rows.map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
  });

  it.each([...rows, ...attacks].map((row) => [row.split('|')[2]?.trim() ?? '', row] as const))(
    'the row %s of docs/traps.md refers to an existing test',
    (_bug, row) => {
      const [, file = '', title = ''] = REFERENCE.exec(row) ?? [];
      expect(title).not.toBe('');
      expect(read(file)).toContain(title.trim());
    },
  );
});
