import type { RequestHandler } from 'express';
import { RateLimited } from '../errors.js';
import { BoundedRateStore } from './bounded-rate-store.js';
import { clientOf } from './request-context.js';

/** Budgets that requests count against, by what they cost: a read, a promise that is signed and stored or asked of others, a transaction. */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

export interface RateLimitSettings {
  /** Requests that one address may make per minute, by group. */
  readonly perMinute: Readonly<Record<LimitedGroup, number>>;
  /** Addresses that are counted at a time, for each group. */
  readonly maxClients: number;
}

const WINDOW_MS = 60_000;
/** Files of the documentation's page that one address may load per minute: a page has six. They are large, and cost no source anything. */
const PAGE_FILES_PER_MINUTE = 120;

/** A budget of each caller. */
export interface Limiter {
  /** Counts a request of this client. False once its budget of the minute is used up. */
  admits(client: string): boolean;
  /** The same as middleware, which fails with `RateLimited`. */
  readonly middleware: RequestHandler;
}

/** One limiter per group, and one of the documentation's page. The address is a key in memory for a minute and is used for nothing else. */
export function rateLimits({ perMinute, maxClients }: RateLimitSettings): Readonly<Record<LimitedGroup | 'page', Limiter>> {
  const limiter = (most: number): Limiter => {
    const store = new BoundedRateStore(maxClients, WINDOW_MS);
    const admits = (client: string): boolean => store.increment(client) <= most;
    return {
      admits,
      middleware: (_request, response, next) => {
        const client = clientOf(response);
        next(admits(client) ? undefined : new RateLimited(store.secondsLeft(client)));
      },
    };
  };
  return {
    reads: limiter(perMinute.reads),
    quotes: limiter(perMinute.quotes),
    submissions: limiter(perMinute.submissions),
    page: limiter(PAGE_FILES_PER_MINUTE),
  };
}
