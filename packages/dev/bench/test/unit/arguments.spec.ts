import { describe, expect, it } from '@jest/globals';
import { UsageError } from '@sotto/load-kit/report';
import { readArguments } from '../../src/arguments.js';

describe('the command line', () => {
  it('selects all cases by default', () => {
    expect(readArguments([])).toEqual({
      cases: [
        'cost',
        'solo',
        'throughput',
        'lanes',
        'event-loop',
        'writes',
        'ledger',
        'footprint',
        'round-trips',
        'reads',
        'refusals',
      ],
      short: false,
      write: false,
      profile: false,
    });
    expect(readArguments(['--only', 'reads,cost', '--short'])).toMatchObject({
      cases: ['reads', 'cost'],
      short: true,
    });
  });

  it('lists the known cases for an unknown one', () => {
    expect(() => readArguments(['--only', 'speed'])).toThrow(
      'there is no case speed; known are cost, solo, throughput',
    );
    expect(() => readArguments(['--fast'])).toThrow(UsageError);
  });

  it.each([[['--write', '--short']], [['--write', '--only', 'cost']]])(
    'does not write a partial run to the documents: %j',
    (args) => {
      expect(() => readArguments(args)).toThrow('only a whole run may be written');
    },
  );
});
