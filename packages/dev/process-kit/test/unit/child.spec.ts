import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Child, EndedEarly, eventually, jsonLine, type ChildOptions } from '../../src/index.js';

const programAt = (name: string): string => new URL(`../programs/${name}`, import.meta.url).href;
const Up = z.object({ up: z.array(z.string()), env: z.string().optional() });

describe('Child', () => {
  let folder: string;
  let child: Child | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-process-kit-'));
  });
  afterEach(async () => {
    await child?.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const start = (options: Partial<ChildOptions> = {}): Child =>
    (child = new Child({ name: 'worker', program: programAt('worker.mjs'), ...options }));

  it.each(['memory', 'a file'])(
    'a child process reports its start in an output line, with its log in %s',
    async (where) => {
      const file = join(folder, 'worker.log');
      const logFile = where === 'memory' ? undefined : file;
      const started = start({ args: ['one', 'two'], env: { GIVEN: 'value' }, logFile });
      expect(await started.line(jsonLine(Up))).toEqual({ up: ['one', 'two'], env: 'value' });
      expect(started.output).toMatch(/^not yet\n/);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(
        logFile !== undefined && started.output,
      );
    },
  );

  it('a child process inherits only the PATH from the environment', async () => {
    process.env['GIVEN'] = 'by the parent';
    try {
      expect(await start().line(jsonLine(Up))).toEqual({ up: [] });
    } finally {
      delete process.env['GIVEN'];
    }
  });

  it('waiting for an output line rejects with the end of the log if the child process has ended', async () => {
    const started = start({ args: ['--ends'] });
    const failure = await started
      .line((line) => (line === 'never' ? line : undefined))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EndedEarly);
    expect(failure).toMatchObject({
      message: expect.stringContaining('a reason'),
      ending: { code: 3, signal: null },
    });
    // Output that the child wrote before it exited can still be read after the exit.
    expect(await started.line(jsonLine(Up))).toEqual({ up: ['--ends'] });
  });

  it('a child process responds to messages of its parent', async () => {
    const started = start();
    expect(await started.query('hello')).toBe('hello, too');
  });

  it('a child process that ignores the request to end is killed', async () => {
    const willing = start();
    await willing.line(jsonLine(Up));
    await willing.stop();
    expect(await willing.ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(willing.isRunning).toBe(false);

    const deaf = start({ args: ['--deaf'] });
    await deaf.line(jsonLine(Up));
    await deaf.stop('SIGTERM', 100);
    expect(await deaf.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('a child process ends when its parent is killed', async () => {
    const parent = spawn(process.execPath, [fileURLToPath(programAt('parent.mjs'))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(parent.stdout, 'data');
    const pid = Number(String(said));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    expect(await eventually('the child to end', () => !isAlive(pid))).toBe(true);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
