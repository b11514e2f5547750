import { mostOf, mostOfNetwork, systemClock, type Caller } from '@sotto/kernel';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { RateLimited } from './errors.js';
import { callerOf, isCounted, markCounted } from './request-context.js';

export interface RateLimitSettings<Group extends string = string> {
  /** Maximum number of requests per minute of one address, by group of routes. */
  readonly perMinute: Readonly<Record<Group, number>>;
  /** Maximum number of addresses that are counted at the same time, for each group. */
  readonly maxClients: number;
}

interface Window {
  hits: number;
  readonly endsAtMs: number;
}

/**
 * Counts requests per client in fixed time windows, for a maximum number of clients. Above the
 * maximum, the client whose window began first is removed. So a flood from many addresses needs
 * only a limited amount of memory, and can only shorten the windows of other clients.
 */
export class BoundedRateStore {
  /** Time windows by client. The window that began first is first. */
  readonly #windows = new Map<string, Window>();

  /** @param nowMs time in ms @default the process's monotonic clock */
  constructor(
    private readonly maxClients: number,
    private readonly windowMs: number,
    private readonly nowMs: () => number = () => systemClock.monotonicMs(),
  ) {}

  get size(): number {
    return this.#windows.size;
  }

  /**
   * Counts a request. @returns the number of requests in the client's window, including this
   * request
   */
  increment(key: string): number {
    const window = this.#running(key) ?? this.#begin(key);
    window.hits += 1;
    return window.hits;
  }

  /** Returns the seconds until the client's window ends, at least 1. */
  secondsLeft(key: string): number {
    const endsAtMs = this.#running(key)?.endsAtMs ?? 0;
    return Math.max(1, Math.ceil((endsAtMs - this.nowMs()) / 1_000));
  }

  #running(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAtMs > this.nowMs() ? window : undefined;
  }

  #begin(key: string): Window {
    this.#windows.delete(key);
    for (const [oldest, { endsAtMs }] of this.#windows) {
      if (this.#windows.size < this.maxClients && endsAtMs > this.nowMs()) break;
      this.#windows.delete(oldest);
    }
    const window: Window = { hits: 0, endsAtMs: this.nowMs() + this.windowMs };
    this.#windows.set(key, window);
    return window;
  }
}

const WINDOW_MS = 60_000;
/** Rate limit that applies to each caller. */
export interface Limiter {
  /**
   * Counts a request of this caller. Returns false if the caller has used up its limit of the
   * minute. While the service is busy, the limits of the caller's networks apply too: the result is
   * also false if one of them is used up.
   */
  admits(caller: Caller): boolean;
  /** Middleware that applies the limit. Fails with RateLimited. */
  readonly middleware: RequestHandler;
}

/**
 * Creates a rate limiter for each group. Addresses and networks are stored in memory for a minute
 * and have no other use.
 * @param isBusy returns true if the load is so high that networks must be counted too
 */
export function rateLimits(
  { perMinute, maxClients }: RateLimitSettings,
  isBusy: () => boolean,
): ReadonlyMap<string, Limiter> {
  const limiter = (most: number): Limiter => {
    const callers = new BoundedRateStore(maxClients, WINDOW_MS);
    const networks = new BoundedRateStore(maxClients, WINDOW_MS);
    /**
     * Counts a request and returns the seconds until the limit allows the next request. Null if
     * this request is allowed.
     */
    const rejection = (caller: Caller): number | null => {
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
      admits: (caller) => rejection(caller) === null,
      middleware: (_request, response, next) => {
        markCounted(response);
        const seconds = rejection(callerOf(response));
        next(seconds === null ? undefined : new RateLimited(seconds));
      },
    };
  };
  return new Map(Object.entries(perMinute).map(([group, most]) => [group, limiter(most)]));
}

/** Middleware that exempts requests from the limit of {@link countingRefused}. */
export const unlimited: RequestHandler = (_request, response, next) => {
  markCounted(response);
  next();
};

/**
 * Creates middleware that counts failed requests which no other rate limit has counted, such as
 * requests for unknown paths. Requests above the limit fail with RateLimited.
 */
export const countingRefused =
  ({ middleware }: Limiter): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (isCounted(response)) next(error);
    else void middleware(request, response, (rejection?: unknown) => next(rejection ?? error));
  };

/** Creates middleware that counts preflight requests of browsers. */
export const countingPreflights =
  ({ middleware }: Limiter): RequestHandler =>
  (request, response, next) => {
    if (request.method === 'OPTIONS') void middleware(request, response, next);
    else next();
  };
