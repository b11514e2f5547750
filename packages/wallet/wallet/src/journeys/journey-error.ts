import type { Retry, SottoError } from '@sotto/client';

import type { UnusableRelayer } from '../relayers/relayers.js';

/** What a journey reports when something does not go as it should. */
export interface JourneyError {
  /** Of the service's catalogue, or one of this package (README). */
  readonly code: string;
  /** What to do, in the words of the service's errors. */
  readonly retry: Retry;
  /** A sentence for people; never names recipient, fee or note. */
  readonly message: string;
  /** The transaction that it is about, where one is known. */
  readonly transactionHash?: string;
  /** The relayer that said so, or that can't be asked. */
  readonly relayer?: string;
  /** Why each of the relayers is not used, where none is. */
  readonly relayers?: readonly UnusableRelayer[];
  /** What was thrown, for developers: may hold anything that the thrower knows. */
  readonly cause?: unknown;
}

/** Of a relayer's own words, so many characters are kept and shown. */
const MOST_WORDS = 300;

/** A failure that the service itself reports. */
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

/** What a relayer answers need not be of its type. */
function words(said: unknown): string {
  return String(said).slice(0, MOST_WORDS);
}
