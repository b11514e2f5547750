import type { SottoClient } from './client.js';
import { SottoRequestFailed, isSottoError } from './errors.js';
import type { components } from './openapi.js';
import { backOffMs, mayPass, retryAfterMs, sleep } from './pause.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Ends the waiting, never the submission: `AbortSignal.timeout(60_000)`.
   * @default waits for as long as it takes
   */
  readonly signal?: AbortSignal;
}

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
    if (look !== undefined && !mayPass(look.response.status)) {
      const { data, error, response } = look;
      if (data === undefined)
        throw new SottoRequestFailed(response.status, isSottoError(error) ? error : undefined);
      const waitMs = retryAfterMs(response);
      if (waitMs === undefined) return data;
      failures = 0;
      await sleep(waitMs, signal);
    } else {
      const said = look && retryAfterMs(look.response);
      await sleep(said ?? backOffMs(failures), signal);
      failures += 1;
    }
  }
}

/** @returns undefined when there is no answer */
async function lookAt(client: SottoClient, id: string, signal: AbortSignal | undefined) {
  try {
    return await client.GET('/api/relayer/submissions/{id}', {
      params: { path: { id } },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}
