import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from '@sotto/kernel';
import { createLogger } from '../../src/index.js';

const later = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

let folder: string;
let file: number;
let logger: Logger;
const messages = (): readonly string[] =>
  readFileSync(join(folder, 'log'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): string => JSON.parse(line).message);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-log-'));
  // Do not close the file: the logger writes to it until its process ends.
  file = openSync(join(folder, 'log'), 'a');
  logger = createLogger({ level: 'info', destination: file });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('lines for a file descriptor', () => {
  it('the logger collects info lines for a few ms, and writes them together', async () => {
    logger.info({}, 'a');
    logger.info({}, 'b');
    expect(messages()).toEqual([]);
    await later(100);
    expect(messages()).toEqual(['a', 'b']);
  });

  it.each(['warn', 'error'] as const)(
    'the logger writes an urgent line, and all lines before it, before the call returns: %s',
    (level) => {
      logger.info({}, 'a');
      logger[level]({}, 'b');
      expect(messages()).toEqual(['a', 'b']);
    },
  );

  it('two loggers of one file descriptor write their lines in order', () => {
    const listeners = process.listenerCount('exit');
    const other = createLogger({ level: 'debug', destination: file });
    logger.info({}, 'a');
    other.info({}, 'b');
    logger.error({}, 'c');
    expect(messages()).toEqual(['a', 'b', 'c']);
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('the logger writes collected lines early if there are many', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(299, 'é'));
    for (const message of all) logger.info({}, message);
    expect(messages().length).toBeGreaterThan(2_000);
    await later(100);
    expect(messages()).toEqual(all);
  });

  it('the logger writes a line at once if the line is larger than the buffer', () => {
    const large = '€'.repeat(256 * 1024);
    logger.info({}, 'a');
    logger.info({}, large);
    expect(messages()).toEqual(['a', large]);
  });
});
