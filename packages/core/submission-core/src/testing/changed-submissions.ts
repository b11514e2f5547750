import type { Submissions } from '../ports/submissions.port.js';

/** Returns the submission machine with some of its methods replaced. */
export function withChanged(submissions: Submissions, changed: Partial<Submissions>): Submissions {
  return {
    expect: (call) => submissions.expect(call),
    submit: (submission) => submissions.submit(submission),
    renew: (attempt, newer) => submissions.renew(attempt, newer),
    checkQueueCapacity: (role) => submissions.checkQueueCapacity(role),
    last: (key) => submissions.last(key),
    find: (id) => submissions.find(id),
    waitFor: (id, waitMs, signal) => submissions.waitFor(id, waitMs, signal),
    ...changed,
  };
}
