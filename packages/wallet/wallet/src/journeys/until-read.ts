import { WalletError } from '../errors.js';
import type { JourneyError } from './journey-error.js';
import { ownError } from './own-errors.js';
import type { Pauses } from './pauses.js';
import { unlessAborted } from './sleep.js';

/**
 * Time in ms after which a chain read without an answer is reported. The read then continues: the
 * first read of a large pool needs minutes.
 */
const SILENT_READ_MS = 60_000;

/**
 * Retries a chain read until it succeeds.
 * @throws the signal's reason when the signal aborts, even if the read ignores the signal
 */
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
    const silence = setInterval(() => onFailure(ownError('NODE_UNREACHABLE')), SILENT_READ_MS);
    try {
      return await unlessAborted(signal, (async () => read())());
    } catch (cause) {
      signal.throwIfAborted();
      const error = ownError('NODE_UNREACHABLE', { cause });
      onFailure(cause instanceof WalletError ? { ...error, code: cause.code } : error);
    } finally {
      clearInterval(silence);
    }
    await pauses.pause();
  }
}
