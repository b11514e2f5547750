import { describe, expect, it } from '@jest/globals';
import { withEvent, type NoteEvent, type Step } from '../../src/timeline.js';

const at = (seconds: number): Date => new Date(seconds * 1_000);
const error = { code: 'NODE_UNREACHABLE', retry: 'same', message: 'The node is away.' } as const;
const relayer = 'https://relayer.example';

const stepsOf = (of: 'deposit' | 'withdrawal', events: readonly NoteEvent[]): readonly Step[] =>
  events.reduce<readonly Step[]>(
    (steps, event, index) => withEvent(steps, event, of, at(index)),
    [],
  );

const proving = (step: 'artefacts' | 'proof' | 'calldata', fraction: number): NoteEvent => ({
  type: 'proving',
  progress: { step, fraction },
});

describe('a timeline', () => {
  it('the wallet page’s timeline has one step for each kind of event, with its transaction', () => {
    const steps = stepsOf('withdrawal', [
      { type: 'posting', relayer },
      { type: 'accepted', relayer, submission: 'abc', transactionHash: null },
      { type: 'accepted', relayer, submission: 'abc', transactionHash: '0x1' },
      { type: 'included', transactionHash: '0x1' },
      { type: 'settled', transactionHash: '0x1' },
    ]);
    expect(steps.map(({ text, transactionHash }) => [text, transactionHash])).toEqual([
      ['The proof goes to the relayer', undefined],
      ['The relayer has accepted it', undefined],
      ['The relayer has signed and sent it', '0x1'],
      ['It is in a block, which may still be undone', '0x1'],
      ['Settled: the recipient is paid', '0x1'],
    ]);
  });

  it('the wallet page’s timeline has one step per proof, with its start time and increasing progress', () => {
    const events = [
      proving('artefacts', 0),
      proving('artefacts', 1),
      proving('proof', 0.5),
      proving('proof', 1),
      proving('calldata', 1),
    ];
    const fractions = events.map(
      (_, index) => stepsOf('withdrawal', events.slice(0, index + 1))[0]?.progress ?? Number.NaN,
    );
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    expect([fractions[0], fractions.at(-1)]).toEqual([0, 1]);
    expect(stepsOf('withdrawal', events)).toMatchObject([{ at: at(0) }]);
  });

  it('the wallet page’s timeline displays the reason of a pause until the next event', () => {
    const events: NoteEvent[] = [{ type: 'signing' }, { type: 'waiting', error }];
    expect(stepsOf('deposit', events).map(({ text }) => text)).toEqual([
      'Your account signs that it pays for this note',
      'The node is away.',
    ]);
    expect(stepsOf('deposit', [...events, { type: 'deposited', leafIndex: 3 }])).toHaveLength(2);
  });

  it('the wallet page’s timeline of a failed action ends with the error and its code', () => {
    expect(stepsOf('withdrawal', [{ type: 'failed', error }])).toMatchObject([
      { text: 'The node is away. (NODE_UNREACHABLE)', tone: 'bad' },
    ]);
  });

  it('the wallet page’s timeline shows a refusal by the guard as a warning, because the user can override it', () => {
    const refusals = [{ code: 'CROWD_TOO_SMALL', size: 1, minimum: 3 }] as const;
    expect(
      stepsOf('withdrawal', [{ type: 'failed', error: { ...error, refusals } }]),
    ).toMatchObject([{ tone: 'care' }]);
  });

  it('the wallet page’s timeline of a failed deposit states if the approval is still valid', () => {
    const failed = { type: 'failed', error } as const;
    expect(
      ([true, 'unknown', false] as const).flatMap((isApproved) =>
        stepsOf('deposit', [{ ...failed, isApproved }]),
      ),
    ).toMatchObject([
      {
        text: `The node is away. (NODE_UNREACHABLE) The pool’s approval is still valid: start again, or revoke it.`,
      },
      {
        text: `The node is away. (NODE_UNREACHABLE) The chain does not show yet if an approval of the pool is valid. Start again in some minutes.`,
      },
      { text: 'The node is away. (NODE_UNREACHABLE)' },
    ]);
  });

  it('the wallet page’s timeline has separate steps for a retry after a failure', () => {
    const attempted: NoteEvent[] = [
      proving('proof', 1),
      { type: 'posting', relayer },
      { type: 'failed', error },
    ];
    const steps = stepsOf('withdrawal', [...attempted, ...attempted, { type: 'failed', error }]);
    expect(steps.map(({ key }) => key)).toEqual([
      'withdrawal proving',
      'withdrawal posting',
      'failed',
      'withdrawal proving',
      'withdrawal posting',
      'failed',
      'failed',
    ]);
    expect(steps.at(-1)?.at).toEqual(at(6));
    expect(stepsOf('withdrawal', [...attempted, proving('artefacts', 0)]).at(-1)).toMatchObject({
      text: 'Proving, here in this page',
      at: at(3),
    });
  });

  it('the wallet page’s timeline warns of a note whose batch has no other note', () => {
    const alone = { type: 'active', leafIndex: 0, batch: { start: 0, size: 1 } } as const;
    expect(stepsOf('deposit', [alone])).toMatchObject([{ tone: 'care' }]);
    const batch = { start: 0, size: 3 };
    expect(stepsOf('deposit', [{ ...alone, batch }])).toMatchObject([{ tone: 'good' }]);
  });

  it('the wallet page’s timeline of a swap continues with the withdrawal of the new note', () => {
    const settled = { type: 'settled', transactionHash: '0x2' } as const;
    const events: NoteEvent[] = [
      { type: 'posting', relayer },
      { type: 'swapped', transactionHash: '0x1', leafIndex: 0 },
      { type: 'withdrawing', event: { type: 'posting', relayer } },
      { type: 'withdrawing', event: settled },
      settled,
    ];
    const steps = events.reduce<readonly Step[]>(
      (before, event, index) => withEvent(before, event, 'swap', at(index)),
      [],
    );
    expect(steps.map(({ text }) => text)).toEqual([
      'The proof of the swap goes to the relayer',
      'Swapped: a new note of yours is in the swap pool',
      'The proof goes to the relayer',
      'Settled: the recipient is paid',
    ]);
  });

  it('T3: the wallet page’s timeline displays a reverted swap before the withdrawal of the original note', () => {
    const events: NoteEvent[] = [
      { type: 'reverted', error: { ...error, transactionHash: '0x1' }, advice: 'Withdraw it now.' },
      { type: 'rescuing', event: { type: 'posting', relayer } },
      { type: 'rescuing', event: { type: 'settled', transactionHash: '0x2' } },
      { type: 'withdrawn', transactionHash: '0x2' },
    ];
    const steps = events.reduce<readonly Step[]>(
      (before, event, index) => withEvent(before, event, 'swap', at(index)),
      [],
    );
    expect(steps).toMatchObject([
      { text: 'Withdraw it now.', tone: 'bad', transactionHash: '0x1' },
      { text: 'The proof goes to the relayer', tone: 'good' },
      { text: 'Withdrawn instead of swapped: the recipient is paid', transactionHash: '0x2' },
    ]);
  });

  it('the wallet page’s timeline separates the steps of a deposit from the steps of a withdrawal', () => {
    const posting: NoteEvent = { type: 'posting', relayer };
    const both = withEvent(stepsOf('deposit', [posting]), posting, 'withdrawal', at(9));
    expect(both.map(({ text }) => text)).toEqual([
      'The consent goes to the relayer',
      'The proof goes to the relayer',
    ]);
  });
});
