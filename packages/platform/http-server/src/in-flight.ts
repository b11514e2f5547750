import { Overloaded, Shares, type Caller, type ShareLimits } from '@sotto/kernel';
import type { RequestHandler } from 'express';
import { TooManyInFlight } from './errors.js';
import { callerOf } from './request-context.js';

/** Maximum number of requests in flight, in total and per caller address. */
export type InFlightSettings = ShareLimits;

/** Counts of requests in flight for the metrics. */
export interface InFlightCounts {
  readonly requests: number;
  readonly clients: number;
  /** Number of requests rejected since the start. */
  readonly refused: number;
}

/**
 * Delay in seconds that rejected callers should wait, chosen because requests in flight often wait
 * for a block.
 */
const RETRY_AFTER_SECONDS = 5;

/**
 * Counts the requests in flight whose bodies are complete, and rejects requests above the limits.
 */
export class InFlight {
  readonly #shares: Shares;
  #refused = 0;

  constructor(readonly settings: InFlightSettings) {
    this.#shares = new Shares(settings);
  }

  /** True if more than half of the allowed requests are in flight. */
  get isBusy(): boolean {
    return this.#shares.isBusy;
  }

  /**
   * Creates middleware that reads the body and then reserves a slot until the response closes. If
   * no slot is free, the request is rejected before its body is read. After the read, the
   * middleware checks again, because a body uses no slot while it arrives. The errors are
   * TooManyInFlight if the caller has too many requests, and Overloaded if there are too many
   * requests in total.
   * @param readBody undefined for a route without a body
   */
  bounded(readBody: RequestHandler | undefined): RequestHandler {
    const take: RequestHandler = (_request, response, next) => {
      const caller = callerOf(response);
      const rejection = this.#rejection(caller);
      if (rejection === undefined) response.once('close', this.#shares.take(caller));
      next(rejection);
    };
    if (readBody === undefined) return take;
    return (request, response, next) => {
      const rejection = this.#rejection(callerOf(response));
      if (rejection !== undefined) {
        next(rejection);
        return;
      }
      void readBody(request, response, (...failure: readonly unknown[]) => {
        if (failure[0] === undefined) void take(request, response, next);
        else next(failure[0]);
      });
    };
  }

  counts(): InFlightCounts {
    return { requests: this.#shares.held, clients: this.#shares.callers, refused: this.#refused };
  }

  #rejection(caller: Caller): Error | undefined {
    const rejection = this.#shares.rejection(caller);
    if (rejection === null) return undefined;
    this.#refused += 1;
    return rejection === 'caller'
      ? new TooManyInFlight(RETRY_AFTER_SECONDS)
      : new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
