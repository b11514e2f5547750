import { describe, expect, it } from '@jest/globals';
import { readArguments, UsageError } from '../../src/arguments.js';

const DEFAULTS = { minutes: 30, rate: 2 };

describe('readArguments', () => {
  it('takes what is given and defaults for the rest', () => {
    expect(readArguments(['--minutes', '1.5', '--write', '--together'], DEFAULTS, ['together', 'apart'])).toEqual({
      numbers: { minutes: 1.5, rate: 2 },
      flags: new Set(['together']),
      write: true,
      json: false,
    });
  });

  it.each([[['--minutes', '0']], [['--minutes', 'many']], [['--hours', '1']], [['soon']]])('refuses %j', (args) => {
    expect(() => readArguments(args, DEFAULTS)).toThrow(UsageError);
  });
});
