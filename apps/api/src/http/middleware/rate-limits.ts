import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RateLimited } from '../errors.js';
import { BoundedRateStore } from './bounded-rate-store.js';

/** Budgets that requests count against, by what they cost: a read, a promise that is signed and stored or asked of others, a transaction. */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

export interface RateLimitSettings {
  /** Requests that one address may make per minute, by group. */
  readonly perMinute: Readonly<Record<LimitedGroup, number>>;
  /** Addresses that are counted at a time, for each group. */
  readonly maxClients: number;
}

const WINDOW_MS = 60_000;
/** Whoever has an IPv6 address usually has all of its /64. */
const IPV6_SUBNET = 64;

/**
 * One limiter per group. The address is a key in memory for a minute and is used for nothing else.
 * @returns middleware that fails with `RateLimited` once the caller's budget of the minute is used up
 */
export function rateLimits({ perMinute, maxClients }: RateLimitSettings): Readonly<Record<LimitedGroup, RequestHandler>> {
  const limiter = (group: LimitedGroup): RequestHandler => {
    const store = new BoundedRateStore(maxClients);
    return rateLimit({
      windowMs: WINDOW_MS,
      limit: perMinute[group],
      store,
      // Its checks of the proxy setting would write to the console.
      validate: false,
      standardHeaders: false,
      legacyHeaders: false,
      keyGenerator: ({ ip = 'gone' }) => ipKeyGenerator(ip, IPV6_SUBNET),
      handler: ({ ip = 'gone' }, _response, next) => {
        next(new RateLimited(store.secondsLeft(ipKeyGenerator(ip, IPV6_SUBNET))));
      },
    });
  };
  return { reads: limiter('reads'), quotes: limiter('quotes'), submissions: limiter('submissions') };
}
