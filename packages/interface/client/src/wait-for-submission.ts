import type { SottoClient } from './client.js';
import { SottoRequestFailed, isSottoError } from './errors.js';
import type { components } from './openapi.js';
import { backOffMs, mayPass, retryAfterMs, sleep, withinBounds } from './pause.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Ends the waiting, never the submission: `AbortSignal.timeout(60_000)`.
   * @default waits for as long as it takes
   */
  readonly signal?: AbortSignal;
}

/** One look, with the client's tries and the waits between them. */
const LOOK_MS = 180_000;
const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;

/**
 * Looks at a submission, as often as the service asks, until its outcome is known:
 * `execution_status` is SUCCEEDED or REVERTED, or `state` is refused or expired. `finality` says
 * whether a known outcome can still be undone. While there is no answer, or 429 or 5xx, it goes on:
 * a service that can't be asked says nothing about the submission.
 * @param location the `Location` header of a withdrawal, deposit, batch or private swap
 * @throws TypeError when that is no location of a submission
 * @throws SottoRequestFailed with every other failure: 404 `SUBMISSION_NOT_FOUND` is the end
 * @throws the signal's reason when that aborts
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
      // A proxy may drop the header: without it an unknown outcome is unknown all the same.
      if (waitMs === undefined && isKnown(data)) return data;
      failures = 0;
    }
    await sleep(withinBounds(waitMs ?? backOffMs(failures)), signal);
  }
}

/** What something else answers in the place of the service is no outcome either. */
const isKnown = (data: Submission): boolean =>
  [null, 'SUCCEEDED', 'REVERTED'].includes(Object(data).execution_status);

/** @returns undefined when there is no answer */
async function lookAt(client: SottoClient, id: string, signal: AbortSignal | undefined) {
  // A connection that hangs is a blip like others.
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
