import { describe, expect, it } from '@jest/globals';
import { UsageError } from '@sotto/load-kit/report';
import { readArguments } from '../../src/arguments.js';

describe('the command line', () => {
  it('readArguments selects all cases by default', () => {
    expect(readArguments([])).toEqual({
      cases: [
        'cost',
        'solo',
        'throughput',
        'lanes',
        'instances',
        'event-loop',
        'writes',
        'ledger',
        'footprint',
        'round-trips',
        'reads',
        'rejections',
      ],
      short: false,
      write: false,
      profile: false,
      native: false,
    });
    expect(readArguments(['--only', 'reads,cost', '--short'])).toMatchObject({
      cases: ['reads', 'cost'],
      short: true,
    });
  });

  it('rejects an unknown case and lists the known cases', () => {
    expect(() => readArguments(['--only', 'speed'])).toThrow(
      'there is no case speed; known are cost, solo, throughput',
    );
    expect(() => readArguments(['--fast'])).toThrow(UsageError);
  });

  it.each([[['--write', '--short']], [['--write', '--only', 'cost']]])(
    'rejects --write for an incomplete benchmark run: %j',
    (args) => {
      expect(() => readArguments(args)).toThrow('only a whole run may be written');
    },
  );
});
