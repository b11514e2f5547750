import type { Retry, SottoError } from '@sotto/client';

import type { UnusableRelayer } from '../relayers/relayers.js';

/** Error that a journey reports in an event. */
export interface JourneyError {
  /** Code from the service's catalogue, or one of this package (README). */
  readonly code: string;
  /** Recommended reaction, with the values of the service's errors. */
  readonly retry: Retry;
  /** Sentence for users; never names recipient, fee or note. */
  readonly message: string;
  /** Transaction that the error concerns, if known. */
  readonly transactionHash?: string;
  /** Relayer that reported the error or is unreachable. */
  readonly relayer?: string;
  /** Reason per relayer, if none is usable. */
  readonly relayers?: readonly UnusableRelayer[];
  /** Thrown value, for developers: may contain anything that the thrower knows. */
  readonly cause?: unknown;
}

/** Maximum number of characters kept of a relayer's text. */
const MOST_WORDS = 300;

/** Converts an error that the service reported. */
export function reported(
  { code, retry, error }: SottoError,
  relayer: string,
  transactionHash?: string,
): JourneyError {
  return {
    code: words(code),
    retry,
    message: words(error),
    relayer,
    ...(transactionHash === undefined ? {} : { transactionHash }),
  };
}

/** Limits a relayer's text. The value may have any type at run time. */
function words(said: unknown): string {
  return String(said).slice(0, MOST_WORDS);
}
