import type { SottoClient } from './client.js';
import { SottoRequestFailed, isSottoError } from './errors.js';
import type { components } from './openapi.js';
import { hasReached, progressOf, type Progress } from './progress.js';
import { backOffMs, mayPass, retryAfterMs, sleep, withinBounds } from './pause.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Lowest progress that ends the waiting. `settled` takes hours, unless the submission is refused
   * or expires.
   * @default 'preconfirmed'
   */
  readonly until?: Exclude<Progress, 'received'>;
  /**
   * Signal that ends the waiting, such as `AbortSignal.timeout(60_000)`. The submission itself
   * continues.
   * @default no time limit
   */
  readonly signal?: AbortSignal;
}

/** Time limit of one poll in ms, including the client's retries and the waits between retries. */
const LOOK_MS = 180_000;
/** Time for which the service delays a reply without a result, in seconds. */
const WAIT_SECONDS = '20';
/**
 * Maximum number of consecutive polls with a wait that get no usable reply. A proxy with a short
 * time limit may break them; later polls then have no wait.
 */
const MAX_LOST_WAITS = 2;
/** Interval in ms between polls without `Retry-After`, by the progress that is known. */
const KNOWN_POLL_MS = { preconfirmed: 5_000, accepted: 60_000, settled: 60_000 } as const;
const ID = /(?:^|\/api\/relayer\/submissions\/)([\w-]{1,64})$/;

/**
 * Waits until a submission's outcome is known and has the progress of `until`: `execution_status`
 * is SUCCEEDED or REVERTED, or `state` is refused or expired. If the service supports it, each
 * request stays open until the outcome is there; otherwise the submission is polled at the
 * intervals that the service requests. Polling continues if there is no reply, or if the reply is
 * 429 or 5xx, because such a failure shows nothing about the submission.
 * @param location the `Location` header of a withdrawal, deposit, batch or private swap, or the
 *   submission's id
 * @throws TypeError if it is neither
 * @throws SottoRequestFailed if the service reports another failure, such as 404
 *   `SUBMISSION_NOT_FOUND`
 * @throws the signal's reason when the signal aborts
 */
export async function waitForSubmission(
  client: SottoClient,
  location: string | null,
  { until = 'preconfirmed', signal }: WaitOptions = {},
): Promise<Submission> {
  const id = ID.exec(location ?? '')?.[1];
  if (id === undefined) throw new TypeError('this is no location of a submission');
  let mayWait = false;
  let lostWaits = 0;
  for (let failures = 0; ;) {
    const waits = mayWait;
    const look = await lookAt(client, id, waits ? until : null, signal);
    const waitMs = look && retryAfterMs(look.response);
    failures += 1;
    mayWait = false;
    if (look === undefined || mayPass(look.response.status)) {
      if (waits) lostWaits += 1;
      await sleep(withinBounds(waitMs ?? backOffMs(failures)), signal);
      continue;
    }
    const { data, error, response } = look;
    if (waits && response.status === 400) {
      // An instance of an earlier release rejects the parameter. Poll without it from now on.
      lostWaits = MAX_LOST_WAITS;
      continue;
    }
    if (data === undefined)
      throw new SottoRequestFailed(response.status, isSottoError(error) ? error : undefined);
    const progress = isKnown(data) ? progressOf(data) : 'received';
    // A proxy may drop the `Retry-After` header, so its absence does not prove that the outcome is
    // known.
    if (waitMs === undefined && progress !== 'received' && hasReached(progress, until)) return data;
    failures = 0;
    if (waits) lostWaits = 0;
    mayWait = canWait(data) && lostWaits < MAX_LOST_WAITS && !hasReached(progress, 'accepted');
    const pauseMs = progress === 'received' ? backOffMs(0) : KNOWN_POLL_MS[progress];
    // The next request waits in the service, so there is no need to wait here.
    if (waits || !mayWait) await sleep(withinBounds(waitMs ?? pauseMs), signal);
  }
}

/** True if the service has the release that accepts the parameter `wait`. */
const canWait = (data: Submission): boolean => 'progress' in Object(data);

/**
 * Returns true if the outcome is known. If a reply does not come from the service, such as a page
 * of a proxy, the outcome is not known.
 */
const isKnown = (data: Submission): boolean =>
  [null, 'SUCCEEDED', 'REVERTED'].includes(Object(data).execution_status);

/**
 * Polls the submission once.
 * @param until progress for which the service waits; null if it responds at once
 * @returns undefined if there is no reply
 */
async function lookAt(
  client: SottoClient,
  id: string,
  until: Required<WaitOptions>['until'] | null,
  signal: AbortSignal | undefined,
) {
  // A connection that hangs is treated as a temporary failure.
  const late = AbortSignal.timeout(LOOK_MS);
  const query = {
    wait: WAIT_SECONDS,
    until: until === 'preconfirmed' ? until : 'accepted',
  } as const;
  try {
    return await client.GET('/api/relayer/submissions/{id}', {
      params: { path: { id }, ...(until === null ? {} : { query }) },
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}
