import { z } from 'zod';

const RpcErrorObject = z.object({
  code: z.int(),
  message: z.string(),
  data: z.unknown().optional(),
});
const Envelope = z.object({
  id: z.unknown(),
  result: z.unknown().optional(),
  error: RpcErrorObject.nullish(),
});

/** Error in a JSON-RPC response. Only the code is reliable; the text is not standardised. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Result or error of one JSON-RPC response. */
export type RpcOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcErrorObject }
  | { readonly kind: 'malformed' };

const MALFORMED: RpcOutcome = { kind: 'malformed' };

/** Parses a response body; undefined if the body is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the response to the request `id`. The response is malformed unless it has this id and
 * either a result or an error.
 */
export function readAnswer(body: unknown, id: number): RpcOutcome {
  const answer = Envelope.safeParse(body);
  return answer.success && answer.data.id === id ? outcomeOf(answer.data) : MALFORMED;
}

/**
 * Reads the responses of a batch by request id, in any order. A request without a response is
 * omitted. A request with several responses is malformed. A server may reject a batch as a whole
 * with one error object, which is then the response to all requests.
 */
export function readBatch(body: unknown, ids: readonly number[]): ReadonlyMap<number, RpcOutcome> {
  if (!Array.isArray(body)) {
    const whole = Envelope.safeParse(body);
    const outcome = whole.success ? outcomeOf(whole.data) : MALFORMED;
    return outcome.kind === 'error' ? new Map(ids.map((id) => [id, outcome])) : new Map();
  }
  const wanted = new Set<unknown>(ids);
  const answers = new Map<number, RpcOutcome>();
  for (const entry of body) {
    const answer = Envelope.safeParse(entry);
    if (!answer.success || typeof answer.data.id !== 'number' || !wanted.has(answer.data.id))
      continue;
    answers.set(answer.data.id, answers.has(answer.data.id) ? MALFORMED : outcomeOf(answer.data));
  }
  return answers;
}

function outcomeOf({ result, error }: z.infer<typeof Envelope>): RpcOutcome {
  const hasError = error !== null && error !== undefined;
  if (hasError === (result !== undefined && result !== null)) return MALFORMED;
  return hasError ? { kind: 'error', error } : { kind: 'result', result };
}
