import { DomainError } from '../errors.js';

/** Returns the error with which the promise rejects. @throws Error if the promise resolves */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => error,
  );
}

/** Error of a fake upstream that is unavailable. */
export class FakeUpstreamDown extends DomainError {
  readonly code = 'FAKE_UPSTREAM_DOWN';
  readonly kind = 'unavailable';
}
