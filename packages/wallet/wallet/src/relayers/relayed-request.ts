import { isSottoError, outcomeOf, type SottoClient, type components } from '@sotto/client';

import { reported, type JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import { Pauses } from '../journeys/pauses.js';
import { answerWithin } from '../journeys/sleep.js';
import { isConclusive } from './conclusive.js';
import type { RequestEvent } from './request-events.js';
import type { RequestState } from './request-state.js';

/** Submission as reported by its relayer. */
export type Submission = components['schemas']['Submission'];

/**
 * Time in ms after which a mempool drops a transaction that was not included. Source: the mempool
 * configuration of Starknet's sequencer (`transaction_ttl`, 300 s).
 */
export const MEMPOOL_LIFETIME_MS = 300_000;

/**
 * Maximum time in ms that a relayer may have a request without an effect on chain, regardless of
 * its responses. After this time, a second relayer can be used. This is safe because the effect can
 * happen only once.
 */
export const RELAYER_PATIENCE_MS = 1_800_000;

/** Timeout in ms of one request, including the client's retries. */
const ANSWER_TIMEOUT_MS = 60_000;
/**
 * Maximum counted time in ms between two responses. A longer gap means that the machine slept or
 * its clock changed.
 */
const MOST_BETWEEN_MS = 2 * ANSWER_TIMEOUT_MS;
/** Time for which a relayer delays a reply without a result, in seconds. */
const WAIT_SECONDS = '20';
/**
 * Maximum number of consecutive queries with a wait that get no reply. A proxy with a short time
 * limit may break them; later queries then have no wait.
 */
const MAX_LOST_WAITS = 2;
/**
 * Maximum number of consecutive sends without a response. After these sends, the request is not
 * sent again, and only its submission is queried.
 */
const MOST_SENT = 5;

/** Response of a relayer to a POST. */
interface RelayerAnswer {
  readonly data?: {
    readonly transaction_hash: string;
    readonly execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
    readonly revert_reason: string | null;
  };
  readonly error?: unknown;
  readonly response: Response;
}

/** Request to one relayer. The request is identical each time it is sent. */
export interface RelayedRequest {
  readonly baseUrl: string;
  readonly client: SottoClient;
  /**
   * Sends the request. Repeating the call is safe: the relayer creates only one submission for it.
   */
  post(signal: AbortSignal): Promise<RelayerAnswer>;
  /**
   * Queries the submission without sending the request. Undefined if the relayer has no such query
   * for this request.
   */
  lookUp?(signal: AbortSignal): Promise<{ readonly error?: unknown; readonly response: Response }>;
  /**
   * Error codes which mean that the effect is already on chain, whichever transaction caused it.
   */
  readonly doneCodes: readonly string[];
  /**
   * Reads the chain and returns true if the effect is ACCEPTED_ON_L2. @throws if the chain can't be
   * read
   */
  isDone(signal: AbortSignal): Promise<boolean>;
}

/** Storage of a request's state. */
export interface RequestJournal {
  state(): RequestState;
  /** Writes the state and resolves once it is stored durably. */
  save(state: RequestState): Promise<void>;
}

/** Outcome of a request at one relayer. */
export type RequestEnd =
  | {
      readonly kind: 'succeeded';
      readonly transactionHash: string;
      readonly submission: Submission;
    }
  /** The effect is on chain; the chain shows by which transaction. */
  | { readonly kind: 'done' }
  /**
   * The relayer reports that the request is not on chain and can't land, or that it reverted. A
   * later read of the chain does not show the effect.
   */
  | { readonly kind: 'ended'; readonly error: JourneyError }
  /** No answer for the mempool's lifetime, or unfinished for too long, and not on chain. */
  | { readonly kind: 'silent'; readonly error: JourneyError };

const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;
const STATUSES: readonly unknown[] = ['SUCCEEDED', 'REVERTED', 'UNKNOWN', null];

/**
 * Follows one request at one relayer until it ends, starting from the state of an earlier run.
 * Sends the request, repeats it while a repetition is safe and useful, and polls its submission.
 */
export class RequestFollower {
  readonly #request: RelayedRequest;
  readonly #journal: RequestJournal;
  readonly #report: (event: RequestEvent) => void;
  readonly #signal: AbortSignal;
  readonly #pauses: Pauses;
  /** Number of consecutive sends without a response. */
  #sent = 0;
  /**
   * Time in ms during which this run has queried the relayer. Only this time is counted against the
   * relayer's time limit.
   */
  #askedMs = 0;
  #answeredAtMs = Date.now();
  /** Progress for which the next query waits; null if the relayer should respond at once. */
  #waitsFor: 'preconfirmed' | 'accepted' | null = null;
  #lostWaits = 0;

  constructor(
    request: RelayedRequest,
    journal: RequestJournal,
    report: (event: RequestEvent) => void,
    signal: AbortSignal,
  ) {
    this.#request = request;
    this.#journal = journal;
    this.#report = report;
    this.#signal = signal;
    this.#pauses = new Pauses(signal);
  }

  /** @throws the signal's reason when the signal aborts; any error of `save` */
  async follow(): Promise<RequestEnd> {
    for (;;) {
      this.#signal.throwIfAborted();
      const { location } = this.#journal.state();
      const end = location === null ? await this.#send() : await this.#look(location);
      if (end !== undefined) return end;
    }
  }

  async #send(): Promise<RequestEnd | undefined> {
    // An earlier run may have sent the request without a response, so query the submission first.
    if (this.#journal.state().unansweredSinceMs !== null && this.#request.lookUp !== undefined) {
      const found = await this.#ask((signal) => this.#request.lookUp?.(signal));
      if (found === undefined) return this.#silence();
      const location = found.response.headers.get('location');
      if (found.error === undefined && location !== null) return this.#accepted(location, null);
      if (!isSottoError(found.error, 'WITHDRAWAL_NOT_FOUND')) return this.#refused(found);
    }
    // The relayer responds to lookups but not to this request. So wait until the last send can no
    // longer land.
    if (this.#request.lookUp !== undefined && this.#sent >= MOST_SENT) return this.#silence();
    this.#sent += 1;
    // Write the state before the send, so that a later run knows that the request may have been
    // sent. If the request has a lookup, it is sent again only after the relayer has responded that
    // it does not have the request.
    const { unansweredSinceMs, firstSentMs } = this.#journal.state();
    const sinceMs = this.#request.lookUp ? null : unansweredSinceMs;
    const nowMs = Date.now();
    await this.#save({
      unansweredSinceMs: sinceMs ?? nowMs,
      firstSentMs: firstSentMs ?? nowMs,
    });
    this.#report({ type: 'posting', relayer: this.#request.baseUrl });
    const answer = await this.#ask((signal) => this.#request.post(signal));
    if (answer === undefined) return this.#silence();
    if (answer.data === undefined) return this.#refused(answer);
    const outcome = outcomeOf({ ...answer.data, code: null });
    return this.#accepted(
      answer.response.headers.get('location'),
      'transactionHash' in outcome ? outcome.transactionHash : null,
    );
  }

  async #accepted(
    location: string | null,
    transactionHash: string | null,
  ): Promise<RequestEnd | undefined> {
    const [path, id] = LOCATION.exec(location ?? '') ?? [];
    if (path === undefined || id === undefined) return this.#silence();
    this.#sent = 0;
    await this.#save({ location: path, unansweredSinceMs: null });
    this.#reportAccepted(id, transactionHash);
    return undefined;
  }

  async #refused({
    error,
    response,
  }: {
    readonly error?: unknown;
    readonly response: Response;
  }): Promise<RequestEnd | undefined> {
    // The response does not come from a relayer, so a different service uses the relayer's address.
    if (!isSottoError(error)) return this.#silence();
    const { baseUrl, doneCodes } = this.#request;
    const journeyError = reported(error, baseUrl);
    if (doneCodes.includes(String(error.code))) return { kind: 'done' };
    if (isConclusive(response.status, error)) return this.#ended(journeyError);
    return this.#silence(journeyError, retryAfterMs(response));
  }

  async #look(location: string): Promise<RequestEnd | undefined> {
    const id = LOCATION.exec(location)?.[1] ?? '';
    const until = this.#waitsFor;
    this.#waitsFor = null;
    const query = until === null ? {} : { query: { wait: WAIT_SECONDS, until } };
    const answer = await this.#ask((signal) =>
      this.#request.client.GET('/api/relayer/submissions/{id}', {
        params: { path: { id }, ...query },
        signal,
      }),
    );
    if (until !== null) this.#lostWaits = answer?.data === undefined ? this.#lostWaits + 1 : 0;
    if (answer === undefined) return this.#silence();
    const { data, error, response } = answer;
    if (until !== null && response.status === 400) {
      // A relayer of an earlier release rejects the parameter. Query without it from now on.
      this.#lostWaits = MAX_LOST_WAITS;
      return undefined;
    }
    if (isSottoError(error, 'SUBMISSION_NOT_FOUND')) {
      // The relayer no longer has the submission, but a transaction that it sent may still land.
      await this.#save({ location: null, unansweredSinceMs: Date.now() });
      return this.#wait();
    }
    if (data === undefined) return this.#refused({ error, response });
    const { execution_status: status }: Partial<Submission> = Object(data);
    // The response does not come from a relayer, so a different service uses the relayer's address.
    if (!STATUSES.includes(status)) return this.#silence();
    this.#pauses.reset();
    await this.#answered();
    const end = await this.#judge(id, data);
    if (end !== undefined) return end;
    if ('progress' in Object(data) && this.#lostWaits < MAX_LOST_WAITS)
      this.#waitsFor = status === 'UNKNOWN' ? 'preconfirmed' : 'accepted';
    // The next query waits at the relayer, so only the shortest pause comes before it.
    const isNext = until === null && this.#waitsFor !== null;
    return this.#wait(isNext ? 0 : retryAfterMs(response));
  }

  async #judge(id: string, submission: Submission): Promise<RequestEnd | undefined> {
    const outcome = outcomeOf(submission);
    const { finality } = submission;
    const isStanding = finality === 'ACCEPTED_ON_L2' || finality === 'ACCEPTED_ON_L1';
    switch (outcome.outcome) {
      case 'succeeded': {
        const { transactionHash } = outcome;
        this.#report({ type: 'included', transactionHash });
        return isStanding ? { kind: 'succeeded', transactionHash, submission } : undefined;
      }
      case 'reverted':
        return isStanding ? this.#ended(this.#reverted(outcome)) : undefined;
      case 'rejected':
        return this.#request.doneCodes.includes(outcome.code ?? '')
          ? { kind: 'done' }
          : this.#ended(this.#rejected(outcome.code));
      case 'unknown':
        this.#reportAccepted(id, outcome.transactionHash);
        return undefined;
    }
  }

  #reverted({ transactionHash }: { readonly transactionHash: string }): JourneyError {
    const message = 'The transaction was included and has reverted: nothing was moved.';
    const { baseUrl: relayer } = this.#request;
    return { code: 'TRANSACTION_REVERTED', retry: 'new-proof', message, transactionHash, relayer };
  }

  #rejected(code: string | null): JourneyError {
    const message = 'The relayer has given the transaction up: nothing of it is on chain.';
    const { baseUrl: relayer } = this.#request;
    return { code: code ?? 'SUBMISSION_REFUSED', retry: 'same', message, relayer };
  }

  /** Ends the request, unless the chain contradicts the relayer's response. */
  async #ended(error: JourneyError): Promise<RequestEnd> {
    for (;;) {
      const isDone = await this.#isDone();
      if (isDone !== undefined) return isDone ? { kind: 'done' } : { kind: 'ended', error };
      this.#report({ type: 'unknown', error: ownError('NODE_UNREACHABLE') });
      await this.#pauses.pause();
    }
  }

  /**
   * Waits after a response that does not end the request. After the mempool's lifetime the chain is
   * read too, because the relayer may omit the outcome. If a response is useless, the relayer gets
   * no additional time.
   * @param known result of a chain read just before; null if the chain can't be read
   */
  async #wait(pauseMs?: number, known?: boolean | null): Promise<RequestEnd | undefined> {
    const nowMs = Date.now();
    const { firstSentMs } = this.#journal.state();
    // `firstSentMs` is in the future, so the clock must have been set back.
    if (firstSentMs !== null && firstSentMs > nowMs) await this.#save({ firstSentMs: nowMs });
    const ageMs = nowMs - (firstSentMs ?? nowMs);
    if (ageMs >= MEMPOOL_LIFETIME_MS) {
      const isDone = known === undefined ? await this.#isDone() : known;
      if (isDone === true) return { kind: 'done' };
      const isLate = ageMs >= RELAYER_PATIENCE_MS && this.#askedMs >= MEMPOOL_LIFETIME_MS;
      if (isDone === false && isLate) {
        const error = ownError('RELAYER_TOO_SLOW', { relayer: this.#request.baseUrl });
        this.#report({ type: 'unknown', error });
        return { kind: 'silent', error };
      }
    }
    return this.#pause(pauseMs);
  }

  /**
   * Handles an inconclusive or missing response, after which the request may or may not have
   * landed.
   */
  async #silence(
    error: JourneyError = {
      code: 'RELAYER_UNREACHABLE',
      retry: 'same',
      message: 'The relayer does not answer. Whether it has sent the transaction is not known yet.',
      relayer: this.#request.baseUrl,
    },
    pauseMs?: number,
  ): Promise<RequestEnd | undefined> {
    const nowMs = Date.now();
    // Limit the time to the current time, because the clock may have been set back.
    const sinceMs = Math.min(this.#journal.state().unansweredSinceMs ?? nowMs, nowMs);
    await this.#save({ unansweredSinceMs: sinceMs });
    this.#report({ type: 'unknown', error });
    const isDone = await this.#isDone();
    if (isDone === true) return { kind: 'done' };
    // A chain read proves that the request has not landed only if it happens after the mempool's
    // lifetime.
    if (isDone === false && nowMs - sinceMs >= MEMPOOL_LIFETIME_MS)
      return { kind: 'silent', error };
    return this.#wait(pauseMs, isDone ?? null);
  }

  /** @returns undefined if the chain can't be read */
  async #isDone(): Promise<boolean | undefined> {
    try {
      return await this.#request.isDone(this.#signal);
    } catch {
      this.#signal.throwIfAborted();
      return undefined;
    }
  }

  async #answered(): Promise<void> {
    if (this.#journal.state().unansweredSinceMs !== null)
      await this.#save({ unansweredSinceMs: null });
  }

  async #save(change: Partial<RequestState>): Promise<void> {
    await this.#journal.save({ ...this.#journal.state(), ...change });
  }

  /** @returns undefined if the relayer does not respond */
  async #ask<T>(work: (signal: AbortSignal) => Promise<T> | undefined): Promise<T | undefined> {
    const answer = await answerWithin(ANSWER_TIMEOUT_MS, this.#signal, async (signal) =>
      work(signal),
    );
    const nowMs = Date.now();
    this.#askedMs += Math.min(Math.max(nowMs - this.#answeredAtMs, 0), MOST_BETWEEN_MS);
    this.#answeredAtMs = nowMs;
    return answer;
  }

  #reportAccepted(submission: string, transactionHash: string | null): void {
    const { baseUrl: relayer } = this.#request;
    this.#report({ type: 'accepted', relayer, submission, transactionHash });
  }

  async #pause(ms?: number): Promise<undefined> {
    await this.#pauses.pause(ms);
    return undefined;
  }
}

const SECONDS = /^\d{1,6}$/;

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return SECONDS.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
