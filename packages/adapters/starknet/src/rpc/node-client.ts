import { UpstreamAnswered, createHttpClient, type HttpClient } from '@sotto/http-client';
import { DomainError, systemClock } from '@sotto/kernel';
import { classifyNodeFailure, classifyTransportFailure } from './classify-node-failure.js';
import {
  parseJson,
  readAnswer,
  readBatch,
  type RpcErrorObject,
  type RpcOutcome,
} from './envelope.js';
import { NodeMalformedAnswer, sharedFailure } from './errors.js';
import { PROBE_EVERY_MS, SilenceWatch } from './silence-watch.js';
import { StarknetNode, type NodeCall, type Results, type RpcParams } from './starknet-node.js';

const JSON_TYPE = 'application/json';
const END = Buffer.from('}');
/** Request of a probe. Any response shows that the node is reachable. */
const PROBE = Buffer.from('{"jsonrpc":"2.0","id":0,"method":"starknet_chainId","params":{}}');
const [BATCH, COMMA, BATCH_END] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

export interface NodeClientOptions {
  /** JSON-RPC endpoint of one node. */
  readonly url: string;
  /**
   * Deadline of a read and of the batch in which the read is sent, in milliseconds. If a read is
   * repeated because the node sent no responses, its deadline starts again.
   */
  readonly readTimeoutMs: number;
  /** Deadline of a send, in milliseconds. */
  readonly sendTimeoutMs: number;
  /**
   * Maximum calls per request. A group with more calls is still sent in one request.
   * @default 50, half of the lowest limit of providers over HTTP
   */
  readonly maxBatch?: number;
  /**
   * Maximum size of a response, in bytes. The largest response is a block with its transactions.
   * @default 32 MiB
   */
  readonly maxResponseBytes?: number;
  /** Additional headers, for example a provider's key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Raw response to a send. `failed` means that no valid JSON-RPC response was received; `code` is
 * the error code of that failure.
 */
export type RawAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcErrorObject }
  | { readonly kind: 'failed'; readonly code: string };

interface Pending {
  readonly id: number;
  readonly method: string;
  readonly params: RpcParams;
  settle(outcome: RpcOutcome): void;
  reject(error: unknown): void;
}

/**
 * JSON-RPC client for one Starknet node, over HTTP. Reads of the same tick share one request. If a
 * shared request was too slow or its response too large, the next groups of reads are sent in
 * separate requests. After that, groups share a request again. With separate requests, a failure
 * can be attributed to one read.
 */
export class NodeClient extends StarknetNode {
  readonly #http: HttpClient;
  readonly #silence = new SilenceWatch(systemClock, () => this.#probe());
  readonly #readTimeoutMs: number;
  readonly #sendTimeoutMs: number;
  readonly #maxBatch: number;
  /** Reads that are not sent yet. All reads of a group are sent in one request. */
  #queue: (readonly Pending[])[] = [];
  #lastId = 0;
  /**
   * True if the last shared request was too slow or its response too large. Then the next groups of
   * reads are sent in separate requests.
   */
  #nextAreAlone = false;

  constructor({ url, headers = {}, ...options }: NodeClientOptions) {
    super();
    this.#readTimeoutMs = options.readTimeoutMs;
    this.#sendTimeoutMs = options.sendTimeoutMs;
    this.#maxBatch = options.maxBatch ?? 50;
    this.#http = createHttpClient({
      name: 'the node',
      baseUrl: url,
      timeoutMs: this.#readTimeoutMs,
      maxResponseBytes: options.maxResponseBytes ?? 32 * 2 ** 20,
      headers,
    });
  }

  async call<T>(call: NodeCall<T>): Promise<T> {
    const group: Pending[] = [];
    const answer = this.#query(call, group);
    this.#enqueue(group);
    return answer;
  }

  async together<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>>;
  async together(calls: readonly NodeCall<unknown>[]): Promise<readonly unknown[]> {
    const group: Pending[] = [];
    const answers = calls.map(async (call) => this.#query(call, group));
    this.#enqueue(group);
    return Promise.all(answers);
  }

  /**
   * Sends one request with the bytes `params` as the value of the parameter `name`. The bytes are
   * sent unchanged. The request is never shared and never repeated. Never rejects.
   */
  async sendRaw(method: string, name: string, params: Uint8Array): Promise<RawAnswer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const body = Buffer.concat(
      requestText({
        id,
        method,
        params: Buffer.concat([Buffer.from(`{${JSON.stringify(name)}:`), params, END]),
      }),
    );
    try {
      const text = await this.#http.post({
        body,
        contentType: JSON_TYPE,
        timeoutMs: this.#sendTimeoutMs,
      });
      const outcome = readAnswer(parseJson(text), id);
      return outcome.kind === 'malformed'
        ? { kind: 'failed', code: 'NODE_MALFORMED_ANSWER' }
        : outcome;
    } catch (error) {
      return { kind: 'failed', code: error instanceof DomainError ? error.code : 'SEND_FAILED' };
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }

  #enqueue(group: readonly Pending[]): void {
    // `setImmediate` runs after all pending promise callbacks, so that reads of the same tick share
    // the request.
    if (this.#queue.length === 0) setImmediate(() => this.#flush());
    this.#queue.push(group);
  }

  /**
   * Adds the call to the group immediately. The returned promise settles when the call's response
   * has arrived or the group's request has failed.
   */
  async #query<T>(call: NodeCall<T>, group: Pending[]): Promise<T> {
    try {
      return await this.#requested(call, group);
    } catch (error) {
      const instead = call.readsAs?.(error);
      if (instead === undefined) throw error;
      return instead;
    }
  }

  async #requested<T>({ method, params, result }: NodeCall<T>, group: Pending[]): Promise<T> {
    const answer = await new Promise<unknown>((resolve, reject) => {
      this.#lastId += 1;
      group.push({
        id: this.#lastId,
        method,
        params,
        settle: (outcome) => {
          if (outcome.kind === 'result') resolve(outcome.result);
          else if (outcome.kind === 'error') reject(classifyNodeFailure(outcome.error));
          else
            reject(
              new NodeMalformedAnswer({
                message: 'the node did not answer the request',
                details: { method },
              }),
            );
        },
        reject,
      });
    });
    const parsed = result.safeParse(answer);
    if (parsed.success) return parsed.data;
    // Report only the path: the value may be private.
    const at = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new NodeMalformedAnswer({
      message: 'the node’s answer violates the specification',
      details: { method, at },
    });
  }

  #flush(): void {
    const groups = this.#queue.filter((group) => group.length > 0);
    this.#queue = [];
    const isAlone = this.#nextAreAlone;
    this.#nextAreAlone = false;
    let batch: (readonly Pending[])[] = [];
    let size = 0;
    for (const group of groups) {
      if (size > 0 && (isAlone || size + group.length > this.#maxBatch)) {
        void this.#exchange(batch);
        [batch, size] = [[], 0];
      }
      batch.push(group);
      size += group.length;
    }
    if (size > 0) void this.#exchange(batch);
  }

  #read(body: Uint8Array, timeoutMs: number): Promise<string> {
    return this.#http.post({ body, contentType: JSON_TYPE, timeoutMs, idempotent: true });
  }

  /** Resolves if the node returns any response. */
  async #probe(): Promise<void> {
    try {
      await this.#read(PROBE, PROBE_EVERY_MS);
    } catch (error) {
      if (!(error instanceof UpstreamAnswered)) throw error;
    }
  }

  async #exchange(groups: readonly (readonly Pending[])[]): Promise<void> {
    const calls = groups.flat();
    const isBatch = calls.length > 1;
    const requests = calls.flatMap((call, index) => [
      ...(index === 0 ? [] : [COMMA]),
      ...requestText(call),
    ]);
    const body = Buffer.concat(isBatch ? [BATCH, ...requests, BATCH_END] : requests);
    try {
      const text = await this.#silence.run(() => this.#read(body, this.#readTimeoutMs));
      const answer = parseJson(text);
      const ids = calls.map(({ id }) => id);
      const answers = isBatch
        ? readBatch(answer, ids)
        : new Map(ids.map((id) => [id, readAnswer(answer, id)]));
      for (const call of calls) call.settle(answers.get(call.id) ?? { kind: 'malformed' });
    } catch (error) {
      const failure = classifyTransportFailure(error);
      const shared = groups.length > 1 ? sharedFailure(failure) : null;
      if (shared !== null) this.#nextAreAlone = true;
      for (const call of calls) call.reject(shared ?? failure);
    }
  }
}

/** Builds a request object in UTF-8, as a list of parts. */
function requestText({
  id,
  method,
  params,
}: Pick<Pending, 'id' | 'method' | 'params'>): readonly Uint8Array[] {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
  const text = params instanceof Uint8Array ? params : Buffer.from(JSON.stringify(params));
  return [Buffer.from(head), text, END];
}
