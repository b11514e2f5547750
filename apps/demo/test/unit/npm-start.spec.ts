import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/workspace.js';

const SCRIPTS = 'packages/dev/scripts';
/** Example of the output that npm, pnpm and turbo print on standard output and standard error. */
const NOISE = `echo ' WARN  Unsupported engine: wanted 24' >&2
echo '@sotto/demo:build: cache hit, replaying logs'`;

/** Separate folder of a project with these scripts and with fake npx and turbo programs. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-npm-start-'));
  for (const path of [SCRIPTS, 'apps', 'bin', 'tmp'])
    mkdirSync(join(folder, path), { recursive: true });
  for (const file of ['bootstrap.mjs', 'build.mjs', 'progress.mjs', 'run.mjs'])
    copyFileSync(join(ROOT, SCRIPTS, file), join(folder, SCRIPTS, file));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ packageManager: 'pnpm@1.2.3', devDependencies: { node: '24.1.2' } }),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function run(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      TMPDIR: join(folder, 'tmp'),
    },
  });
  // The scripts must leave no temporary file.
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  return { stdout, stderr, status };
}

/**
 * Creates a fake npx whose installation exits with this code. The fake fails if its working
 * directory is the project, because a real npx would read each installed manifest there.
 */
function npx(installed: number): void {
  program(
    'npx',
    `[ "$PWD" -ef ${join(folder, 'tmp')} ] || exit 9
case "$5" in
  *' && pnpm install --frozen-lockfile') ${NOISE}; exit ${installed} ;;
  *) echo "$5, npm says $npm_config_loglevel" ;;
esac`,
  );
}

function start() {
  return run(join(SCRIPTS, 'bootstrap.mjs'), 'start', '--once');
}

function build() {
  const script = `import { build } from './${SCRIPTS}/build.mjs'; build('@sotto/demo', 3); console.log('built');`;
  return run('--input-type=module', '--eval', script);
}

describe('the installation of `npm start`', () => {
  it('the installation in `npm start` prints one line before the demonstration starts', () => {
    npx(0);
    const command = `pnpm exec 'node' '${SCRIPTS}/start.mjs' '--once'`;
    const stdout = `cd '${realpathSync(folder)}' && ${command}, npm says error\n`;
    expect(start()).toEqual({
      status: 0,
      stdout,
      stderr: expect.stringMatching(/^sotto · installing pnpm@1\.2\.3, Node 24\.1\.2 [^\n]*\n$/),
    });
    expect(start()).toEqual({ status: 0, stdout, stderr: '' });
  });

  it('a failed installation in `npm start` prints its whole output and sets the exit code', () => {
    npx(7);
    const { status, stdout, stderr } = start();
    expect({ status, stdout }).toEqual({ status: 7, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining('sotto · installing'),
      ' WARN  Unsupported engine: wanted 24',
      '@sotto/demo:build: cache hit, replaying logs',
      'sotto · the installation failed; the error is printed above',
      '',
    ]);
  });
});

describe('the build of `npm start`', () => {
  it('the build in `npm start` prints one line', () => {
    program('turbo', NOISE);
    expect(build()).toEqual({
      status: 0,
      stdout: 'built\n',
      stderr: expect.stringMatching(/^sotto · building [^\n]*\n$/),
    });
  });

  it('a failed build in `npm start` prints its whole output', () => {
    // The output exceeds the size of a pipe and the default limit of a child process's output.
    program('turbo', `${NOISE}; yes 'a long log' | head -n 200000; exit 1`);
    const { status, stdout, stderr } = build();
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toContain(' WARN  Unsupported engine: wanted 24\n');
    expect(stderr.match(/^a long log$/gm)).toHaveLength(200_000);
    expect(stderr).toMatch(/a long log\nsotto · the build failed; the error is printed above\n$/);
  });
});

/** True if `script` of util-linux is installed, which runs a program in a terminal. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux');

(hasTerminal ? describe : describe.skip)('the build of `npm start` on a terminal', () => {
  it('the build in `npm start` displays its progress on a terminal, and then clears the line', () => {
    program('turbo', 'sleep 1');
    const script = `import { build } from './${SCRIPTS}/build.mjs'; build('@sotto/demo');`;
    writeFileSync(join(folder, 'build-it.mjs'), script);
    const { stdout } = spawnSync(
      'script',
      ['-qec', `${process.execPath} build-it.mjs`, '/dev/null'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
      },
    );
    const [, shown = ''] = stdout.split('\n');
    expect(shown.split('\r')).toContain('⠋ 0 s');
    expect(shown.endsWith('\r\u001B[K')).toBe(true);
  });
});
