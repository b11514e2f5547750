import { describe, expect, it } from '@jest/globals';
import { UsageError } from '@sotto/load-kit/report';
import { readArguments } from '../../src/arguments.js';

const defaults = { minutes: 30, rate: 2 };

describe('the command line', () => {
  it('readArguments uses the default value of an absent option, and accepts numbers and flags', () => {
    expect(readArguments([], defaults)).toEqual({
      numbers: defaults,
      words: {},
      flags: new Set(),
      write: false,
      json: false,
    });
    expect(
      readArguments(['--rate', '0.5', '--write', '--json', '--together'], defaults, [
        'together',
        'apart',
      ]),
    ).toEqual({
      numbers: { minutes: 30, rate: 0.5 },
      words: {},
      flags: new Set(['together']),
      write: true,
      json: true,
    });
  });

  it('readArguments returns the values of text options', () => {
    expect(readArguments(['--story', 'T6'], defaults, [], ['story']).words).toEqual({
      story: 'T6',
    });
    expect(() => readArguments(['--story'], defaults, [], ['story'])).toThrow(UsageError);
  });

  it.each([
    ['--rate', '0'],
    ['--rate', 'fast'],
    ['--rate'],
    ['--hours', '1'],
    ['--together'],
    ['soak'],
  ])('readArguments rejects the arguments %s %s', (...args) => {
    expect(() => readArguments(args, defaults)).toThrow(UsageError);
  });
});
