import type { RequestCounter } from '../control/counters.js';
import type { Fault, FaultOrder } from '../control/faults.js';
import { specMessage } from '../engine/spec-error.js';
import type { FaultQueue } from '../http/fault-queue.js';
import { parseJson, type JsonObject } from '../json.js';
import { dispatch, errorReply, RpcRequest } from './dispatch.js';
import type { MethodContext } from './method.js';
import { invokeParam } from './wire.js';

/** Response to a request, or a broken connection instead of a response. */
export type Transport =
  | { readonly kind: 'json'; readonly body: JsonObject | readonly JsonObject[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'html' }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number | undefined };

/**
 * Received request body. `beforeMs` is the delay until `answer` executes the request, and `afterMs`
 * is the delay from the execution until the response is sent.
 */
export interface Received {
  readonly beforeMs: number;
  readonly answer: () => { readonly afterMs: number; readonly transport: Transport };
}

/** Faults that affect every request until a test ends them. */
export interface Disturbance {
  /** Returns the delay of the response to a request with these methods, in ms. */
  delayOf(methods: readonly string[]): number;
  /** Returns true if a read with these parameters must return an error. */
  isUnreadable(params: unknown): boolean;
}

type Parsed = { readonly request: RpcRequest } | { readonly reply: JsonObject };

/**
 * Endpoint for JSON-RPC 2.0 texts: single requests and batches. The endpoint applies the faults
 * that tests have queued.
 */
export class RpcEndpoint {
  constructor(
    private readonly context: MethodContext,
    private readonly faults: FaultQueue<FaultOrder>,
    private readonly counter: RequestCounter,
    private readonly disturbance: Disturbance,
  ) {}

  receive(text: string): Received {
    const body = parseJson(text);
    if (body === undefined)
      return atOnce({ kind: 'json', body: errorReply(null, -32700, 'Parse error') });
    if (Array.isArray(body) && body.length === 0)
      return atOnce({ kind: 'json', body: errorReply(null, -32600, 'Invalid Request') });

    const isBatch = Array.isArray(body);
    const items: readonly unknown[] = isBatch ? body : [body];
    const parsed = items.map(parseRequest);
    const methods = parsed.flatMap((item) => ('request' in item ? [item.request.method] : []));
    this.counter.countRequest(methods);

    const order = this.faults.take(({ method }) => method === '*' || methods.includes(method));
    const fault = order?.fault;
    const execute = (): Transport => {
      const replies = parsed
        .map((item) => this.#reply(item, order))
        .filter((reply) => reply !== undefined);
      const [first] = replies;
      if (first === undefined) return { kind: 'empty' };
      return { kind: 'json', body: isBatch ? replies : first };
    };
    return {
      beforeMs: fault?.kind === 'arrive-late' ? fault.delayMs : 0,
      answer: () => {
        const transport = this.#transport(fault, parsed, execute);
        return {
          afterMs:
            (fault?.kind === 'answer-late' ? fault.delayMs : 0) + this.disturbance.delayOf(methods),
          transport,
        };
      },
    };
  }

  #transport(
    fault: Fault | undefined,
    parsed: readonly Parsed[],
    execute: () => Transport,
  ): Transport {
    switch (fault?.kind) {
      case 'drop-before':
        this.#countUnexecuted(parsed);
        return { kind: 'broken' };
      case 'html':
        this.#countUnexecuted(parsed);
        return { kind: 'html' };
      case 'rate-limited':
        this.#countUnexecuted(parsed);
        return { kind: 'rate-limited', retryAfterSeconds: fault.retryAfterSeconds };
      case 'accept-and-drop-answer':
        execute();
        return { kind: 'broken' };
      case 'answer-late':
      case 'arrive-late':
      case 'refuse':
      case undefined:
        return execute();
    }
  }

  #reply(item: Parsed, order: FaultOrder | undefined): JsonObject | undefined {
    if ('reply' in item) return item.reply;
    const { request } = item;
    if (
      !request.method.startsWith('starknet_add') &&
      this.disturbance.isUnreadable(request.params)
    ) {
      return request.id === undefined
        ? undefined
        : errorReply(request.id, -32603, 'Internal error');
    }
    const isMeant =
      order !== undefined && (order.method === '*' || order.method === request.method);
    if (!isMeant || order.fault.kind !== 'refuse') return dispatch(request, this.context);
    const { code, message, data } = order.fault;
    this.#countUnexecuted([item]);
    return errorReply(request.id ?? null, code, message ?? specMessage(code) ?? 'Refused', data);
  }

  /** Counts the transactions of requests that the node does not execute because of a fault. */
  #countUnexecuted(parsed: readonly Parsed[]): void {
    for (const item of parsed) {
      if (!('request' in item) || item.request.method !== 'starknet_addInvokeTransaction') continue;
      const { params } = item.request;
      const raw: unknown = Array.isArray(params) ? params[0] : params?.['invoke_transaction'];
      const transaction = invokeParam(this.context.chain).safeParse(raw);
      if (transaction.success) this.context.onDelivery(transaction.data);
    }
  }
}

function atOnce(transport: Transport): Received {
  return { beforeMs: 0, answer: () => ({ afterMs: 0, transport }) };
}

function parseRequest(item: unknown): Parsed {
  const parsed = RpcRequest.safeParse(item);
  if (parsed.success) return { request: parsed.data };
  return { reply: errorReply(null, -32600, 'Invalid Request') };
}
