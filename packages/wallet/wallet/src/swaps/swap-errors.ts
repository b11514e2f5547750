import type { JourneyError } from '../journeys/journey-error.js';

/** Errors that only private swaps have, in addition to the errors of every journey. */
const SWAP_ERRORS = {
  NO_RELAYER_FOR_SWAP: {
    retry: 'never',
    message: 'None of the relayers swaps notes of this pool into this token. The note is unspent.',
  },
  SWAP_RELAYER_NOT_LISTED: {
    retry: 'never',
    message:
      'Only the relayer that has seen the proof may retry the swap, and the wallet no longer lists it.',
  },
  SWAP_RELAYER_SILENT: {
    retry: 'same',
    message: 'The only relayer that may make this swap has not answered for five minutes.',
  },
  SWAP_NOT_SEEN: {
    retry: 'same',
    message: 'The note was spent. The swap pool does not show the new note yet.',
  },
  ANOTHER_SWAP: {
    retry: 'never',
    message: 'A swap of this note to another token or swap pool is in progress; it continues.',
  },
} as const satisfies Record<string, Pick<JourneyError, 'retry' | 'message'>>;

export function swapError(
  code: keyof typeof SWAP_ERRORS,
  more: Pick<JourneyError, 'transactionHash' | 'relayer'> = {},
): JourneyError {
  return { code, ...SWAP_ERRORS[code], ...more };
}
