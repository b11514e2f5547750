import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface Run {
  /** 0 only when ledger and chain agree: nothing lost, nothing paid twice, no hole, nothing stuck. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** What the commands do for minutes, for some seconds. How fast anything is stands in no test. */
describe('the short form', () => {
  it('of the crash matrix kills the service at every point, once, and finds nothing amiss', () => {
    const { status, stdout, stderr } = run('crash-matrix', '--times', '1', '--rate', '2', '--together');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    for (const point of [
      'accepted',
      'prepared',
      'claimed',
      'sent',
      'refused',
      'filled',
      'replaced',
      'cancelled',
      'settling',
      'settled',
      'wiped',
    ]) {
      expect(stdout).toMatch(new RegExp(`\\| \`?${point}`));
    }
  });

  it('of the soak ends with a ledger that agrees with the chain', () => {
    const { status, stderr } = run('soak', '--minutes', '0.1', '--sample', '2');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('of the overload loses nothing that was accepted', () => {
    const { status, stderr } = run('overload', '--seconds', '8', '--measure', '4');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });
});
