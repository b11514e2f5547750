import type { Retry, SottoError } from '@sotto/client';

import type { GuardRefusal } from '../guard/crowd-guard.js';
import type { UnusableRelayer } from '../relayers/relayers.js';

/** Error that a journey reports in an event. */
export interface JourneyError {
  /**
   * Code of the service's error catalogue, or a code that only this package uses (see the README).
   */
  readonly code: string;
  /**
   * Recommended reaction of the caller. The values are those of the field `retry` in the service's
   * errors.
   */
  readonly retry: Retry;
  /** Sentence for users, without recipient, fee or note. */
  readonly message: string;
  /** Unix time in seconds at which the relayer may accept the request, if reported. */
  readonly retryAt?: number;
  /** Transaction that the error concerns, if known. */
  readonly transactionHash?: string;
  /** Relayer that reported the error or is unreachable. */
  readonly relayer?: string;
  /** For each relayer, the reason why it is unusable. Present if no relayer is usable. */
  readonly relayers?: readonly UnusableRelayer[];
  /** Refusals by the guard, each of which the caller may override by its code. */
  readonly refusals?: readonly GuardRefusal[];
  /** End of the wait, as Unix time in ms. */
  readonly untilMs?: number;
  /** Thrown value, for developers, which may contain any data of the throwing code. */
  readonly cause?: unknown;
}

/** Maximum number of characters of a relayer's text; longer texts are cut. */
const MOST_WORDS = 300;

/** Fields of a reported error that a journey uses. */
type ReportedError = Pick<SottoError, 'retry' | 'retryAt' | 'error'> & { readonly code: unknown };

/** Converts an error that the service reported to an error of a journey. */
export function reported(
  { code, retry, retryAt, error }: ReportedError,
  relayer: string,
  transactionHash?: string,
): JourneyError {
  return {
    code: words(code),
    retry,
    message: words(error),
    relayer,
    // The field is absent in replies of older relayers, and may have any value.
    ...(Number.isSafeInteger(retryAt) ? { retryAt } : {}),
    ...(transactionHash === undefined ? {} : { transactionHash }),
  };
}

/** Cuts a relayer's text to its maximum length. The value may have any type at run time. */
function words(said: unknown): string {
  return String(said).slice(0, MOST_WORDS);
}
