import type { LogFields } from '@sotto/kernel';

/** Above what is in flight at once. What is forgotten is still connected by the submission's id. */
const MOST = 4_096;

/**
 * Remembers which request began a submission, so that lines of the work that goes on after the
 * answer name the request too.
 */
export class RequestIds {
  readonly #bySubmission = new Map<string, string>();

  /** Returns the request's id if the fields lack it, and learns from fields that have both. */
  of({ submission, requestId }: LogFields): { readonly requestId?: string } {
    if (typeof submission !== 'string') return {};
    if (typeof requestId !== 'string') {
      const known = this.#bySubmission.get(submission);
      return known === undefined ? {} : { requestId: known };
    }
    // The first request began it; others repeat it.
    if (this.#bySubmission.has(submission)) return {};
    const [oldest] = this.#bySubmission.keys();
    if (this.#bySubmission.size >= MOST && oldest !== undefined) this.#bySubmission.delete(oldest);
    this.#bySubmission.set(submission, requestId);
    return {};
  }
}
