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
  // It stays open: the logger writes for as long as its process runs.
  file = openSync(join(folder, 'log'), 'a');
  logger = createLogger({ level: 'info', destination: file });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('lines for a file descriptor', () => {
  it('are written together a moment later', async () => {
    logger.info({}, 'a');
    logger.info({}, 'b');
    expect(messages()).toEqual([]);
    await later(100);
    expect(messages()).toEqual(['a', 'b']);
  });

  it.each(['warn', 'error'] as const)(
    'are written, with those before them, before the call returns: %s',
    (level) => {
      logger.info({}, 'a');
      logger[level]({}, 'b');
      expect(messages()).toEqual(['a', 'b']);
    },
  );

  it('keep their order across loggers, and are collected once for the whole process', () => {
    const listeners = process.listenerCount('exit');
    const other = createLogger({ level: 'debug', destination: file });
    logger.info({}, 'a');
    other.info({}, 'b');
    logger.error({}, 'c');
    expect(messages()).toEqual(['a', 'b', 'c']);
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('wait until there are many, and none is lost', async () => {
    const all = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(299, 'é'));
    for (const message of all) logger.info({}, message);
    expect(messages().length).toBeGreaterThan(2_000);
    await later(100);
    expect(messages()).toEqual(all);
  });

  it('are written at once if one is larger than the buffer, after those before it', () => {
    const large = '€'.repeat(256 * 1024);
    logger.info({}, 'a');
    logger.info({}, large);
    expect(messages()).toEqual(['a', large]);
  });
});
