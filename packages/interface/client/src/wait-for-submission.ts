import type { SottoClient } from './client.js';
import { SottoRequestFailed, isSottoError } from './errors.js';
import type { components } from './openapi.js';
import { backOffMs, mayPass, retryAfterMs, sleep, withinBounds } from './pause.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Signal that ends the waiting, such as `AbortSignal.timeout(60_000)`. The submission itself
   * continues.
   * @default no time limit
   */
  readonly signal?: AbortSignal;
}

/** Time limit of one poll in ms, including the client's retries and the waits between retries. */
const LOOK_MS = 180_000;
const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;

/**
 * Polls a submission at the intervals that the service requests, until its outcome is known:
 * `execution_status` is SUCCEEDED or REVERTED, or `state` is refused or expired. `finality` shows
 * whether a known outcome can still be undone. Polling continues if there is no reply, or if the
 * reply is 429 or 5xx, because such a failure is no evidence about the submission.
 * @param location the `Location` header of a withdrawal, deposit, batch or private swap
 * @throws TypeError if `location` is not the location of a submission
 * @throws SottoRequestFailed if the service reports any other failure, such as 404
 *   `SUBMISSION_NOT_FOUND`
 * @throws the signal's reason when the signal aborts
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
      // A proxy may drop the `Retry-After` header. So a reply without this header does not prove
      // that the outcome is known.
      if (waitMs === undefined && isKnown(data)) return data;
      failures = 0;
    }
    await sleep(withinBounds(waitMs ?? backOffMs(failures)), signal);
  }
}

/**
 * Returns true if the outcome is known. If a reply does not come from the service, such as a page
 * of a proxy, the outcome is not known.
 */
const isKnown = (data: Submission): boolean =>
  [null, 'SUCCEEDED', 'REVERTED'].includes(Object(data).execution_status);

/** Polls the submission once. @returns undefined if there is no reply */
async function lookAt(client: SottoClient, id: string, signal: AbortSignal | undefined) {
  // A connection that hangs is treated as a temporary failure.
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
