import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { findCause, type Clock } from '@sotto/kernel';
import {
  signatureHeaders,
  type Message,
  type SendFailure,
  type SendResult,
  type SigningKey,
  type WebhookSender,
} from '@sotto/webhook-core';
import { AddressForbidden, guardedLookup, type ResolveName } from './guarded-lookup.js';
import { isPublicAddress } from './public-address.js';

const DEADLINE_MS = 10_000;
const MS_PER_SECOND = 1_000;
const SECONDS = /^\d{1,6}$/;

/** URL of an endpoint, and the keys that sign its messages. */
export interface WebhookTarget {
  readonly url: () => URL;
  readonly keys: readonly SigningKey[];
}

export interface WebhookSenderOptions {
  readonly targets: ReadonlyMap<string, WebhookTarget>;
  /** True in development only: allows private addresses and plain HTTP. */
  readonly allowPrivate: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Deadline in milliseconds for connection, request and response head together. @default 10000 */
  readonly deadlineMs?: number;
  /** Resolver of host names. @default the system's resolver */
  readonly resolve?: ResolveName;
}

/**
 * Posts signed messages to registered endpoints, by HTTPS and only to addresses of the public
 * internet. Each message uses a separate connection. Only the status and `Retry-After` of the
 * response are read.
 */
export class HttpsWebhookSender implements WebhookSender {
  readonly #isAllowed: (address: string) => boolean;
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };

  constructor(private readonly options: WebhookSenderOptions) {
    const { allowPrivate, resolve = resolveName } = options;
    this.#isAllowed = allowPrivate ? () => true : isPublicAddress;
    // The sender has separate agents, which use no proxy from the environment. A proxy would bypass
    // the address check.
    const settings = { keepAlive: false, lookup: guardedLookup(resolve, this.#isAllowed) };
    this.#agents = { 'http:': new http.Agent(settings), 'https:': new https.Agent(settings) };
  }

  async send(endpoint: string, message: Message, signal: AbortSignal): Promise<SendResult> {
    const target = this.options.targets.get(endpoint);
    if (target === undefined) return failed('UNREACHABLE');
    const { deadlineMs = DEADLINE_MS } = this.options;
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return resultOf(await this.#post(target, message, AbortSignal.any([signal, deadline])));
    } catch (error) {
      if (deadline.aborted) return failed('TIMED_OUT');
      return failed(
        findCause(error, isForbidden) !== undefined ? 'ADDRESS_FORBIDDEN' : 'UNREACHABLE',
      );
    }
  }

  /** Returns the head of the response. The connection is closed before the body is read. */
  async #post(
    { url: urlOf, keys }: WebhookTarget,
    message: Message,
    signal: AbortSignal,
  ): Promise<Pick<IncomingMessage, 'statusCode' | 'headers'>> {
    const url = urlOf();
    const agent = this.#agentOf(url);
    const body = Buffer.from(message.body);
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'sotto-webhooks',
      ...signatureHeaders(keys, message, this.options.clock.nowMs()),
    };
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, agent, signal }, (response) => {
        const { statusCode, headers: answered } = response;
        resolve({ statusCode, headers: answered });
        sent.destroy();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** @throws AddressForbidden for a literal address, which bypasses the resolver */
  #agentOf({ protocol, hostname }: URL): http.Agent {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !this.#isAllowed(host))
      throw new AddressForbidden('the address is not of the public internet');
    if (protocol === 'https:') return this.#agents['https:'];
    if (protocol === 'http:' && this.options.allowPrivate) return this.#agents['http:'];
    throw new AddressForbidden('the endpoint is not reached by HTTPS');
  }
}

const resolveName: ResolveName = (hostname) => lookup(hostname, { all: true });

const isForbidden = (cause: unknown): cause is AddressForbidden =>
  cause instanceof AddressForbidden;

function resultOf({
  statusCode = 0,
  headers,
}: Pick<IncomingMessage, 'statusCode' | 'headers'>): SendResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const seconds = headers['retry-after'];
  const retryAfterMs =
    seconds !== undefined && SECONDS.test(seconds) ? Number(seconds) * MS_PER_SECOND : null;
  if (statusCode >= 300 && statusCode < 400) return failed('REDIRECTED', retryAfterMs);
  return failed(statusCode === 410 ? 'GONE' : 'STATUS_REFUSED', retryAfterMs);
}

function failed(failure: SendFailure, retryAfterMs: number | null = null): SendResult {
  return { ok: false, failure, retryAfterMs };
}
