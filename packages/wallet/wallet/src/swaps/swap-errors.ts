import type { JourneyError } from '../journeys/journey-error.js';

/** What a private swap itself finds, beside what every journey may find. */
const SWAP_ERRORS = {
  NO_RELAYER_FOR_SWAP: {
    retry: 'never',
    message:
      'None of the relayers swaps notes of this pool into this token. The note is untouched.',
  },
  SWAP_RELAYER_NOT_LISTED: {
    retry: 'never',
    message:
      'Only the relayer that has seen the proof may try the swap again, and the wallet lists it no more.',
  },
  SWAP_RELAYER_SILENT: {
    retry: 'same',
    message: 'The only relayer that may make this swap has not answered for five minutes.',
  },
  SWAP_NOT_SEEN: {
    retry: 'same',
    message: 'The note was spent, and the swap pool does not show the new note yet.',
  },
  ANOTHER_SWAP: {
    retry: 'never',
    message: 'A swap of this note to another token or swap pool is under way; that one goes on.',
  },
} as const satisfies Record<string, Pick<JourneyError, 'retry' | 'message'>>;

export function swapError(
  code: keyof typeof SWAP_ERRORS,
  more: Pick<JourneyError, 'transactionHash' | 'relayer'> = {},
): JourneyError {
  return { code, ...SWAP_ERRORS[code], ...more };
}
