import { WalletError } from '../errors.js';

export interface JsonRpcOptions {
  /** URL of the node, including the provider's API key if the provider needs one. */
  readonly url: string;
  /** Timeout in ms per request, including its response. @default 10,000 */
  readonly timeoutMs?: number;
  /** Maximum size of a response, in bytes. @default 8 MiB */
  readonly maxResponseBytes?: number;
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

const BLOCK_NOT_FOUND = 24;

/**
 * JSON-RPC client over HTTP. The client validates the envelope of a response; the caller parses the
 * result.
 */
export class JsonRpc {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #fetch: typeof globalThis.fetch;
  #lastId = 0;

  constructor({ url, timeoutMs = 10_000, maxResponseBytes = 8 * 2 ** 20, fetch }: JsonRpcOptions) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#maxResponseBytes = maxResponseBytes;
    // Call `fetch` as a method of `globalThis`, because a browser's fetch works only as a method of
    // its window.
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request));
  }

  /**
   * Sends one request.
   * @returns the member `result`
   * @throws WalletError see `NodeReader`
   */
  async ask(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = await this.#exchange(
      JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal,
    );
    if (!isObject(answer) || answer['jsonrpc'] !== '2.0' || answer['id'] !== id)
      throw malformed(method);
    const { error } = answer;
    if (error === undefined && 'result' in answer) return answer['result'];
    if (!isObject(error) || !Number.isSafeInteger(error['code'])) throw malformed(method);
    if (error['code'] === BLOCK_NOT_FOUND)
      throw new WalletError('BLOCK_UNKNOWN', 'the chain has no such block');
    throw new WalletError(
      'NODE_REFUSED',
      `the node answers ${method} with error ${String(error['code'])}`,
    );
  }

  async #exchange(body: string, signal: AbortSignal | undefined): Promise<unknown> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    let text: string;
    try {
      const response = await this.#fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      if (!response.ok) {
        void response.body?.cancel();
        throw new Error(`HTTP status ${response.status}`);
      }
      text = await this.#textOf(response);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof WalletError) throw cause;
      throw new WalletError('NODE_UNREACHABLE', 'the node does not answer', { cause });
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new WalletError('NODE_MALFORMED_ANSWER', 'the node answers something else than JSON');
    }
  }

  async #textOf(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let [text, bytes] = ['', 0];
    const reader = response.body?.getReader();
    for (;;) {
      const part = await reader?.read();
      if (part?.value === undefined) return text + decoder.decode();
      bytes += part.value.length;
      if (bytes > this.#maxResponseBytes) {
        void reader?.cancel();
        throw new WalletError(
          'NODE_MALFORMED_ANSWER',
          `the node answers more than ${this.#maxResponseBytes} bytes`,
        );
      }
      text += decoder.decode(part.value, { stream: true });
    }
  }
}

/**
 * Creates the error for a response that violates the specification. The message omits the
 * response's content, which may be private.
 */
export function malformed(method: string): WalletError {
  return new WalletError(
    'NODE_MALFORMED_ANSWER',
    `the node answers ${method} as the specification does not allow`,
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
