import type { DepositEvent, PrivateSwapEvent, WithdrawalEvent } from '@sotto/wallet/advanced';

/** A finished or current step in the timeline of a note. */
export interface Step {
  /** Kind of the step. If an event has the kind of the last step, the event updates this step. */
  readonly key: string;
  readonly text: string;
  /** Transaction hash in 0x hex. */
  readonly transactionHash?: string | undefined;
  /** Progress of a long step, from 0 to 1. */
  readonly progress?: number;
  readonly tone: 'good' | 'care' | 'bad';
  readonly at: Date;
}

type NewStep = Omit<Step, 'at'>;
export type NoteEvent = DepositEvent | WithdrawalEvent | PrivateSwapEvent;
/** Kind of operation on a note. */
export type Undertaking = 'deposit' | 'withdrawal' | 'swap';

/** Text of the step in which the wallet sends a request to the relayer. */
const SENT: Readonly<Record<Undertaking, string>> = {
  deposit: 'The consent goes to the relayer',
  withdrawal: 'The proof goes to the relayer',
  swap: 'The proof of the swap goes to the relayer',
};

/** Converts an event to a step. */
function stepOf(
  event: Exclude<NoteEvent, { type: 'withdrawing' | 'rescuing' }>,
  of: Undertaking,
): NewStep {
  const good = (key: string, text: string, transactionHash?: string | null): NewStep => ({
    key: `${of} ${key}`,
    text,
    tone: 'good',
    ...(typeof transactionHash === 'string' ? { transactionHash } : {}),
  });
  switch (event.type) {
    case 'approving':
      return good(
        'approving',
        'Your account allows the pool to transfer the amount',
        event.transactionHash,
      );
    case 'approval-pending':
      return good(
        'approval pending',
        'The relayer waits until the approval is in a block',
        event.transactionHash,
      );
    case 'signing':
      return good('signing', 'Your account signs that it pays for this note');
    case 'proving':
      return {
        ...good('proving', 'Proving, here in this page'),
        progress: fraction(event.progress),
      };
    case 'posting':
      return good('posting', SENT[of]);
    case 'accepted':
      return event.transactionHash === null
        ? good('accepted', 'The relayer has accepted it')
        : good('sent', 'The relayer has signed and sent it', event.transactionHash);
    case 'included':
      return good('included', 'It is in a block, which may still be undone', event.transactionHash);
    case 'deposited':
      return good('deposited', 'The pool has the note, which waits for its batch');
    case 'active':
      return event.batch.size === 1
        ? {
            ...good(
              'active',
              'It is alone in its batch: it can be withdrawn, and nothing hides it',
            ),
            tone: 'care',
          }
        : good('active', `Its batch of ${event.batch.size} is in: the note can be withdrawn`);
    case 'swapped':
      return good(
        'swapped',
        'Swapped: a new note of yours is in the swap pool',
        event.transactionHash,
      );
    case 'settled':
      return {
        key: 'settled',
        text: 'Settled: the recipient is paid',
        tone: 'good',
        transactionHash: event.transactionHash,
      };
    case 'withdrawn':
      return {
        key: 'settled',
        text: 'Withdrawn instead of swapped: the recipient is paid',
        tone: 'good',
        transactionHash: event.transactionHash,
      };
    case 'reverted':
      return {
        key: 'reverted',
        text: event.advice,
        tone: 'bad',
        transactionHash: event.error.transactionHash,
      };
    case 'waiting':
    case 'unknown':
      return { key: PAUSE, text: event.error.message, tone: 'care' };
    case 'stopped':
      return { key: 'stopped', text: `${event.error.message} ${event.advice}`, tone: 'bad' };
    case 'needs-new-quote':
    case 'failed':
      return {
        key: event.type,
        text: `${event.error.message} (${event.error.code})${leftBy(event)}`,
        tone: event.error.refusals === undefined ? 'bad' : 'care',
        transactionHash: event.error.transactionHash,
      };
  }
}

/** Returns a sentence about the consequence of a failure, or an empty text. */
function leftBy(event: object): string {
  if (!('isApproved' in event) || event.isApproved === false) return '';
  return event.isApproved === true
    ? ' The pool’s approval is still valid: start again, or revoke it.'
    : ' The chain does not show yet if an approval of the pool is valid. Start again in some minutes.';
}

/** Kind of a step that is displayed only until the next event. */
const PAUSE = 'pause';

/** Approximate start and end of each step of a proof, as shares of the total time. */
const SHARES = { artefacts: [0, 0.2], proof: [0.2, 0.7], calldata: [0.7, 1] } as const;

function fraction({ step, fraction: part }: Extract<NoteEvent, { type: 'proving' }>['progress']) {
  const [from, to] = SHARES[step];
  return from + (to - from) * part;
}

/**
 * Adds an event to the timeline. If the event is of the same kind as the last step, it updates that
 * step. Otherwise, and after a failure, it adds a separate step.
 */
export function withEvent(
  steps: readonly Step[],
  event: NoteEvent,
  of: Undertaking,
  at: Date,
): readonly Step[] {
  // A swap ends with a withdrawal of the new note or, after a revert, of the original note.
  if (event.type === 'withdrawing' || event.type === 'rescuing')
    return withEvent(steps, event.event, 'withdrawal', at);
  const next = stepOf(event, of);
  const before = steps.filter(({ key }) => key !== PAUSE);
  const last = before.at(-1);
  if (last?.key !== next.key || last.tone === 'bad') return [...before, { ...next, at }];
  return [...before.slice(0, -1), { ...next, at: last.at }];
}
