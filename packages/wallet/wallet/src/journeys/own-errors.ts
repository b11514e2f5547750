import type { JourneyError } from './journey-error.js';

/** Errors that a journey itself detects. All other errors are reported by relayers. */
const OWN_ERRORS = {
  NOTE_NOT_DEPOSITED: {
    retry: 'later',
    message: 'The pool has no deposit of this note yet.',
  },
  NOTE_WAITS_FOR_BATCH: {
    retry: 'later',
    message: 'The deposit of this note waits for its batch. It can be withdrawn after that.',
  },
  NOTE_SPENT_ELSEWHERE: {
    retry: 'never',
    message:
      'The note was spent by a transaction that none of the relayers of this withdrawal knows as it. ' +
      'If the note is also used elsewhere, such as for a swap or on another device, check there.',
  },
  SPENT_BY_UNKNOWN: {
    retry: 'same',
    message:
      'The note was spent. Only its relayer knows whether by this withdrawal, and it does not answer.',
  },
  NODE_UNREACHABLE: {
    retry: 'same',
    message: 'The Starknet node does not answer.',
  },
  SPENDING_NOT_SEEN: {
    retry: 'same',
    message:
      'A relayer reports that the note is spent. The chain does not show the transaction yet.',
  },
  RELAYER_UNREACHABLE: {
    retry: 'same',
    message: 'The relayer does not answer.',
  },
  RELAYER_TOO_SLOW: {
    retry: 'same',
    message: 'The relayer has had the request for half an hour, and the chain does not show it.',
  },
  NO_USABLE_RELAYER: {
    retry: 'later',
    message: 'No relayer accepts requests for this pool now.',
  },
  NO_RELAYER_FOR_POOL: {
    retry: 'never',
    message: 'None of the relayers can be used for this pool.',
  },
  FEE_ABOVE_MAXIMUM: {
    retry: 'new-quote',
    message: 'Relayers charge more than the agreed maximum fee. The note is unspent.',
  },
  PROVING_FAILED: {
    retry: 'same',
    message: 'The proof could not be created. Nothing was sent.',
  },
  ARTEFACT_UNAVAILABLE: {
    retry: 'same',
    message: 'A file of the prover can’t be fetched now. Nothing was sent.',
  },
  PROVER_SILENT: {
    retry: 'same',
    message: 'The prover has shown no progress for ten minutes. Nothing was sent.',
  },
  ANOTHER_RECIPIENT: {
    retry: 'never',
    message:
      'A withdrawal of this note to another recipient is in progress or has paid; it continues.',
  },
  CANCELLED: {
    retry: 'same',
    message: 'It was cancelled before anything was sent.',
  },
  WALLET_CLOSED: {
    retry: 'same',
    message: 'The wallet was closed. Unfinished work continues when it is resumed.',
  },
  RUNS_ELSEWHERE: {
    retry: 'same',
    message: 'Another tab or window is running it.',
  },
  ANOTHER_CHECK: {
    retry: 'same',
    message: 'Another tab or window is checking a withdrawal.',
  },
  SWAP_LINKED: {
    retry: 'later',
    message:
      'The chain links this withdrawal to the swap of the note, but not to the deposit. ' +
      'The withdrawal waits for a random time.',
  },
  ANOTHER_DEPOSITOR: {
    retry: 'never',
    message: 'A deposit of this note by another account is in progress; it continues.',
  },
  ANOTHER_DEPOSIT: {
    retry: 'same',
    message: 'Another deposit of this account into the pool has to finish first.',
  },
  APPROVAL_REFUSED: {
    retry: 'same',
    message: 'The account did not approve the payment. Nothing was paid.',
  },
  APPROVAL_UNKNOWN: {
    retry: 'same',
    message:
      'The account may have sent an approval that the chain does not show yet. Nothing was paid. ' +
      'No second approval is requested while the first one may appear.',
  },
  ACCOUNT_SILENT: {
    retry: 'same',
    message: 'The account has not answered for five minutes. Nothing was paid.',
  },
  SIGNING_REFUSED: {
    retry: 'same',
    message: 'The account did not sign the deposit. Nothing was paid.',
  },
  DEPOSIT_NOT_SEEN: {
    retry: 'same',
    message: 'A relayer reports that the deposit is on chain. The chain does not show it yet.',
  },
} as const satisfies Record<string, Pick<JourneyError, 'retry' | 'message'>>;

export type OwnErrorCode = keyof typeof OWN_ERRORS;

export function ownError(
  code: OwnErrorCode,
  more: Pick<JourneyError, 'transactionHash' | 'relayer' | 'relayers' | 'untilMs' | 'cause'> = {},
): JourneyError {
  return { code, ...OWN_ERRORS[code], ...more };
}
