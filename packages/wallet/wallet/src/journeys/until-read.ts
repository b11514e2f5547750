import { WalletError } from '../errors.js';
import type { JourneyError } from './journey-error.js';
import { ownError } from './own-errors.js';
import type { Pauses } from './pauses.js';

/** Retries a chain read until it succeeds. @throws the signal's reason when the signal aborts */
export async function untilRead<T>(
  read: () => Promise<T>,
  {
    signal,
    pauses,
    onFailure,
  }: {
    readonly signal: AbortSignal;
    readonly pauses: Pauses;
    readonly onFailure: (error: JourneyError) => void;
  },
): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (cause) {
      signal.throwIfAborted();
      const error = ownError('NODE_UNREACHABLE', { cause });
      onFailure(cause instanceof WalletError ? { ...error, code: cause.code } : error);
      await pauses.pause();
    }
  }
}
