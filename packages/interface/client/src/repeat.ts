import { isSottoError } from './errors.js';
import { backOffMs, mayPass, retryAfterMs, sleep } from './pause.js';

export interface RepeatOptions {
  /** Maximum number of times that a request is sent; 1 disables retries. @default 4 */
  readonly tries?: number;
  /**
   * Longest accepted `Retry-After`, in ms. A reply with a longer `Retry-After` is returned to the
   * caller without a retry.
   * @default 30_000
   */
  readonly maxWaitMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

const DEFAULTS = { tries: 4, maxWaitMs: 30_000 } as const;
/**
 * Maximum length of an accepted reply, in characters. Every reply of the service is far shorter. A
 * longer reply is treated as no reply.
 */
const MOST_CHARACTERS = 10_000_000;

/**
 * POSTs that may be sent twice. A withdrawal, a private swap, a private action and a deposit are
 * idempotent by effect: the service stores one live attempt for each note, commitment or set of
 * actions. A repeated request returns the existing submission, even if the first reply was lost. A
 * spent note can't be spent again. A refused or expired attempt is not on chain and can't land, so
 * at most one attempt succeeds. A lookup sends no transaction, and an unused quote is discarded. A
 * batch is not in the list: a repeated request after its success would deploy another batch.
 */
const REPEATABLE =
  /\/api\/relayer\/(?:withdraw|private-swap|private-action|deposit|quote|submissions\/lookup)$/;

/**
 * Repeats a request that is safe to repeat (reads, and {@link REPEATABLE}), if a retry may succeed:
 * there was no reply, or the reply was 429 or 5xx. The request is not repeated if the reply's body
 * forbids a retry (its `retry` is not `same`) or if `Retry-After` exceeds the limit. The result of
 * the last try is returned to the caller. The request's signal also aborts the wait between two
 * tries.
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
 * Sends the request once.
 * @returns undefined if no reply arrived, or if only a part of a reply arrived
 * @throws the signal's reason if the signal has aborted
 */
async function attempt(send: Fetch, request: Request): Promise<Response | undefined> {
  try {
    return await whole(await send(request.clone()));
  } catch (error) {
    if (request.signal.aborted) throw error;
    return undefined;
  }
}

/**
 * Reads the whole text of a reply, then returns the reply. @throws if the connection breaks, or the
 * text is too long
 */
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

/** Returns the wait before the next try, in ms. @returns undefined if a retry would be useless */
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
