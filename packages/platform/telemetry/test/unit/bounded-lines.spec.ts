import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '@sotto/kernel';
import { BoundedLines } from '../../src/bounded-lines.js';
import { createLogger, Metrics } from '../../src/index.js';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly lines?: number;
  readonly causeCode?: string;
}

/** Number of lines: four times as many as the logger can keep in memory. */
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
    // Open the pipe for reading and writing: otherwise this call would wait until the other end is
    // opened.
    pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    input = openSync(path, constants.O_WRONLY);
    logger = createLogger({ level: 'info', destination: input });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Waits until the pipe has content and reads it. */
  async function read(most = 1024 * 1024): Promise<string> {
    const block = Buffer.alloc(most);
    for (;;) {
      try {
        return block.toString('utf8', 0, readSync(pipe, block));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  /** Reads lines until one of them has this message. */
  async function linesUntil(message: string): Promise<readonly Line[]> {
    for (let text = ''; ;) {
      text += await read();
      if (!text.endsWith('\n')) continue;
      const lines = text.split('\n').slice(0, -1);
      const parsed = lines.map((line): Line => JSON.parse(line));
      if (parsed.some((line) => line.message === message)) return parsed;
    }
  }

  it('O2: a logger with a slow reader retains the oldest lines, and reports the number of lost lines', async () => {
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

  it('O2: a logger with a slow reader reserves memory for warnings and errors during a flood of info lines', async () => {
    for (let index = 0; index < 2 * MANY; index += 1) logger.info({ text: TEXT }, 'flood');
    logger.error({}, 'the disk is full');
    for (let index = 0; index < MANY; index += 1) logger.info({ text: TEXT }, 'flood');
    logger.warn({}, 'a node is missing');
    const lines = await linesUntil('log lines were lost');
    expect(lines.filter(({ message }) => message !== 'flood')).toMatchObject([
      { message: 'the disk is full' },
      { message: 'a node is missing' },
      { message: 'log lines were lost' },
    ]);
  });

  it('O2: a logger with a slow reader reserves memory for errors during a flood of warnings', async () => {
    for (let index = 0; index < 2 * MANY; index += 1) logger.warn({ text: TEXT }, 'flood');
    logger.error({}, 'the disk is full');
    const lines = await linesUntil('log lines were lost');
    expect(lines.filter(({ message }) => message !== 'flood')).toMatchObject([
      { message: 'the disk is full' },
      { message: 'log lines were lost' },
    ]);
  });

  it('a logger reports the number of lost lines every 10 s', async () => {
    let nowMs = 0;
    const lines = new BoundedLines(input, () => nowMs);
    const line = `${JSON.stringify({ level: 'info', message: 'flood', text: TEXT })}\n`;
    let text = '';
    /** Writes lines faster than the reader reads, so that some lines always wait. */
    const flood = async (): Promise<void> => {
      for (let index = 0; index < 100; index += 1) lines.write(line);
      text += await read(64 * 1024);
    };
    const counts = (): readonly number[] =>
      [...text.matchAll(/"lines":(\d+)/g)].map(([, count]) => Number(count));
    for (let index = 0; index < MANY; index += 1) lines.write(line);
    while (counts().length < 1) await flood();
    nowMs = 9_999;
    for (let turn = 0; turn < 60; turn += 1) await flood();
    expect(counts()).toHaveLength(1);
    nowMs = 10_000;
    while (counts().length < 2) await flood();
    nowMs = 20_000;
    while (counts().reduce((sum, count) => sum + count, 0) < lines.lost) text += await read();
    expect(counts()).toHaveLength(3);
  });

  it('a logger counts every line as lost after the reader has closed the pipe', async () => {
    const before = await counted();
    closeSync(pipe);
    for (let index = 0; index < 3; index += 1) logger.warn({}, `${index}`);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await counted()) - before).toBe(3);
  });
});
