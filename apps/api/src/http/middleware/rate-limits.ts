import { mostOf, mostOfNetwork, type Caller } from '@sotto/relayer-core';
import type { RequestHandler } from 'express';
import { RateLimited } from '../errors.js';
import { BoundedRateStore } from './bounded-rate-store.js';
import { callerOf } from './request-context.js';

/**
 * Budgets that requests count against, by what they cost: a read, a promise that is signed and
 * stored or asked of others, a transaction.
 */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

export interface RateLimitSettings {
  /** Requests that one address may make per minute, by group. */
  readonly perMinute: Readonly<Record<LimitedGroup, number>>;
  /** Addresses that are counted at a time, for each group. */
  readonly maxClients: number;
}

const WINDOW_MS = 60_000;
/**
 * Files of the documentation's page that one address may load per minute: a page has six. They are
 * large, and cost no source anything.
 */
const PAGE_FILES_PER_MINUTE = 120;

/** A budget of each caller. */
export interface Limiter {
  /**
   * Counts a request of this caller. False once its budget of the minute is used up, or under load
   * that of a network that it is in.
   */
  admits(caller: Caller): boolean;
  /** The same as middleware, which fails with `RateLimited`. */
  readonly middleware: RequestHandler;
}

/**
 * One limiter per group, and one of the documentation's page. Addresses and networks are keys in
 * memory for a minute and are used for nothing else.
 * @param isBusy whether so much is under way that networks are counted as well
 */
export function rateLimits(
  { perMinute, maxClients }: RateLimitSettings,
  isBusy: () => boolean,
): Readonly<Record<LimitedGroup | 'page', Limiter>> {
  const limiter = (most: number): Limiter => {
    const callers = new BoundedRateStore(maxClients, WINDOW_MS);
    const networks = new BoundedRateStore(maxClients, WINDOW_MS);
    /** Seconds until there is room again; null when there is. */
    const refusal = (caller: Caller): number | null => {
      if (callers.increment(caller.name) > mostOf(caller, most))
        return callers.secondsLeft(caller.name);
      if (!isBusy()) return null;
      const full = caller.networks.filter(
        (network, index) => networks.increment(network) > mostOfNetwork(index, most),
      );
      return full.length === 0
        ? null
        : Math.max(...full.map((network) => networks.secondsLeft(network)));
    };
    return {
      admits: (caller) => refusal(caller) === null,
      middleware: (_request, response, next) => {
        const seconds = refusal(callerOf(response));
        next(seconds === null ? undefined : new RateLimited(seconds));
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
