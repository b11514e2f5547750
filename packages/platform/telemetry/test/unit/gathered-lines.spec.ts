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
  it('the logger collects info lines for a file descriptor, and writes them together a few ms later', async () => {
    logger.info({}, 'a');
    logger.info({}, 'b');
    expect(messages()).toEqual([]);
    await later(100);
    expect(messages()).toEqual(['a', 'b']);
  });

  it.each(['warn', 'error'] as const)(
    'the logger writes a line of an urgent level, after all earlier lines, before the call returns: %s',
    (level) => {
      logger.info({}, 'a');
      logger[level]({}, 'b');
      expect(messages()).toEqual(['a', 'b']);
    },
  );

  it('two loggers of one descriptor write their lines in order, and add only one exit listener', () => {
    const listeners = process.listenerCount('exit');
    const other = createLogger({ level: 'debug', destination: file });
    logger.info({}, 'a');
    other.info({}, 'b');
    logger.error({}, 'c');
    expect(messages()).toEqual(['a', 'b', 'c']);
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('the logger writes collected lines early if there are many, and loses none of them', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(299, 'é'));
    for (const message of all) logger.info({}, message);
    expect(messages().length).toBeGreaterThan(2_000);
    await later(100);
    expect(messages()).toEqual(all);
  });

  it('the logger writes a line that is larger than the buffer at once, after the earlier lines', () => {
    const large = '€'.repeat(256 * 1024);
    logger.info({}, 'a');
    logger.info({}, large);
    expect(messages()).toEqual(['a', large]);
  });
});
