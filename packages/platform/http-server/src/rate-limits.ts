import { mostOf, mostOfNetwork, systemClock, type Caller } from '@sotto/kernel';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { RateLimited } from './errors.js';
import { callerOf, isCounted, markCounted } from './request-context.js';

export interface RateLimitSettings<Group extends string = string> {
  /** Requests that one address may make per minute, by group of routes. */
  readonly perMinute: Readonly<Record<Group, number>>;
  /** Addresses that are counted at a time, for each group. */
  readonly maxClients: number;
}

interface Window {
  hits: number;
  readonly endsAtMs: number;
}

/**
 * Counts requests per client in fixed windows, for a maximum number of clients. If it is full, the
 * client whose window began first is removed. So a flood from many addresses needs a bounded amount
 * of memory, and can at most shorten other clients' windows.
 */
export class BoundedRateStore {
  /** Windows in the order in which they began. */
  readonly #windows = new Map<string, Window>();

  /** @param nowMs @default the process's monotonic clock */
  constructor(
    private readonly maxClients: number,
    private readonly windowMs: number,
    private readonly nowMs: () => number = () => systemClock.monotonicMs(),
  ) {}

  get size(): number {
    return this.#windows.size;
  }

  /**
   * Counts a request. @returns the number of requests of the client in its window, including this
   * one
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
/** Rate limit of each caller. */
export interface Limiter {
  /**
   * Counts a request of this caller. Returns false once its limit of the minute is used up, or,
   * under load, that of a network that contains it.
   */
  admits(caller: Caller): boolean;
  /** The limit as middleware, which fails with RateLimited. */
  readonly middleware: RequestHandler;
}

/**
 * Creates a limiter per group. Addresses and networks are kept in memory for a minute and are used
 * for nothing else.
 * @param isBusy true if the load is so high that networks are counted as well
 */
export function rateLimits(
  { perMinute, maxClients }: RateLimitSettings,
  isBusy: () => boolean,
): ReadonlyMap<string, Limiter> {
  const limiter = (most: number): Limiter => {
    const callers = new BoundedRateStore(maxClients, WINDOW_MS);
    const networks = new BoundedRateStore(maxClients, WINDOW_MS);
    /** Returns the seconds until there is room again; null if there is room. */
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
        markCounted(response);
        const seconds = refusal(callerOf(response));
        next(seconds === null ? undefined : new RateLimited(seconds));
      },
    };
  };
  return new Map(Object.entries(perMinute).map(([group, most]) => [group, limiter(most)]));
}

/** Exempts requests from the limit of {@link countingRefused}. */
export const unlimited: RequestHandler = (_request, response, next) => {
  markCounted(response);
  next();
};

/**
 * Counts requests that were refused before a limit counted them, such as those of unknown paths.
 * Requests beyond the limit fail with RateLimited.
 */
export const countingRefused =
  ({ middleware }: Limiter): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (isCounted(response)) next(error);
    else void middleware(request, response, (refusal?: unknown) => next(refusal ?? error));
  };

/** Counts preflight requests of browsers. */
export const countingPreflights =
  ({ middleware }: Limiter): RequestHandler =>
  (request, response, next) => {
    if (request.method === 'OPTIONS') void middleware(request, response, next);
    else next();
  };
