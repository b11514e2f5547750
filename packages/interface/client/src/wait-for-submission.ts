import type { SottoClient } from './client.js';
import { SottoRequestFailed } from './errors.js';
import type { components } from './openapi.js';

type Submission = components['schemas']['Submission'];

export interface WaitOptions {
  /**
   * Ends the waiting, never the submission: `AbortSignal.timeout(60_000)`.
   * @default waits for as long as it takes
   */
  readonly signal?: AbortSignal;
}

const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;
const SECONDS = /^\d{1,6}$/;
const MS_PER_SECOND = 1_000;

/**
 * Looks at a submission, as often as the service asks, until its outcome is known:
 * `execution_status` is SUCCEEDED or REVERTED, or `state` is refused or expired. `finality` says
 * whether a known outcome can still be undone.
 * @param location the `Location` header of a withdrawal, batch or private swap
 * @throws TypeError when that is no location of a submission
 * @throws SottoRequestFailed when the service refuses the request; answers with `Retry-After` are
 *   retried
 * @throws the signal's reason when that aborts
 */
export async function waitForSubmission(
  client: SottoClient,
  location: string | null,
  { signal }: WaitOptions = {},
): Promise<Submission> {
  const id = LOCATION.exec(location ?? '')?.[1];
  if (id === undefined) throw new TypeError('this is no location of a submission');
  for (;;) {
    const { data, error, response } = await client.GET('/api/relayer/submissions/{id}', {
      params: { path: { id } },
      ...(signal === undefined ? {} : { signal }),
    });
    const seconds = response.headers.get('retry-after') ?? '';
    if (!SECONDS.test(seconds)) {
      if (data !== undefined) return data;
      throw new SottoRequestFailed(response.status, error);
    }
    await sleep(Number(seconds) * MS_PER_SECOND, signal);
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', wake);
      resolve();
    }, ms);
    if (signal?.aborted === true) wake();
    else signal?.addEventListener('abort', wake, { once: true });
  });
}
