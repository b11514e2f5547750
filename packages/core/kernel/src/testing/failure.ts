import { DomainError } from '../errors.js';

/** What the promise rejects with. @throws Error when it does not */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => error,
  );
}

/** What a fake throws whose port stands for something that can't answer. */
export class FakeUpstreamDown extends DomainError {
  readonly code = 'FAKE_UPSTREAM_DOWN';
  readonly kind = 'unavailable';
}
