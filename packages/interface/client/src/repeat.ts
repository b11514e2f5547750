import { isSottoError } from './errors.js';
import { backOffMs, mayPass, retryAfterMs, sleep } from './pause.js';

export interface RepeatOptions {
  /** How often a request is sent at most; 1 repeats none. @default 4 */
  readonly tries?: number;
  /**
   * An answer whose `Retry-After` is longer is given to the caller at once.
   * @default 30_000
   */
  readonly maxWaitMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

const DEFAULTS = { tries: 4, maxWaitMs: 30_000 } as const;
/** Far above all that the service answers; what is longer is no answer. */
const MOST_CHARACTERS = 10_000_000;

/**
 * POSTs that may be sent twice. A withdrawal, a private swap and a deposit are idempotent by
 * effect: the service keeps one live attempt for each note or commitment, so the same request again
 * gets the submission that there is, also when the answer to the first was lost. A note that is
 * spent can't be spent again, and what was refused or has expired is not on chain and can't get
 * there, so that the new attempt after it is the only one. A lookup sends nothing, and a quote that
 * is not used is forgotten. A batch is not among them: sent again after it has succeeded, it
 * deploys another one.
 */
const REPEATABLE = /\/api\/relayer\/(?:withdraw|private-swap|deposit|quote|submissions\/lookup)$/;

/**
 * Sends a request again where that is safe (reads, and {@link REPEATABLE}) and may help: there was
 * no answer, or 429 or 5xx and neither does its body forbid it (`retry` is not `same`) nor is its
 * `Retry-After` longer than may be waited. After the last try the caller gets what that brought.
 * The request's signal ends it, between two tries too.
 */
export function repeating(
  send: Fetch,
  { tries = DEFAULTS.tries, maxWaitMs = DEFAULTS.maxWaitMs }: RepeatOptions,
): Fetch {
  return async (request) => {
    const { method, signal, url } = request;
    const last = method === 'GET' || REPEATABLE.test(new URL(url).pathname) ? tries : 1;
    for (let sent = 1; sent < last; sent += 1) {
      const answer = await attempt(send, request);
      const waitMs = await waitAfter(answer, sent);
      if (answer !== undefined && (waitMs === undefined || waitMs > maxWaitMs)) return answer;
      await sleep(waitMs ?? 0, signal);
    }
    return whole(await send(request));
  };
}

/**
 * @returns undefined when the answer did not come, or broke off
 * @throws the signal's reason when that has aborted
 */
async function attempt(send: Fetch, request: Request): Promise<Response | undefined> {
  try {
    return await whole(await send(request.clone()));
  } catch (error) {
    if (request.signal.aborted) throw error;
    return undefined;
  }
}

/** The answer with its text read. @throws when that breaks off, or is too long */
async function whole(answer: Response): Promise<Response> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return answer;
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < MOST_CHARACTERS) {
    const { value } = await reader.read();
    if (value === undefined) return new Response(text, answer);
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel();
  throw new TypeError('too long');
}

/** @returns undefined when the same request again would be of no use */
async function waitAfter(answer: Response | undefined, sent: number): Promise<number | undefined> {
  if (answer === undefined) return backOffMs(sent - 1);
  if (!mayPass(answer.status)) return undefined;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (isSottoError(body) && body.retry !== 'same') return undefined;
  return Math.max(retryAfterMs(answer) ?? 0, backOffMs(sent - 1));
}
