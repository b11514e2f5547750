import type { SottoClient } from './client.js';
import { SottoRequestFailed, isSottoError } from './errors.js';
import type { components } from './openapi.js';
import { backOffMs, mayPass, retryAfterMs, sleep, withinBounds } from './pause.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Ends the waiting, never the submission: `AbortSignal.timeout(60_000)`.
   * @default no time limit
   */
  readonly signal?: AbortSignal;
}

/** Time limit of one poll in ms, including the client's retries and the waits between them. */
const LOOK_MS = 180_000;
const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;

/**
 * Polls a submission at the intervals that the service requests, until its outcome is known:
 * `execution_status` is SUCCEEDED or REVERTED, or `state` is refused or expired. `finality` shows
 * whether a known outcome can still be undone. Polling continues if there is no reply, or 429 or
 * 5xx: an unavailable service is no information about the submission.
 * @param location the `Location` header of a withdrawal, deposit, batch or private swap
 * @throws TypeError if it is not the location of a submission
 * @throws SottoRequestFailed if the service reports another failure, such as 404
 *   `SUBMISSION_NOT_FOUND`
 * @throws the signal's reason when it aborts
 */
export async function waitForSubmission(
  client: SottoClient,
  location: string | null,
  { signal }: WaitOptions = {},
): Promise<Submission> {
  const id = LOCATION.exec(location ?? '')?.[1];
  if (id === undefined) throw new TypeError('this is no location of a submission');
  for (let failures = 0; ;) {
    const look = await lookAt(client, id, signal);
    const waitMs = look && retryAfterMs(look.response);
    failures += 1;
    if (look !== undefined && !mayPass(look.response.status)) {
      const { data, error, response } = look;
      if (data === undefined)
        throw new SottoRequestFailed(response.status, isSottoError(error) ? error : undefined);
      // A proxy may drop the header: an unknown outcome without it is still unknown.
      if (waitMs === undefined && isKnown(data)) return data;
      failures = 0;
    }
    await sleep(withinBounds(waitMs ?? backOffMs(failures)), signal);
  }
}

/** True if the outcome is known. A reply from another server, such as a proxy, has no outcome. */
const isKnown = (data: Submission): boolean =>
  [null, 'SUCCEEDED', 'REVERTED'].includes(Object(data).execution_status);

/** Polls the submission once. @returns undefined if there is no reply */
async function lookAt(client: SottoClient, id: string, signal: AbortSignal | undefined) {
  // A hanging connection counts as a temporary failure.
  const late = AbortSignal.timeout(LOOK_MS);
  try {
    return await client.GET('/api/relayer/submissions/{id}', {
      params: { path: { id } },
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}
