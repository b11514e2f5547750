import { DomainError, type Caller } from '@sotto/kernel';
import { readyReply, sendReady, type CachedResponse } from './cached-response.js';
import { LruMap } from './lru-map.js';
import { callerOf, requestIdOf } from './request-context.js';
import {
  checkedReply,
  partsOf,
  type BodyOf,
  type CachedDefinition,
  type CachedReplies,
  type PartsOf,
  type RouteDeps,
  type RouteHandler,
} from './route.js';

/**
 * The part of a request that determines the response, as one text. Null if all requests get the
 * same response. The response must not depend on any other data of the request, because other
 * callers with the same key also get this response.
 */
export type CacheKey = string | null;

export interface CacheSource<D extends CachedDefinition, K extends CacheKey> {
  /** Returns the cache key of a request. @throws DomainError for an invalid request */
  readonly cacheKey: (parts: PartsOf<D>) => K;
  /**
   * Computes the body of the response.
   * @param caller caller of the request for which the response is first computed; the computation
   *   is counted for this caller, but the response must not depend on the caller
   */
  readonly answer: (key: K, caller: Caller) => Promise<BodyOf<D>>;
}

interface Entry<K> {
  readonly cacheKey: K;
  readonly caller: Caller;
  readonly reply: CachedResponse;
  /** Start of the computation in ms. All times of the cache use the monotonic clock. */
  readonly requestedAtMs: number;
  /**
   * Start of the last attempt to renew the response, in ms. `failing` is true if an attempt has
   * failed since this response was computed.
   */
  triedAtMs: number;
  failing: boolean;
}

/**
 * Maximum number of cached responses, each of about 2 KB. The number of URLs that refer to them has
 * a separate limit.
 */
const MAX_ENTRIES = 1_000;
const MAX_URLS = 1_000;
/**
 * Maximum length of a request target that is cached. A longer target is parsed for each request.
 */
const MAX_URL_LENGTH = 512;

/**
 * Cache of the responses of one route. A response is checked with its schema and serialized once,
 * then sent to all callers with the same key. If a cached response is young enough, requests get it
 * at once. If this response must be renewed, one renewal for each key runs in the background, and a
 * failure of the renewal is logged once. If no cached response is young enough, the request waits
 * for a new computation, and fails if the computation fails. Failures are not cached.
 */
export class ResponseCache<
  D extends CachedDefinition,
  K extends CacheKey,
> implements CachedReplies {
  readonly #entries = new LruMap<Entry<K>>(MAX_ENTRIES);
  /** Cache keys of request targets. Each of these targets was parsed for an earlier request. */
  readonly #urls = new LruMap<string>(MAX_URLS);
  readonly #reading = new Map<string, Promise<Entry<K>>>();

  constructor(
    private readonly definition: D,
    private readonly source: CacheSource<D, K>,
    private readonly deps: RouteDeps,
  ) {}

  readonly handler: RouteHandler = async (request, response) => {
    const cacheKey = this.source.cacheKey(partsOf(this.definition, request));
    const key = cacheKey ?? '';
    const entry = this.#cached(key) ?? (await this.#read(key, cacheKey, callerOf(response)));
    if (request.originalUrl.length <= MAX_URL_LENGTH) this.#urls.set(request.originalUrl, key);
    sendReady(request, response, entry.reply, ['X-Request-Id', requestIdOf(response)]);
  };

  /**
   * Returns the cached response for a request target that was parsed for an earlier request.
   * Undefined if the handler must run.
   */
  ready(target: string): CachedResponse | undefined {
    const key = this.#urls.get(target);
    return key === undefined ? undefined : this.#cached(key)?.reply;
  }

  /** Returns the cached response if it may be sent now. Starts a renewal if one is due. */
  #cached(key: string): Entry<K> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { freshMs, staleMs } = this.definition.cached;
    const nowMs = this.deps.clock.monotonicMs();
    if (nowMs - entry.requestedAtMs >= staleMs) return undefined;
    if (nowMs - entry.triedAtMs >= freshMs) this.#renew(key, entry);
    return entry;
  }

  #renew(key: string, entry: Entry<K>): void {
    entry.triedAtMs = this.deps.clock.monotonicMs();
    this.#read(key, entry.cacheKey, entry.caller).catch((error: unknown) => {
      if (!entry.failing) this.#report(error);
      entry.failing = true;
    });
  }

  #report(error: unknown): void {
    const { logger } = this.deps;
    const { operationId } = this.definition;
    if (error instanceof DomainError)
      logger.warn({ operationId, error }, 'a kept answer can not be renewed');
    else
      logger.error(
        { operationId, error: asError(error) },
        'the renewal of a kept answer has a bug',
      );
  }

  #read(key: string, cacheKey: K, caller: Caller): Promise<Entry<K>> {
    const reading =
      this.#reading.get(key) ??
      this.#make(key, cacheKey, caller).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #make(key: string, cacheKey: K, caller: Caller): Promise<Entry<K>> {
    const requestedAtMs = this.deps.clock.monotonicMs();
    const text = JSON.stringify(
      checkedReply(this.definition, 200, await this.source.answer(cacheKey, caller)),
    );
    const before = this.#entries.get(key);
    const reply =
      before?.reply.text === text
        ? before.reply
        : readyReply(text, this.definition.cached.cacheControl);
    const times = { requestedAtMs, triedAtMs: requestedAtMs };
    const entry: Entry<K> = { cacheKey, caller, reply, ...times, failing: false };
    this.#entries.set(key, entry);
    return entry;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
