import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '@sotto/routes';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');

interface Row {
  readonly what: string;
  readonly routes: readonly string[];
  readonly budget: string;
  readonly file: string;
  readonly title: string;
}

/** Reference of the page to a test: the test's file and a part of its title. */
const REFERENCE = /^`(\S+\.ts)` › (.+)$/;

const [effects = '', counters = ''] = read('docs/authority.md').split(
  '\n## Counters that close something\n',
);

const rows = effects
  .split('\n')
  .filter(
    (line) => line.startsWith('| ') && !line.startsWith('| --') && !line.startsWith('| Effect '),
  )
  .map((line): Row => {
    const [what = '', routes = '', budget = '', , reference = ''] = line
      .slice(1)
      .split('|')
      .map((cell) => cell.trim());
    const [, file = '', title = ''] = REFERENCE.exec(reference) ?? [];
    return {
      what,
      routes: [...routes.matchAll(/`([^`]+)`/g)].map(([, route = '']) => route),
      budget,
      file,
      title,
    };
  });

const open = ROUTES.filter((definition) => !('credential' in definition)).map(
  ({ method, path }) => `${method.toUpperCase()} ${path}`,
);

describe('docs/authority.md', () => {
  it('docs/authority.md has rows for exactly the routes that require no credential', () => {
    const named = new Set(rows.flatMap(({ routes }) => routes));
    expect([...named].toSorted()).toEqual(open.toSorted());
  });

  it.each(rows.map((row) => [row.what, row] as const))(
    'the row of docs/authority.md has a budget and refers to an existing test: %s',
    (_what, { budget, file, title }) => {
      expect(budget).not.toBe('');
      expect(title).not.toBe('');
      expect(read(file)).toContain(title);
    },
  );

  it('the row of each counter in docs/authority.md names only existing configuration variables', () => {
    const configuration = read('docs/reference/configuration.md');
    const lines = counters.split('\n').filter((line) => /^\| (?!-|Counter)/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      const cells = line.slice(1, -1).split('|');
      expect(cells.map((cell) => cell.trim() !== '')).toEqual(
        Array.from({ length: 6 }, () => true),
      );
      for (const [, name = ''] of line.matchAll(/`([A-Z_]+)`/g))
        expect(configuration).toContain(`\`${name}\``);
    }
  });

  it('the budgets in docs/authority.md refer to existing configuration variables', () => {
    const configuration = read('docs/reference/configuration.md');
    const variables = rows.flatMap(({ budget }) =>
      [...budget.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
    );
    expect(variables.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
  });
});
