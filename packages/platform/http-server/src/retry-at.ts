import { systemClock, type DomainError } from '@sotto/kernel';

const MS_PER_SECOND = 1_000;

/**
 * Returns the Unix time in seconds at which the request may be repeated, as a field of a body; an
 * empty object if the time is unknown. The time is not before the end of `Retry-After`.
 */
export function retryAtOf(
  { retryAfterSeconds }: Pick<DomainError, 'retryAfterSeconds'>,
  nowMs = systemClock.nowMs(),
): { readonly retryAt?: number } {
  if (retryAfterSeconds === undefined) return {};
  return { retryAt: Math.ceil(nowMs / MS_PER_SECOND + retryAfterSeconds) };
}
