import { z } from 'zod';

const RpcAnswer = z.union([
  z.object({ id: z.int(), result: z.unknown(), error: z.undefined().optional() }),
  z.object({
    id: z.int(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
const RpcAnswers = z.array(RpcAnswer);

/** JSON-RPC request with the schema of its result. */
export interface RpcRequest<S extends z.ZodType> {
  readonly method: string;
  readonly params: object;
  readonly result: S;
}

/** Outcome of a request: a parsed result, or the node's rejection. */
export type RpcOutcome<T> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'refused'; readonly rejection: NodeRejection };

/**
 * Error for a request that the node rejected. `code` is the error code of the JSON-RPC
 * specification.
 */
export class NodeRejection extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'NodeRejection';
  }
}

/** Maximum number of requests per batch. Providers accept at least 100. */
const BATCH = 50;
/**
 * Timeout of a request in ms. The timeout is long because a node compiles a declared class before
 * it responds.
 */
const TIMEOUT_MS = 60_000;

/** JSON-RPC client over HTTP. Every response is parsed. */
export class JsonRpc {
  constructor(readonly url: string) {}

  /**
   * Sends one request.
   * @throws NodeRejection; Error if the node does not respond, or responds with another schema
   */
  async query<S extends z.ZodType>(
    method: string,
    params: object,
    result: S,
  ): Promise<z.output<S>> {
    const [outcome] = await this.queryAll([{ method, params, result }]);
    if (outcome === undefined) throw new Error(`the node did not answer to ${method}`);
    if (outcome.kind === 'refused') throw outcome.rejection;
    return outcome.result;
  }

  /**
   * Sends requests concurrently, with few HTTP requests. Returns outcomes in the order of the
   * requests. A rejection by the node is returned as an outcome.
   * @throws Error if the node does not respond, or responds with another schema
   */
  async queryAll<S extends z.ZodType>(
    requests: readonly RpcRequest<S>[],
  ): Promise<readonly RpcOutcome<z.output<S>>[]> {
    const outcomes: RpcOutcome<z.output<S>>[] = [];
    for (let start = 0; start < requests.length; start += BATCH)
      outcomes.push(...(await this.#batch(requests.slice(start, start + BATCH))));
    return outcomes;
  }

  async #batch<S extends z.ZodType>(
    requests: readonly RpcRequest<S>[],
  ): Promise<readonly RpcOutcome<z.output<S>>[]> {
    const body = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: toJson(body.length === 1 ? body[0] : body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const json: unknown = await response.json().catch((cause: unknown) => {
      throw new Error(`the node answered ${response.status} and no JSON`, { cause });
    });
    const answers = RpcAnswers.parse(Array.isArray(json) ? json : [json]);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return requests.map(({ method, result }, id) => {
      const answer = byId.get(id);
      if (answer === undefined) throw new Error(`the node did not answer to ${method}`);
      if (answer.error === undefined)
        return { kind: 'result', result: result.parse(answer.result) };
      return {
        kind: 'refused',
        rejection: new NodeRejection(answer.error.code, describeError(method, answer.error)),
      };
    });
  }
}

/**
 * Serializes each bigint as a JSON number with all digits. Some methods accept only numbers, and a
 * JavaScript number would be rounded.
 */
function toJson(value: unknown): string {
  const marked = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? `#bigint:${member}#` : member,
  );
  return marked.replaceAll(/"#bigint:(\d+)#"/g, '$1');
}

/**
 * Formats the node's error together with its data. An error inside a contract may be described only
 * in the data.
 */
function describeError(
  method: string,
  { message, data }: { readonly message: string; readonly data?: unknown },
): string {
  const detail =
    data === undefined ? '' : ` (${typeof data === 'string' ? data : JSON.stringify(data)})`;
  return `${method}: ${message}${detail}`;
}
