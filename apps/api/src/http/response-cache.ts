import { DomainError, type Clock, type Logger } from '@sotto/kernel';
import { LruMap } from './lru-map.js';
import {
  checkedReply,
  partsOf,
  type AnswerOf,
  type KeptFor,
  type KeptRoute,
  type PartsOf,
  type RouteDescription,
  type RouteHandler,
} from './define-route.js';
import { requestIdOf } from './middleware/request-context.js';
import { readyReply, sendReady, type CachedResponse } from './cached-response.js';

/** A description whose answers are kept. */
export type KeptDescription = RouteDescription & { readonly method: 'get'; readonly kept: KeptFor };

/**
 * What of a request decides the answer, in one text. Nothing else of it reaches the answer, which
 * others get too.
 */
export type Question = string | null;

export interface KeptSource<D extends KeptDescription, Q extends Question> {
  /** @throws DomainError for what can't be asked */
  readonly ask: (parts: PartsOf<D>) => Q;
  readonly answer: (question: Q) => Promise<Extract<AnswerOf<D>, { readonly status: 200 }>['body']>;
}

interface Entry<Q> {
  readonly question: Q;
  readonly reply: CachedResponse;
  /** By the monotonic clock, as all times here. */
  readonly askedAtMs: number;
  /** When it was tried last to renew it, and whether that has failed since this answer came. */
  triedAtMs: number;
  failing: boolean;
}

/**
 * Questions whose answers are held at a time, and spellings of requests for them. Each costs about
 * 2 KB.
 */
const MAX_QUESTIONS = 1_000;
const MAX_SPELLINGS = 1_000;
/** Longer request targets are parsed each time. */
const MAX_SPELLING = 512;

/**
 * The answers of one route: checked against its schema and made into bytes once, then sent to all
 * who ask the same. A request while one is young gets it at once; a renewal runs in the background,
 * one at a time for each question, and its failure is logged once. Where nothing young enough is
 * held, the read is waited for, and its failure is the answer. Failures are not cached.
 */
export class ResponseCache<D extends KeptDescription, Q extends Question> implements KeptRoute {
  readonly #entries = new LruMap<Entry<Q>>(MAX_QUESTIONS);
  /** From request targets that were read before to the question they ask. */
  readonly #urls = new LruMap<string>(MAX_SPELLINGS);
  readonly #reading = new Map<string, Promise<Entry<Q>>>();

  constructor(
    private readonly definition: D,
    private readonly source: KeptSource<D, Q>,
    private readonly deps: { readonly clock: Clock; readonly logger: Logger },
  ) {}

  readonly handler: RouteHandler = async (request, response) => {
    const question = this.source.ask(partsOf(this.definition, request));
    const key = question ?? '';
    const entry = this.#cached(key) ?? (await this.#read(key, question));
    if (request.originalUrl.length <= MAX_SPELLING) this.#urls.set(request.originalUrl, key);
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
  #cached(key: string): Entry<Q> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { freshMs, staleMs } = this.definition.kept;
    const nowMs = this.deps.clock.monotonicMs();
    if (nowMs - entry.askedAtMs >= staleMs) return undefined;
    if (nowMs - entry.triedAtMs >= freshMs) this.#renew(key, entry);
    return entry;
  }

  #renew(key: string, entry: Entry<Q>): void {
    entry.triedAtMs = this.deps.clock.monotonicMs();
    this.#read(key, entry.question).catch((error: unknown) => {
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

  #read(key: string, question: Q): Promise<Entry<Q>> {
    const reading =
      this.#reading.get(key) ?? this.#make(key, question).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #make(key: string, question: Q): Promise<Entry<Q>> {
    const askedAtMs = this.deps.clock.monotonicMs();
    const text = JSON.stringify(
      checkedReply(this.definition, 200, await this.source.answer(question)),
    );
    const before = this.#entries.get(key);
    const reply =
      before?.reply.text === text
        ? before.reply
        : readyReply(text, this.definition.kept.cacheControl);
    const entry: Entry<Q> = { question, reply, askedAtMs, triedAtMs: askedAtMs, failing: false };
    this.#entries.set(key, entry);
    return entry;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
