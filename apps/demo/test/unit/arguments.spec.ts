import { describe, expect, it } from '@jest/globals';
import { readOptions, UsageError } from '../../src/arguments.js';

const STARTED = 1_000_000;
const read = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  readOptions(args, env, STARTED);

describe('readOptions', () => {
  it('the demonstration’s default options are port 3000, no JSON, and no end after the first withdrawal', () => {
    expect(read([])).toEqual({
      once: false,
      json: false,
      devnet: false,
      keeperAll: false,
      port: 3000,
      stateFolder: '.sotto',
      startedAtMs: STARTED,
    });
  });

  it('the demonstration accepts its flags in any order', () => {
    expect(read(['--json', '--once'])).toMatchObject({ once: true, json: true });
    expect(read(['--once'])).toMatchObject({ once: true, json: false, devnet: false });
    expect(read(['--once', '--devnet'])).toMatchObject({ once: true, json: false, devnet: true });
  });

  it.each([['--twice'], ['--once=yes'], ['-x'], ['once']])(
    'the demonstration rejects %s with its usage text',
    (argument) => {
      expect(() => read([argument])).toThrow(UsageError);
      expect(() => read([argument])).toThrow(/usage: npm start/);
    },
  );

  it.each([
    ['0', 0],
    ['65535', 65_535],
    ['', 3000],
  ])('the demonstration reads PORT=%p as %d', (text, port) => {
    expect(read([], { PORT: text })).toMatchObject({ port });
  });

  it.each(['65536', '-1', '3000x', '1e3', ' 3000', '99999999'])(
    'the demonstration rejects PORT=%p',
    (text) => {
      expect(() => read([], { PORT: text })).toThrow(/PORT must be/);
    },
  );

  it('the demonstration measures its duration from the time in SOTTO_STARTED_MS', () => {
    expect(read([], { SOTTO_STARTED_MS: '999000.5' }).startedAtMs).toBe(999_000.5);
  });

  it.each(['', 'soon', '-5', '1000001'])(
    'the demonstration ignores the invalid value %p of SOTTO_STARTED_MS',
    (text) => {
      expect(read([], { SOTTO_STARTED_MS: text }).startedAtMs).toBe(STARTED);
    },
  );

  it('the demonstration stores its files in the configured folder', () => {
    expect(read([], { SOTTO_STATE_FOLDER: '/somewhere' }).stateFolder).toBe('/somewhere');
  });
});
