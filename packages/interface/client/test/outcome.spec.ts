import { describe, expect, it } from '@jest/globals';
import { createSottoClient, outcomeOf, type components } from '../src/index.js';
import { answering, json } from './answers.js';

type Submission = components['schemas']['Submission'];

const succeeded = {
  transaction_hash: '0x5d',
  execution_status: 'SUCCEEDED',
  revert_reason: null,
} as const;
const submission = (changes: Partial<Submission>): Submission => ({
  id: 'Zk3vQ0m1T7a8b9c0d1e2fA',
  attempt: 1,
  state: 'succeeded',
  finality: 'ACCEPTED_ON_L2',
  progress: 'accepted',
  reorged: null,
  code: null,
  ...succeeded,
  ...changes,
});

describe('the outcome', () => {
  it.each([
    [succeeded, { outcome: 'succeeded', transactionHash: '0x5d', progress: 'preconfirmed' }],
    [
      { ...succeeded, execution_status: 'REVERTED', revert_reason: 'root' } as const,
      {
        outcome: 'reverted',
        transactionHash: '0x5d',
        reason: 'root',
        progress: 'preconfirmed',
      },
    ],
    [
      { ...succeeded, execution_status: 'UNKNOWN' } as const,
      { outcome: 'unknown', transactionHash: '0x5d', progress: 'received' },
    ],
    [
      { ...succeeded, transaction_hash: '0x0', execution_status: 'UNKNOWN' } as const,
      { outcome: 'unknown', transactionHash: null, progress: 'received' },
    ],
  ])('outcomeOf returns the expected outcome for the reply %o', (answer, expected) => {
    expect(outcomeOf(answer)).toEqual({ ...expected, answer });
  });

  it.each([
    [submission({}), { outcome: 'succeeded', transactionHash: '0x5d', progress: 'accepted' }],
    [
      submission({
        state: 'refused',
        transaction_hash: null,
        execution_status: null,
        code: 'X',
        progress: 'settled',
      }),
      { outcome: 'rejected', code: 'X', progress: 'settled' },
    ],
    [
      submission({
        state: 'accepted',
        transaction_hash: null,
        execution_status: 'UNKNOWN',
        progress: 'received',
      }),
      { outcome: 'unknown', transactionHash: null, progress: 'received' },
    ],
  ])('outcomeOf returns the expected outcome for the submission %o', (answer, expected) => {
    expect(outcomeOf(answer)).toEqual({ ...expected, answer });
  });

  it.each([
    ['nothing', null],
    ['an empty object, as of a proxy', {}],
    ['a status that is not known here', { execution_status: 'REPLACED' }],
    ['a hash of no transaction', { ...succeeded, transaction_hash: 'soon' }],
    ['a reverted nothing', { ...succeeded, execution_status: 'REVERTED', transaction_hash: '0x0' }],
  ])('outcomeOf returns an unknown outcome for the body: %s', (_what, body) => {
    const answer: Submission = JSON.parse(JSON.stringify(body));
    expect(outcomeOf(answer)).toMatchObject({ outcome: 'unknown', transactionHash: null });
  });

  it.each([
    ['PRE_CONFIRMED', 'SUCCEEDED', 'preconfirmed'],
    ['ACCEPTED_ON_L2', 'REVERTED', 'accepted'],
    ['ACCEPTED_ON_L1', 'SUCCEEDED', 'settled'],
    [null, null, 'settled'],
  ] as const)(
    'the progress of a service without the field follows from finality %s of status %s',
    (finality, execution_status, progress) => {
      const { progress: _, ...old } = submission({ finality, execution_status });
      expect(outcomeOf(old)).toMatchObject({ progress });
    },
  );

  it('a progress that this release does not know is derived from the other fields', () => {
    const newer: Submission = JSON.parse(JSON.stringify({ ...submission({}), progress: 'proved' }));
    expect(outcomeOf(newer)).toMatchObject({ progress: 'accepted' });
  });

  it('the outcome of a dry run is a report without a transaction', () => {
    const report = { admissible: false, checks: [] };
    expect(outcomeOf(report)).toEqual({ outcome: 'dry-run', report });
  });

  it('an outcome without a transaction has no transaction hash', async () => {
    const swapped = { ...succeeded, leafIndex: 12, outputAmount: '0x16' };
    const client = createSottoClient({
      baseUrl: 'https://relayer.example',
      fetch: answering(json(swapped)).fetch,
    });
    const body = {
      wbtcPool: '0x1',
      proofCalldata: ['0x1'],
      newCommitment: '1',
      outputToken: '0x2',
    };
    const { data } = await client.POST('/api/relayer/private-swap', { body });
    if (data === undefined) throw new Error('there is no answer');
    const came = outcomeOf(data);
    // @ts-expect-error a dry run has no transaction
    expect(came.transactionHash).toBe('0x5d');
    // @ts-expect-error nor has its answer one
    expect(data.transaction_hash).toBe('0x5d');
    if (came.outcome !== 'succeeded') throw new Error(came.outcome);
    const leafIndex: number | undefined = came.answer.leafIndex;
    expect([came.transactionHash, leafIndex]).toEqual(['0x5d', 12]);

    const read = (ended: ReturnType<typeof outcomeOf<typeof data>>): string => {
      switch (ended.outcome) {
        case 'dry-run':
          // @ts-expect-error a dry run has no transaction
          return String(ended.transactionHash);
        case 'rejected':
          // @ts-expect-error nothing of it is on chain
          return String(ended.transactionHash);
        case 'unknown':
          // @ts-expect-error none may be signed yet
          return ended.transactionHash;
        case 'succeeded':
        case 'reverted':
          return ended.transactionHash;
      }
    };
    expect(read(came)).toBe('0x5d');
  });
});
