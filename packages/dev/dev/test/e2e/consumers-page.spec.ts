import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(
  new URL('../../../../../docs/consumers/run-the-development-stack.md', import.meta.url),
  'utf8',
);
const exec = promisify(execFile);

/** Code blocks of the page with their language, without the indentation of an enclosing list. */
const blocks = [...page.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)].map(
  ([, margin = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
  }),
);

describe('docs/consumers/run-the-development-stack.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-consumer-'));
  beforeAll(() => {
    // Create the same folders that an installation of the tarball creates.
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, '@sotto'), { recursive: true });
    mkdirSync(join(modules, '.bin'));
    symlinkSync(PACKAGE, join(modules, '@sotto', 'dev'));
    symlinkSync(join(PACKAGE, 'bundle', 'main.js'), join(modules, '.bin', 'sotto-dev'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the page about the development stack contains the actual output of its commands', async () => {
    const commands = blocks.filter(({ language }) => language === 'sh');
    expect(commands.length).toBeGreaterThan(3);
    const script = commands.map(({ text }) => `${text}\nprintf '\\n${END}\\n'`).join('\n');
    const { stdout } = await exec(
      'bash',
      ['-euc', `${script.replace('--port 4000', '--port 0')}\nwait`],
      { cwd: folder },
    );
    const printed = stdout.split(`${END}\n`).map((text) => text.trim());
    const shown = blocks.map(({ language }, index) => {
      const next = blocks[index + 1];
      return language === 'sh' && next?.language === '' ? next.text.trim() : '';
    });
    const expected = shown.filter((_, index) => blocks[index]?.language === 'sh');
    expect(expected.filter((text) => text !== '')).toHaveLength(2);
    for (const [index, text] of expected.entries())
      expect(printed[index]).toMatch(new RegExp(`^${patternOf(text)}$`));
  });

  it('the page about the development stack has a Jest example of at most 25 lines, and the example passes', async () => {
    const files = blocks.filter(({ language }) => language === 'js');
    expect(files.length).toBe(3);
    const lines = files.flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));
    expect(lines.length).toBeLessThanOrEqual(25);
    const named = files.map(({ text }) => /^\/\/ (\S+)\n/.exec(text)?.[1] ?? '');
    for (const [index, { text }] of files.entries())
      writeFileSync(join(folder, named[index] ?? ''), text);
    const [globalSetup, globalTeardown] = named;
    const config = {
      globalSetup: `./${globalSetup}`,
      globalTeardown: `./${globalTeardown}`,
      testMatch: ['<rootDir>/*.test.mjs'],
      testTimeout: 600_000,
    };
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const jest = createRequire(import.meta.url).resolve('jest/package.json');
    const { stderr } = await exec(process.execPath, [join(dirname(jest), 'bin', 'jest.js')], {
      cwd: folder,
      env: { PATH: process.env['PATH'], NODE_OPTIONS: '--experimental-vm-modules' },
    });
    expect(stderr).toMatch(/Tests: +1 passed, 1 total/);
  });
});

const END = '--- end of a command';

/** Returns a pattern in which `…` matches any text. */
function patternOf(shown: string): string {
  return shown
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('[^]*');
}
