import { Overloaded } from '@sotto/relayer-core';
import type { RequestHandler } from 'express';
import { TooManyInFlight } from '../errors.js';
import { clientOf } from './request-context.js';

export interface InFlightSettings {
  /** Requests that are under way at a time. */
  readonly inAll: number;
  /** Of one caller address. */
  readonly perClient: number;
}

/** Plain numbers, for metrics. */
export interface InFlightCounts {
  readonly requests: number;
  readonly clients: number;
  /** Turned away since the start. */
  readonly refused: number;
}

/** What is under way is often a wait for a block. */
const RETRY_AFTER_SECONDS = 5;

/** Counts requests that are under way, and turns away what is too much before its body is read. */
export class InFlight {
  readonly #perClient = new Map<string, number>();
  #requests = 0;
  #refused = 0;

  constructor(private readonly settings: InFlightSettings) {}

  /** Fails with `TooManyInFlight` for a caller who has too many, and with `Overloaded` when there are too many in all. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    const client = clientOf(response);
    const ofClient = this.#perClient.get(client) ?? 0;
    const refusal = this.#refusal(ofClient);
    if (refusal !== null) {
      this.#refused += 1;
      next(refusal);
      return;
    }
    this.#requests += 1;
    this.#perClient.set(client, ofClient + 1);
    response.once('close', () => this.#ended(client));
    next();
  };

  counts(): InFlightCounts {
    return { requests: this.#requests, clients: this.#perClient.size, refused: this.#refused };
  }

  #refusal(ofClient: number): Overloaded | TooManyInFlight | null {
    if (ofClient >= this.settings.perClient) return new TooManyInFlight(RETRY_AFTER_SECONDS);
    return this.#requests >= this.settings.inAll ? new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS }) : null;
  }

  #ended(client: string): void {
    this.#requests -= 1;
    const left = (this.#perClient.get(client) ?? 1) - 1;
    if (left === 0) this.#perClient.delete(client);
    else this.#perClient.set(client, left);
  }
}
