import { Shares, type Caller, type ShareLimits } from '@sotto/kernel';
import type { RequestHandler } from 'express';
import type { ServerErrors } from './errors.js';
import { callerOf } from './request-context.js';

/** Requests that are under way at a time, and those of one caller address. */
export type InFlightSettings = ShareLimits;

/** Plain numbers, for metrics. */
export interface InFlightCounts {
  readonly requests: number;
  readonly clients: number;
  /** Turned away since the start. */
  readonly refused: number;
}

/** What is under way is often a wait for a block. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Counts requests that are under way, from the moment in which their bodies are there, and turns
 * away what is too much.
 */
export class InFlight {
  readonly #shares: Shares;
  #refused = 0;

  constructor(readonly settings: InFlightSettings) {
    this.#shares = new Shares(settings);
  }

  /** More than half of what may be under way is. */
  get isBusy(): boolean {
    return this.#shares.isBusy;
  }

  /** Turns away what has no room now, before its body is read, and takes nothing. */
  early(errors: ServerErrors): RequestHandler {
    return (_request, response, next) => next(this.#refusal(callerOf(response), errors));
  }

  /**
   * Middleware that fails with `tooManyInFlight` for a caller who has too many, and with
   * `overloaded` when there are too many in all.
   */
  bounded(errors: ServerErrors): RequestHandler {
    return (_request, response, next) => {
      const caller = callerOf(response);
      const refusal = this.#refusal(caller, errors);
      if (refusal === undefined) response.once('close', this.#shares.take(caller));
      next(refusal);
    };
  }

  counts(): InFlightCounts {
    return { requests: this.#shares.held, clients: this.#shares.callers, refused: this.#refused };
  }

  #refusal(caller: Caller, errors: ServerErrors): Error | undefined {
    const refusal = this.#shares.refusal(caller);
    if (refusal === null) return undefined;
    this.#refused += 1;
    return refusal === 'caller'
      ? errors.tooManyInFlight(RETRY_AFTER_SECONDS)
      : errors.overloaded(RETRY_AFTER_SECONDS);
  }
}
