import { describe, expect, it } from '@jest/globals';
import { readArguments } from '../../src/command/arguments.js';

describe('readArguments', () => {
  it('readArguments uses port 4000 for the service if no arguments are given', () => {
    expect(readArguments([])).toEqual({
      kind: 'run',
      options: { port: 4000, nodePort: 0, helpersPort: 0, json: false, verbose: false },
    });
  });

  it('readArguments parses each option', () => {
    const args = ['--port', '0', '--node-port', '5050', '--helpers-port=9', '--json', '--verbose'];
    expect(readArguments(args)).toEqual({
      kind: 'run',
      options: { port: 0, nodePort: 5050, helpersPort: 9, json: true, verbose: true },
    });
  });

  it.each([
    ['--port', '65536'],
    ['--port', '-1'],
    ['--port', 'http'],
    ['--node-port', '1.5'],
  ])('readArguments rejects the option %s with the value %s', (option, value) => {
    expect(readArguments([`${option}=${value}`])).toEqual({
      kind: 'print',
      exitCode: 2,
      text: expect.stringContaining('It must be a whole number to 65535.'),
    });
  });

  it.each([[['--ports', '1']], [['--jsno']], [['start']]])(
    'readArguments rejects the arguments %j',
    (args) => {
      expect(readArguments(args)).toMatchObject({
        kind: 'print',
        exitCode: 2,
        text: expect.stringMatching(/^error: (?:unknown option|too many arguments)/),
      });
    },
  );

  it('readArguments returns the help text for --help', () => {
    const requested = readArguments(['--help']);
    expect(requested).toMatchObject({ kind: 'print', exitCode: 0 });
    for (const option of ['--port', '--node-port', '--helpers-port', '--json', '--verbose'])
      expect(requested).toMatchObject({ text: expect.stringContaining(`  ${option} `) });
  });
});
