import { describe, expect, it } from '@jest/globals';
import { CHECKPOINTS } from '@sotto/submission-core';
import type { AttackRow } from '../../src/attack/attack.js';
import { command } from './command.js';

/** As JSON has it. */
type ShownRow = Omit<AttackRow, 'operatorFri' | 'attackerFri'> & { readonly operatorFri: string };

/** The lists of an audit that found nothing. */
const CLEAN = {
  lost: [],
  doubles: [],
  disagreements: [],
  unreasoned: [],
  stuck: [],
  foreign: [],
  holes: [],
};

describe('the service, killed again and again', () => {
  it('at every named point under a load that goes on, loses nothing and pays nothing twice', async () => {
    // What is left out is in the recovery below.
    const points = CHECKPOINTS.filter((name) => name !== 'adopted');
    const { stderr, report } = await command(
      'crash-matrix',
      '--times',
      '1',
      '--rate',
      '1',
      '--together',
    );
    expect(stderr).toContain(' 0 findings');
    const [row] = Object(report).rows;
    expect(row).toMatchObject({
      points: expect.arrayContaining(points),
      kills: points.length,
      recovered: points.length,
      otherAnswers: [],
      audit: CLEAN,
    });
    // It was worth its name: there was something in flight, and the chain was paid for.
    expect(row.mostInFlight).toBeGreaterThan(1);
    expect(row.audit.inclusions).toBeGreaterThan(CHECKPOINTS.length);
  });
});

describe('two keepers on one ledger, killed in turn', () => {
  it('at every named point, execute each due time once, deploy, top up and borrow nothing twice', async () => {
    const points = CHECKPOINTS.filter((name) => name !== 'adopted');
    const { report } = await command('keeper-matrix', '--times', '1');
    const { kills, judgement } = Object(report);
    expect(judgement.findings).toEqual([]);
    expect(kills).toEqual(Object.fromEntries(points.map((point) => [point, 1])));
    // It was worth its name: each task had something to do.
    const { executions, deployments, rounds, topUps, batches } = judgement;
    for (const count of [executions, deployments, rounds, topUps, batches])
      expect(count).toBeGreaterThan(0);
    expect(BigInt(judgement.borrowed)).toBeGreaterThan(0n);
  });
});

describe('the service, asked for more than it can do', () => {
  it('finishes all that it has accepted, and turns the rest away with the time to come again', async () => {
    const { report } = await command(
      'overload',
      '--seconds',
      '6',
      '--measure',
      '2',
      '--factor',
      '4',
      '--room',
      '32',
    );
    expect(report).toMatchObject({ withoutRetryAfter: 0, audit: CLEAN });
    expect(Object(report).audit.byState).toEqual({ succeeded: Object(report).audit.inclusions });
    expect(Object.keys(Object(report).withdrawals.outcomes)).toContain('503 OVERLOADED');
    expect(Object.keys(Object(report).loadedReads['pool status'].outcomes)).toEqual(['200']);
  });
});

describe('the service under a steady load', () => {
  it('keeps its books, and reports what its process uses', async () => {
    const { report } = await command(
      'soak',
      '--minutes',
      '0.1',
      '--rate',
      '2',
      '--reads',
      '4',
      '--sample',
      '1',
    );
    expect(report).toMatchObject({ audit: CLEAN, missedSamples: 0 });
    const { samples, withdrawals } = Object(report);
    expect(samples.length).toBeGreaterThan(2);
    for (const sample of samples) {
      for (const [name, value] of Object.entries(sample))
        expect([name, Number.isFinite(value)]).toEqual([name, true]);
    }
    expect(withdrawals.outcomes).toEqual({ '200 SUCCEEDED': Object(report).audit.inclusions });
  });
});

describe('a service whose ledger, or whose hold on its lanes, is lost under a load that goes on', () => {
  // `killed while it adopts` takes longer; the command runs it.
  it.each([
    [1, 'held up'],
    [2, 'old copy'],
    [3, 'lost'],
    [5, 'lane added'],
  ])(
    'returns to each caller the one transaction that paid, and pays nothing twice (case %d, %s)',
    async (number, name) => {
      const { stderr, report } = await command(
        'recovery',
        '--case',
        String(number),
        '--times',
        '1',
        '--seconds',
        '2',
        '--rate',
        '2',
      );
      expect(stderr).toContain(' 0 findings');
      const [row] = Object(report).rows;
      expect(row).toMatchObject({ name, findings: [], unsettled: 0, truth: { findings: [] } });
      expect(row.truth.callers).toBeGreaterThan(4);
      expect([row.truth.answered, row.truth.paid]).toEqual([row.truth.callers, row.truth.callers]);
    },
  );
});

describe('the service under attack by those who need no credential', () => {
  it('serves the honest client each time', async () => {
    // On a busy machine a proof must be on chain before thirty newer roots are.
    const { report } = await command('attack', '--seconds', '2', '--pace', '0.4');
    const rows: readonly ShownRow[] = Object(report).rows;
    expect(rows.flatMap(({ findings }) => findings)).toEqual([]);
    for (const { story, strikes, honest } of rows) {
      expect([story, strikes > 0]).toEqual([story, true]);
      for (const { name, served, unserved } of honest)
        expect([story, name, served > 0, unserved]).toEqual([story, name, true, []]);
    }
    const stories = ['T6', 'T8', 'T9', 'T10', 'T11', 'T12', 'T13', 'T14'];
    expect(rows.map(({ story }) => story)).toEqual(expect.arrayContaining(stories));
    // These were attacks: the operator has paid for what reverted.
    const costs = new Map(rows.map(({ story, operatorFri }) => [story, BigInt(operatorFri)]));
    for (const story of ['S7', 'S8', 'T6', 'T8'])
      expect([story, costs.get(story) ?? 0n]).not.toEqual([story, 0n]);
  });
});

describe('the service, while something that it stands on fails', () => {
  // The command stages them all.
  it.each(['disk full', 'log reader stuck', 'newer schema', 'no funds', 'push lost'])(
    'names it in one look, alerts once, recovers by itself, and pays each caller once (%s)',
    async (name) => {
      const { report } = await command('chaos', '--fault', name, '--seconds', '1', '--lasts', '3');
      const [row] = Object(report).rows;
      expect(row).toMatchObject({ name, findings: [] });
      if (row.skipped !== null) return;
      expect(row.truth.callers).toBeGreaterThan(1);
      expect([row.truth.answered, row.truth.paid]).toEqual([row.truth.callers, row.truth.callers]);
    },
  );
});
