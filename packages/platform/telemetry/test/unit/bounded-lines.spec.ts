import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '@sotto/kernel';
import { createLogger, Metrics } from '../../src/index.js';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly lines?: number;
  readonly causeCode?: string;
}

/** Four times what the logger keeps. */
const MANY = 4_000;
const TEXT = 'x'.repeat(1_000);

async function counted(): Promise<number> {
  const [, count] = /^sotto_log_lines_lost_total (\d+)$/m.exec(await new Metrics().text()) ?? [];
  return Number(count);
}

describe('O2: a log whose reader is behind', () => {
  let folder: string;
  let pipe: number;
  let input: number;
  let logger: Logger;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-log-'));
    const path = join(folder, 'pipe');
    spawnSync('mkfifo', [path]);
    // Open for both: no open waits for the other end then.
    pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    input = openSync(path, constants.O_WRONLY);
    logger = createLogger({ level: 'info', destination: input });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Reads until a line has this message. */
  async function linesUntil(message: string): Promise<readonly Line[]> {
    const block = Buffer.alloc(1024 * 1024);
    for (let text = ''; ;) {
      try {
        text += block.toString('utf8', 0, readSync(pipe, block));
      } catch {
        const lines = text.split('\n').slice(0, -1);
        const parsed = lines.map((line): Line => JSON.parse(line));
        if (parsed.some((line) => line.message === message)) return parsed;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  it('keeps the oldest lines in order, and counts and reports the lost ones', async () => {
    const before = await counted();
    for (let index = 0; index < MANY; index += 1) logger.error({ index, text: TEXT }, `${index}`);
    const lost = (await counted()) - before;
    expect(lost).toBeGreaterThan(0);
    const lines = await linesUntil('log lines were lost');
    const written = MANY - lost;
    expect(lines.slice(0, written).map(({ message }) => message)).toEqual(
      Array.from({ length: written }, (_, index) => String(index)),
    );
    expect(lines[written]).toMatchObject({ level: 'warn', lines: lost, causeCode: 'EAGAIN' });
    logger.warn({}, 'after');
    expect((await linesUntil('after')).length).toBe(1);
  });

  it('counts each line as lost once its reader has died', async () => {
    const before = await counted();
    closeSync(pipe);
    for (let index = 0; index < 3; index += 1) logger.warn({}, `${index}`);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await counted()) - before).toBe(3);
  });
});
