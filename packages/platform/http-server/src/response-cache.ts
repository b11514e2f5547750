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
 * What of a request decides the answer, in one text; null where nothing does. Nothing else of it
 * reaches the answer, which others get too.
 */
export type CacheKey = string | null;

export interface CacheSource<D extends CachedDefinition, K extends CacheKey> {
  /** @throws DomainError for what can't be asked */
  readonly cacheKey: (parts: PartsOf<D>) => K;
  /**
   * @param caller whose request needed the read first: only for what the read costs, never for the
   *   answer
   */
  readonly answer: (key: K, caller: Caller) => Promise<BodyOf<D>>;
}

interface Entry<K> {
  readonly cacheKey: K;
  readonly caller: Caller;
  readonly reply: CachedResponse;
  /** By the monotonic clock, as all times here. */
  readonly askedAtMs: number;
  /** When it was tried last to renew it, and whether that has failed since this answer came. */
  triedAtMs: number;
  failing: boolean;
}

/** Answers that are cached at a time, and urls that ask for them. Each costs about 2 KB. */
const MAX_ENTRIES = 1_000;
const MAX_URLS = 1_000;
/** Longer request targets are parsed each time. */
const MAX_URL_LENGTH = 512;

/**
 * The answers of one route: checked against its schema and made into bytes once, then sent to all
 * who ask the same. A request while one is young gets it at once; a renewal runs in the background,
 * one at a time for each question, and its failure is logged once. Where nothing young enough is
 * held, the read is waited for, and its failure is the answer. Failures are not cached.
 */
export class ResponseCache<
  D extends CachedDefinition,
  K extends CacheKey,
> implements CachedReplies {
  readonly #entries = new LruMap<Entry<K>>(MAX_ENTRIES);
  /** From request targets that were read before to the key of their answer. */
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
   * What a request with this target gets when it was read before and its answer is held; undefined
   * when more must be done.
   */
  ready(target: string): CachedResponse | undefined {
    const key = this.#urls.get(target);
    return key === undefined ? undefined : this.#cached(key)?.reply;
  }

  /** The answer that may be sent now. Begins to renew it when that is due. */
  #cached(key: string): Entry<K> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { freshMs, staleMs } = this.definition.cached;
    const nowMs = this.deps.clock.monotonicMs();
    if (nowMs - entry.askedAtMs >= staleMs) return undefined;
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
    const askedAtMs = this.deps.clock.monotonicMs();
    const text = JSON.stringify(
      checkedReply(this.definition, 200, await this.source.answer(cacheKey, caller)),
    );
    const before = this.#entries.get(key);
    const reply =
      before?.reply.text === text
        ? before.reply
        : readyReply(text, this.definition.cached.cacheControl);
    const times = { askedAtMs, triedAtMs: askedAtMs };
    const entry: Entry<K> = { cacheKey, caller, reply, ...times, failing: false };
    this.#entries.set(key, entry);
    return entry;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
