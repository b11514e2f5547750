import { describe, expect, it } from '@jest/globals';
import { DomainError, runIsolated, type LogFields, type Logger } from '../../src/index.js';

class Down extends DomainError {
  readonly code = 'DOWN';
  readonly kind = 'unavailable';
}

function aLog() {
  const lines: (readonly [level: string, fields: LogFields, message: string])[] = [];
  const note =
    (level: string) =>
    (fields: LogFields, message: string): void =>
      void lines.push([level, fields, message]);
  const logger: Logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  return { lines, logger };
}

describe('runIsolated', () => {
  it('runIsolated returns true and logs nothing if the work succeeds', async () => {
    const { lines, logger } = aLog();
    expect(await runIsolated(logger, 'a task', {}, async () => 'done')).toBe(true);
    expect(lines).toEqual([]);
  });

  it.each([
    ['a fault', new Down('no answer'), 'warn', 'a task failed'],
    ['a bug', new TypeError('no such thing'), 'error', 'a task has a bug'],
  ])(
    'runIsolated returns false if the work throws %s, and logs the error with its level and message',
    async (_, error, level, message) => {
      const { lines, logger } = aLog();
      const work = (): Promise<never> => Promise.reject(error);
      expect(await runIsolated(logger, 'a task', { task: 'look' }, work)).toBe(false);
      expect(lines).toEqual([[level, { task: 'look', error }, message]]);
    },
  );

  it('logs no text of a thrown value that is not an Error', async () => {
    const { lines, logger } = aLog();
    const noError: unknown = 'marker';
    const work = (): Promise<never> => Promise.reject(noError);
    await runIsolated(logger, 'a task', {}, work);
    expect(lines).toEqual([
      ['error', { error: new Error('a string was thrown') }, 'a task has a bug'],
    ]);
  });
});
