import type { DepositSummary, PrivateSwapSummary, WithdrawalSummary } from '@sotto/wallet/advanced';
import type { Step } from './timeline.js';

/** State of a note, derived from the chain and the journals of this browser. */
export type NoteState =
  | 'depositing'
  | 'waiting'
  | 'active'
  | 'withdrawing'
  | 'swapping'
  | 'swapped'
  | 'rescued'
  | 'withdrawn'
  | 'spent'
  | 'failed';

export const STATES: Readonly<
  Record<NoteState, { readonly text: string; readonly tone: Step['tone'] }>
> = {
  depositing: { text: 'being deposited', tone: 'care' },
  waiting: { text: 'waits for its batch', tone: 'care' },
  active: { text: 'can be withdrawn', tone: 'good' },
  withdrawing: { text: 'being withdrawn', tone: 'care' },
  swapping: { text: 'being swapped', tone: 'care' },
  swapped: { text: 'swapped, not paid out yet', tone: 'care' },
  rescued: { text: 'its swap has reverted: being withdrawn', tone: 'bad' },
  withdrawn: { text: 'withdrawn', tone: 'good' },
  spent: { text: 'spent, not by this browser', tone: 'bad' },
  failed: { text: 'not deposited', tone: 'bad' },
};

/** Records of a note on chain and in this browser's journals. */
export interface NoteRecords {
  /** Position of the note in its pool. Undefined until the note is a leaf. */
  readonly place: { readonly batch: object | undefined } | undefined;
  readonly isSpent: boolean;
  readonly deposit: Pick<DepositSummary, 'state'> | undefined;
  readonly withdrawal: Pick<WithdrawalSummary, 'state'> | undefined;
  readonly swap: Pick<PrivateSwapSummary, 'state'> | undefined;
}

/**
 * Derives the state of a note from its records. The state of a spent note is `withdrawn` only if a
 * journal of this browser contains the payment; otherwise the state is `spent`.
 */
export function noteStateOf({ place, isSpent, deposit, withdrawal, swap }: NoteRecords): NoteState {
  const isPaid = swap?.state === 'settled' || swap?.state === 'withdrawn';
  if (isPaid || withdrawal?.state === 'settled') return 'withdrawn';
  if (swap?.state === 'reverted') return 'rescued';
  if (swap?.state === 'swapped') return 'swapped';
  if (swap?.state === 'open') return 'swapping';
  if (withdrawal?.state === 'open') return 'withdrawing';
  if (isSpent) return 'spent';
  if (place === undefined) return deposit?.state === 'failed' ? 'failed' : 'depositing';
  return place.batch === undefined ? 'waiting' : 'active';
}
