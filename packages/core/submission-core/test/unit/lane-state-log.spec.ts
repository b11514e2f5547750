import { describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt, type LogFields } from '@sotto/kernel';
import { LaneStateLog, type LaneStatus } from '../../src/application/lane/lane-status.js';

const ADDRESS = toFelt('0x1a2e');

function aLog() {
  const lines: [string, LogFields][] = [];
  const warnings: string[] = [];
  const log = new LaneStateLog({
    ...silentLogger,
    info: (fields, text) => void lines.push([text, fields]),
    warn: (fields, text) => {
      lines.push([text, fields]);
      warnings.push(text);
    },
  });
  const note = (state: LaneStatus['state'], reason: string | null = null): void =>
    log.note([
      {
        address: ADDRESS,
        role: 'relay',
        state,
        reason,
        openNonces: 0,
        isConfigured: true,
        isRetiring: false,
      },
    ]);
  return { lines, warnings, note };
}

describe('log of lane states', () => {
  it('logs one line for each change of a lane’s state, and no line while the state is unchanged', () => {
    const { lines, note } = aLog();
    note('ready');
    note('ready');
    note('short_of_funds');
    note('short_of_funds');
    note('ready');
    expect(lines.map(([text, { before, now }]) => [text, before, now])).toEqual([
      ['a lane can accept work', undefined, 'ready'],
      ['a lane accepts no work', 'ready', 'short_of_funds'],
      ['a lane can accept work', 'short_of_funds', 'ready'],
    ]);
  });

  it('O9: logs no warning for a lane that was not polled since the start', () => {
    const { lines, warnings, note } = aLog();
    note('unknown');
    note('ready');
    expect(warnings).toEqual([]);
    note('unknown');
    expect(warnings).toHaveLength(1);
    expect(lines).toHaveLength(3);
  });

  it('logs nothing when a lane becomes full or has free slots again', () => {
    const { lines, note } = aLog();
    for (const state of ['ready', 'full', 'ready', 'full'] as const) note(state);
    expect(lines).toHaveLength(1);
  });

  it('logs a new reason even if the lane’s state has not changed', () => {
    const { lines, note } = aLog();
    note('resting', 'WRONG_KEY');
    note('resting', 'NOT_DEPLOYED');
    expect(lines.map(([, { now }]) => now)).toEqual(['resting WRONG_KEY', 'resting NOT_DEPLOYED']);
  });
});
