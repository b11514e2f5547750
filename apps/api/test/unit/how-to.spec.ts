import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { howToPages, perform, ROOT, type HowTo } from '../support/how-to-page.js';

/** Timeout in ms, enough for a compiler run or a few tests on a busy machine. */
const TIMEOUT_MS = 900_000;
/** Folders that the copy does not contain, because they contain no sources. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage', '.git', '.turbo', '.sotto']);

/** Pages that change code. Other tests perform the pages that change only the network profile. */
const pages = howToPages().filter(({ edits }) =>
  edits.some(({ file }) => !file.startsWith('apps/api/profiles/')),
);
const commands = [...new Set(pages.flatMap((page) => page.commands.map(({ command }) => command)))];

describe('the pages of docs/how-to that change code', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sotto-how-to-'));
  beforeAll(() => copyWorkspace(copy), TIMEOUT_MS);
  afterAll(() => rmSync(copy, { recursive: true }));

  it('each how-to page that changes code contains the edits and a command that checks them', () => {
    expect(howToPages().filter(({ edits }) => edits.length === 0)).toEqual([]);
    expect(pages.length).toBeGreaterThanOrEqual(2);
    expect(pages.filter(isUnchecked)).toEqual([]);
  });

  it.each(pages)(
    'the edits of the how-to page $name can be applied to a copy of the repository',
    (page) => {
      expect(() => perform(page, copy)).not.toThrow();
    },
  );

  // All pages are applied to the copy before this point, so one compiler run checks all of them.
  it.each(commands)(
    'the changed copy of the repository passes the check of a how-to page: %s',
    async (command) => {
      const { stdout, stderr } = await promisify(execFile)('bash', ['-euc', command], {
        cwd: copy,
        env: {
          PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          GOGC: process.env['GOGC'],
        },
      }).catch((error: unknown) => {
        throw new Error(`${Object(error).stdout}\n${Object(error).stderr}`, { cause: error });
      });
      // Jest also exits with 0 if no test matches the name.
      expect(stdout + stderr).toMatch(command.includes('npm test') ? /^Tests: .*\d passed/m : '');
    },
    TIMEOUT_MS,
  );
});

function isUnchecked({ commands: checks }: HowTo): boolean {
  return !checks.some(({ command }) => command.includes('npm test'));
}

/** Copies the workspace and links the dependencies of the original workspace. */
function copyWorkspace(target: string): void {
  cpSync(ROOT, target, {
    recursive: true,
    filter: (path) => path === ROOT || !LEFT_OUT.has(basename(path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
  for (const area of ['apps', ...readdirSync(join(ROOT, 'packages')).map(inPackages)])
    for (const name of ['.', ...readdirSync(join(ROOT, area))]) {
      const [from, to] = [join(ROOT, area, name), join(target, area, name)];
      // Links are copied as relative links, so packages of the copy import each other.
      if (existsSync(join(from, 'node_modules')))
        cpSync(join(from, 'node_modules'), join(to, 'node_modules'), {
          recursive: true,
          verbatimSymlinks: true,
        });
      // The built code is linked too, because worker threads run it.
      if (existsSync(join(from, 'dist'))) symlinkSync(join(from, 'dist'), join(to, 'dist'));
    }
}

function inPackages(area: string): string {
  return `packages/${area}`;
}
