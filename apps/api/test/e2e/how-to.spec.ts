import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { howToPages, patternOf, perform, ROOT } from '../support/how-to-page.js';
import { Stack } from './support/stack.js';
import { vector } from './support/withdrawals.js';

const PROFILE = 'apps/api/profiles/sandbox.json';
/**
 * Pages of docs/how-to whose only change is a change of a network profile. Other pages change code,
 * so the built service can't test them.
 */
const pages = howToPages().filter(
  ({ edits }) => edits.length > 0 && edits.every(({ file }) => file === PROFILE),
);

describe.each(pages)('docs/how-to/$name', (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-how-to-'));
  let stack: Stack;
  beforeAll(async () => {
    mkdirSync(join(folder, 'apps/api/profiles'), { recursive: true });
    cpSync(join(ROOT, PROFILE), join(folder, PROFILE));
    perform(page, folder);
    writeFileSync(join(folder, 'key.json'), JSON.stringify(vector.verificationKey));
    stack = await Stack.start({
      whole: true,
      deposit: async () => {},
      env: {
        NETWORK_PROFILE: join(folder, PROFILE),
        VERIFICATION_KEY_PATH: join(folder, 'key.json'),
      },
    });
  });
  afterAll(async () => {
    await stack.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(page.commands)(
    'the command $command prints the output that its how-to page documents',
    async ({ command, printed }) => {
      const { stdout } = await promisify(execFile)('bash', ['-euc', command], {
        env: { PATH: process.env['PATH'], SOTTO: stack.service.url },
      });
      expect(stdout.trim()).toMatch(patternOf(printed ?? ''));
    },
  );
});

it('the how-to pages on changes of the network profile exist, and each of them has a command', () => {
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['add-a-pool.md', 'add-a-token.md']),
  );
  expect(pages.filter(({ commands }) => commands.length === 0)).toEqual([]);
});
