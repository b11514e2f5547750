import { isSottoError, outcomeOf, type SottoClient, type components } from '@sotto/client';

import { reported, type JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import { Pauses } from '../journeys/pauses.js';
import { answerWithin } from '../journeys/sleep.js';
import { isConclusive } from './conclusive.js';
import type { RequestEvent } from './request-events.js';
import type { RequestState } from './request-state.js';

/** A submission as its relayer shows it. */
export type Submission = components['schemas']['Submission'];

/**
 * How long a mempool keeps a transaction that it does not include. Source: the mempool
 * configuration of Starknet's sequencer (`transaction_ttl`, 300 s).
 */
export const MEMPOOL_LIFETIME_MS = 300_000;

/**
 * How long a relayer may have a request whose effect the chain does not show, whatever it says of
 * it meanwhile. Giving up is safe where the effect can come about only once.
 */
export const RELAYER_PATIENCE_MS = 1_800_000;

/** One answer, with the client's tries in it, comes within this time or counts as none. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Between two answers longer than any pause: the machine slept, or its clock was moved. */
const MOST_BETWEEN_MS = 2 * ANSWER_TIMEOUT_MS;
/** A request that is not answered is sent no more often in a row; then it is only looked up. */
const MOST_SENT = 5;

/** What an answer to a POST may be. */
interface RelayerAnswer {
  readonly data?: {
    readonly transaction_hash: string;
    readonly execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
    readonly revert_reason: string | null;
  };
  readonly error?: unknown;
  readonly response: Response;
}

/** A request to one relayer, which is the same each time that it is sent. */
export interface RelayedRequest {
  readonly baseUrl: string;
  readonly client: SottoClient;
  /** Safe to be sent again: the relayer has one submission of it. */
  post(signal: AbortSignal): Promise<RelayerAnswer>;
  /** Asks for the submission without sending anything; left out where that can't be asked. */
  lookUp?(signal: AbortSignal): Promise<{ readonly error?: unknown; readonly response: Response }>;
  /** Codes that say that the effect is on chain, by whatever transaction. */
  readonly doneCodes: readonly string[];
  /** Whether the effect stands at ACCEPTED_ON_L2, looked up now. @throws when that can't be read */
  isDone(signal: AbortSignal): Promise<boolean>;
}

/** Where a request's state is kept. */
export interface RequestJournal {
  state(): RequestState;
  /** Durable when it resolves. */
  save(state: RequestState): Promise<void>;
}

/** What a request comes to. */
export type RequestEnd =
  | {
      readonly kind: 'succeeded';
      readonly transactionHash: string;
      readonly submission: Submission;
    }
  /** The effect is on chain; by which transaction, is the chain's to say. */
  | { readonly kind: 'done' }
  /**
   * The relayer says that nothing of it is or can be on chain, or that it has reverted there; the
   * chain, which was read after that, does not show the effect.
   */
  | { readonly kind: 'ended'; readonly error: JourneyError }
  /** Not answered for the mempool's lifetime, or at no end for long, and not on chain. */
  | { readonly kind: 'silent'; readonly error: JourneyError };

const LOCATION = /\/api\/relayer\/submissions\/([\w-]{1,64})$/;
const STATUSES: readonly unknown[] = ['SUCCEEDED', 'REVERTED', 'UNKNOWN', null];

/**
 * Takes one request to its end at one relayer, from wherever an earlier run has left it: sends it,
 * sends it again while that is safe and may help, and looks at its submission until that ends.
 */
export class RequestFollower {
  readonly #request: RelayedRequest;
  readonly #journal: RequestJournal;
  readonly #report: (event: RequestEvent) => void;
  readonly #signal: AbortSignal;
  readonly #pauses: Pauses;
  /** How often it was sent without an answer. */
  #sent = 0;
  /** A relayer is not given up for time in which it was not asked, in this run. */
  #askedMs = 0;
  #answeredAtMs = Date.now();

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

  /** @throws the signal's reason when that aborts; what `save` throws */
  async follow(): Promise<RequestEnd> {
    for (;;) {
      this.#signal.throwIfAborted();
      const { location } = this.#journal.state();
      const end = location === null ? await this.#send() : await this.#look(location);
      if (end !== undefined) return end;
    }
  }

  async #send(): Promise<RequestEnd | undefined> {
    // What may have been sent by a run that has not heard of it is looked up first.
    if (this.#journal.state().unansweredSinceMs !== null && this.#request.lookUp !== undefined) {
      const found = await this.#ask((signal) => this.#request.lookUp?.(signal));
      if (found === undefined) return this.#silence();
      const location = found.response.headers.get('location');
      if (found.error === undefined && location !== null) return this.#accepted(location, null);
      if (!isSottoError(found.error, 'WITHDRAWAL_NOT_FOUND')) return this.#refused(found);
    }
    // It answers, and this request alone does not get through: the time of the last one runs out.
    if (this.#request.lookUp !== undefined && this.#sent >= MOST_SENT) return this.#silence();
    this.#sent += 1;
    // Written before it is sent: a run after this one knows that it may have been. What can be
    // looked up is sent again only where the relayer has answered that it has nothing of it.
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
    // Something else answers at the relayer's address.
    if (!isSottoError(error)) return this.#silence();
    const { baseUrl, doneCodes } = this.#request;
    const journeyError = reported(error, baseUrl);
    if (doneCodes.includes(String(error.code))) return { kind: 'done' };
    if (isConclusive(response.status, error)) return this.#ended(journeyError);
    return this.#silence(journeyError, retryAfterMs(response));
  }

  async #look(location: string): Promise<RequestEnd | undefined> {
    const id = LOCATION.exec(location)?.[1] ?? '';
    const answer = await this.#ask((signal) =>
      this.#request.client.GET('/api/relayer/submissions/{id}', {
        params: { path: { id } },
        signal,
      }),
    );
    if (answer === undefined) return this.#silence();
    const { data, error, response } = answer;
    if (isSottoError(error, 'SUBMISSION_NOT_FOUND')) {
      // The relayer has lost it: whatever it has sent may land.
      await this.#save({ location: null, unansweredSinceMs: Date.now() });
      return this.#wait();
    }
    if (data === undefined) return this.#refused({ error, response });
    const { execution_status: status }: Partial<Submission> = Object(data);
    // Something else answers at the relayer's address.
    if (!STATUSES.includes(status)) return this.#silence();
    this.#pauses.reset();
    await this.#answered();
    return (await this.#judge(id, data)) ?? (await this.#wait(retryAfterMs(response)));
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

  /** What a relayer says is an end only if the chain does not show the opposite. */
  async #ended(error: JourneyError): Promise<RequestEnd> {
    for (;;) {
      const isDone = await this.#isDone();
      if (isDone !== undefined) return isDone ? { kind: 'done' } : { kind: 'ended', error };
      this.#report({ type: 'unknown', error: ownError('NODE_UNREACHABLE') });
      await this.#pauses.pause();
    }
  }

  /**
   * An answer, and no end. The chain is asked too once that takes long: the relayer need not say
   * what has come of it, and does not keep it for ever by saying nothing of use.
   * @param known whether it is done, where the chain was asked just before; null where it can't be
   *   read
   */
  async #wait(pauseMs?: number, known?: boolean | null): Promise<RequestEnd | undefined> {
    const nowMs = Date.now();
    const { firstSentMs } = this.#journal.state();
    // The clock was set back since.
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

  /** No answer that ends it: whether the request has landed is not known. */
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
    // Never later than now: the clock may have been set back.
    const sinceMs = Math.min(this.#journal.state().unansweredSinceMs ?? nowMs, nowMs);
    await this.#save({ unansweredSinceMs: sinceMs });
    this.#report({ type: 'unknown', error });
    const isDone = await this.#isDone();
    if (isDone === true) return { kind: 'done' };
    // What the chain shows now, and not before the time was over, says that it has not landed.
    if (isDone === false && nowMs - sinceMs >= MEMPOOL_LIFETIME_MS)
      return { kind: 'silent', error };
    return this.#wait(pauseMs, isDone ?? null);
  }

  /** @returns undefined when the chain can't be read */
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

  /** @returns undefined when there is no answer */
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
