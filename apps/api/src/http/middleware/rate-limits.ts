import type { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
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

/** What was found for the last request of a connection, and what it was found from besides the connection itself. */
const clients = new WeakMap<Socket, { readonly forwarded: Request['headers'][string]; readonly client: string }>();

/** By what a caller is counted: the address, or its network. A key in memory, used for nothing else. */
export function clientOf(request: Request): string {
  const { socket, headers } = request;
  const forwarded = headers['x-forwarded-for'];
  const known = clients.get(socket);
  if (known !== undefined && known.forwarded === forwarded) return known.client;
  const client = ipKeyGenerator(request.ip ?? 'gone', IPV6_SUBNET);
  clients.set(socket, { forwarded, client });
  return client;
}

/** A budget of each caller. */
export interface Limiter {
  /** Counts the request. False once the caller's budget of the minute is used up. */
  admits(request: Request): boolean;
  /** The same as middleware, which fails with `RateLimited`. */
  readonly middleware: RequestHandler;
}

/** One limiter per group. The address is a key in memory for a minute and is used for nothing else. */
export function rateLimits({ perMinute, maxClients }: RateLimitSettings): Readonly<Record<LimitedGroup, Limiter>> {
  const limiter = (group: LimitedGroup): Limiter => {
    const store = new BoundedRateStore(maxClients, WINDOW_MS);
    const admits = (request: Request): boolean => store.increment(clientOf(request)) <= perMinute[group];
    return {
      admits,
      middleware: (request, _response, next) => {
        next(admits(request) ? undefined : new RateLimited(store.secondsLeft(clientOf(request))));
      },
    };
  };
  return { reads: limiter('reads'), quotes: limiter('quotes'), submissions: limiter('submissions') };
}
