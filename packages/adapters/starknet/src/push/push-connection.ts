import type { Clock, Felt } from '@sotto/kernel';
import type { PushedKind } from '@sotto/submission-core';
import { WebSocket, type RawData } from 'ws';
import { PushMessages, subscribeRequests } from './push-messages.js';

/** Limits of one connection. */
export interface PushBounds {
  /** Deadline for all subscriptions to be confirmed, in milliseconds. */
  readonly setUpTimeoutMs: number;
  /**
   * Interval between two pings, in milliseconds. If nothing was received between two pings, the
   * connection is considered dead.
   */
  readonly pingIntervalMs: number;
  readonly maxMessageBytes: number;
  /**
   * Maximum messages per second. The limit is higher than the number of receipts for all
   * transactions that can be in flight, at both finality levels.
   */
  readonly maxMessages: number;
  readonly maxBytes: number;
}

export const PUSH_BOUNDS: PushBounds = {
  setUpTimeoutMs: 10_000,
  pingIntervalMs: 15_000,
  maxMessageBytes: 2 ** 20,
  maxMessages: 5_000,
  maxBytes: 32 * 2 ** 20,
};

/** Options of a connection and its subscriptions. */
export interface PushOptions {
  /** Secret: the URL may contain an access key. */
  readonly url: string;
  readonly chainId: Felt;
  /** Accounts whose transaction receipts are pushed. */
  readonly lanes: readonly Felt[];
  readonly bounds: PushBounds;
  readonly clock: Clock;
  /** Called once all subscriptions are confirmed. */
  subscribed(): void;
  /** Called while the connection is open, for each message that is not a reply to a request. */
  received(kind: PushedKind): void;
}

const SECOND_MS = 1_000;

/**
 * One connection to one node, from its opening to its end. Exposes only the kind of each message.
 * Never exposes the node's address.
 */
export class PushConnection {
  readonly #socket: WebSocket;
  readonly #messages: PushMessages;
  readonly #settingUp = new AbortController();
  readonly #over = new AbortController();
  readonly #ended = Promise.withResolvers<string>();
  #hasHeard = true;
  #second = { fromMs: Number.NEGATIVE_INFINITY, messages: 0, bytes: 0 };

  constructor(private readonly options: PushOptions) {
    const { url, chainId, bounds, lanes } = options;
    this.#messages = new PushMessages(chainId);
    this.#socket = new WebSocket(url, {
      maxPayload: bounds.maxMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket.on('open', () => {
      for (const request of subscribeRequests(lanes)) this.#socket.send(request, () => {});
    });
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#socket.on('pong', () => {
      this.#hasHeard = true;
    });
    this.#socket.on('unexpected-response', (_request, { statusCode = 0 }) =>
      this.#end(`HTTP_${statusCode}`),
    );
    this.#socket.on('error', (error) => this.#end(codeOf(error)));
    this.#socket.on('close', () => this.#end('CLOSED'));
    void this.#watch();
  }

  /**
   * Promise that resolves with a reason code when the connection has ended. The result is never an
   * error text.
   */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  close(): void {
    this.#end('CLOSED_HERE');
  }

  async #watch(): Promise<void> {
    const { clock, bounds } = this.options;
    const over = this.#over.signal;
    await clock.sleep(bounds.setUpTimeoutMs, this.#settingUp.signal);
    if (!this.#settingUp.signal.aborted) this.#end('NOT_SUBSCRIBED_IN_TIME');
    while (!over.aborted) {
      this.#hasHeard = false;
      this.#socket.ping(() => {});
      await clock.sleep(bounds.pingIntervalMs, over);
      if (!this.#hasHeard) this.#end('SILENT');
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    // Messages may still arrive after the connection was ended; ignore them.
    if (this.#over.signal.aborted) return;
    this.#hasHeard = true;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map(toBuffer));
    if (!this.#isWithinBounds(bytes.length)) {
      this.#end('TOO_MANY_MESSAGES');
      return;
    }
    const understood = isBinary
      ? ({ kind: 'other' } as const)
      : this.#messages.read(bytes.toString('utf8'));
    switch (understood.kind) {
      case 'reply':
        return;
      case 'useless':
        this.#end(understood.code);
        return;
      case 'subscribed':
        this.#settingUp.abort();
        this.options.subscribed();
        return;
      case 'transaction':
      case 'head':
      case 'rollback':
      case 'other':
        this.options.received(understood.kind);
    }
  }

  #isWithinBounds(bytes: number): boolean {
    const { clock, bounds } = this.options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#second.fromMs >= SECOND_MS)
      this.#second = { fromMs: nowMs, messages: 0, bytes: 0 };
    this.#second.messages += 1;
    this.#second.bytes += bytes;
    return this.#second.messages <= bounds.maxMessages && this.#second.bytes <= bounds.maxBytes;
  }

  #end(code: string): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#settingUp.abort();
    // The connection is terminated without a close frame, because a peer that no longer responds
    // would not reply to this frame.
    this.#socket.terminate();
    this.#ended.resolve(code);
  }
}

function toBuffer(part: Buffer | ArrayBuffer): Buffer {
  return Buffer.isBuffer(part) ? part : Buffer.from(part);
}

/** Returns only the error code, because the error text may contain the address. */
function codeOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z\d_]{1,60}$/.test(code) ? code : 'CONNECTION_FAILED';
}
