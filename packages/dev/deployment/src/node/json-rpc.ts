import { z } from 'zod';

const RpcAnswer = z.union([
  z.object({ id: z.int(), result: z.unknown(), error: z.undefined().optional() }),
  z.object({
    id: z.int(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
const RpcAnswers = z.array(RpcAnswer);

/** One JSON-RPC request and the schema of its result. */
export interface RpcRequest<S extends z.ZodType> {
  readonly method: string;
  readonly params: object;
  readonly result: S;
}

/** A parsed result, or the node's rejection. */
export type RpcOutcome<T> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'refused'; readonly refusal: NodeRefusal };

/** Error: the node rejected a request; `code` is the JSON-RPC specification's. */
export class NodeRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'NodeRefusal';
  }
}

/** Maximum requests per batch. Providers accept 100 and more. */
const BATCH = 50;
/** The node compiles a declaration before it answers. */
const TIMEOUT_MS = 60_000;

/** JSON-RPC over HTTP. Every answer is parsed. */
export class JsonRpc {
  constructor(readonly url: string) {}

  /**
   * Sends one request.
   * @throws NodeRefusal; Error if the node does not answer, or with another schema
   */
  async ask<S extends z.ZodType>(method: string, params: object, result: S): Promise<z.output<S>> {
    const [outcome] = await this.askAll([{ method, params, result }]);
    if (outcome === undefined) throw new Error(`the node did not answer to ${method}`);
    if (outcome.kind === 'refused') throw outcome.refusal;
    return outcome.result;
  }

  /**
   * Sends requests concurrently, in few HTTP requests; returns outcomes in the order of the
   * requests.
   * @throws Error like {@link ask}, except for rejections
   */
  async askAll<S extends z.ZodType>(
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
        refusal: new NodeRefusal(answer.error.code, describeError(method, answer.error)),
      };
    });
  }
}

/**
 * Serializes a bigint as a JSON number with all digits: some methods accept only numbers, and a
 * JavaScript number would be rounded.
 */
function toJson(value: unknown): string {
  const marked = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? `#bigint:${member}#` : member,
  );
  return marked.replaceAll(/"#bigint:(\d+)#"/g, '$1');
}

/**
 * Formats the node's error with its data, which may be the only indication of an error in a
 * contract.
 */
function describeError(
  method: string,
  { message, data }: { readonly message: string; readonly data?: unknown },
): string {
  const detail =
    data === undefined ? '' : ` (${typeof data === 'string' ? data : JSON.stringify(data)})`;
  return `${method}: ${message}${detail}`;
}
