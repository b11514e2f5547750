import { Overloaded, Shares, widestOf, type Caller } from '@sotto/kernel';
import type { Request, RequestHandler, Response } from 'express';
import { closeAfter } from './arriving-bodies.js';
import {
  BodyTooLarge,
  InvalidJson,
  InvalidRequest,
  TooManyInFlight,
  UnsupportedContentType,
} from './errors.js';
import { exceedsStructure } from './json-structure.js';
import { readBytes } from './read-bytes.js';
import { callerOf } from './request-context.js';

/**
 * Default memory budget in bytes for the bodies of all requests in flight: 16 bodies of 4 MiB.
 * Parsing temporarily needs about three times the size of one body, and parses run one at a time.
 */
const BUDGET_BYTES = 64 * 1024 * 1024;
/** Unit in which the budget is shared, in bytes. A body uses whole blocks. */
const BLOCK_BYTES = 64 * 1024;
/** Denominator of the maximum share of one address. */
const CALLER_PARTS = 4;
const RETRY_AFTER_SECONDS = 2;
/** Limits of the values in a body. Large bodies are large because of their texts. */
const STRUCTURE = { values: 50_000, levels: 32 } as const;

/** Memory that one request has reserved. */
interface Reservation {
  readonly caller: Caller;
  /** Functions that release one block each. */
  readonly blocks: (() => void)[];
  /** Stops reading the body and rejects its request. */
  giveWay(): void;
}

/**
 * Limits the total bytes of large bodies, from the start of a body until its response closes. A
 * body of known size reserves its bytes before it is read. Other bodies, such as compressed ones,
 * reserve each block when it is read, after decompression.
 *
 * One address uses at most a quarter of the budget, and a network at most half. The other rules of
 * {@link Shares} apply too. If a new body does not fit, incomplete bodies are evicted, oldest
 * first. The evicted bodies belong to the same network if the network is at its limit, otherwise to
 * the network with the largest reservation. So slow senders can't exclude other callers.
 */
export class LargeBodies {
  readonly #blocks: Shares;
  /** Reservations of incomplete bodies, oldest first. */
  readonly #arriving = new Set<Reservation>();

  /** @param bytes budget in bytes @default {@link BUDGET_BYTES} */
  constructor(bytes = BUDGET_BYTES) {
    const inAll = Math.max(1, Math.floor(bytes / BLOCK_BYTES));
    this.#blocks = new Shares({ inAll, perClient: Math.ceil(inAll / CALLER_PARTS) });
  }

  /** Reserved bytes. */
  get heldBytes(): number {
    return this.#blocks.held * BLOCK_BYTES;
  }

  /** True if more than half of the budget is reserved. */
  get isBusy(): boolean {
    return this.#blocks.isBusy;
  }

  /**
   * Creates middleware that reads a JSON body within the budget. Only a complete body is parsed.
   * The middleware fails with
   * - BodyTooLarge for a body above the limit,
   * - TooManyInFlight if the caller or its network has used up its share,
   * - Overloaded if the budget is used up or the body is evicted,
   * - InvalidJson, InvalidRequest or UnsupportedContentType if the body is unreadable,
   * - InvalidRequest for more than 50,000 values or 32 levels.
   * @param limitBytes maximum size of a body in bytes, after decompression
   */
  json(limitBytes: number): RequestHandler {
    return (request, response, next) => {
      const type = request.is('application/json');
      if (type === false) {
        next(new UnsupportedContentType({ message: 'send the body as application/json' }));
        return;
      }
      // The request has no body.
      if (type === null) {
        next();
        return;
      }
      const announced = announcedBytes(request);
      if (announced !== null && announced > limitBytes) {
        next(tooLarge(limitBytes));
        return;
      }
      this.#read(request, response, { limitBytes, announced: announced ?? 1 }, next);
    };
  }

  #read(
    request: Request,
    response: Response,
    { limitBytes, announced }: { readonly limitBytes: number; readonly announced: number },
    next: (failure?: unknown) => void,
  ): void {
    let isRead = false;
    let stop = notStarted;
    const finish = (failure?: Error): void => {
      if (isRead) return;
      isRead = true;
      this.#arriving.delete(reservation);
      if (failure !== undefined) release(reservation);
      next(failure);
    };
    const reservation: Reservation = {
      caller: callerOf(response),
      blocks: [],
      giveWay: () => {
        stop();
        closeAfter(request, response);
        finish(new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS }));
      },
    };
    const reserve = (bytes: number): Error | undefined =>
      bytes > limitBytes ? tooLarge(limitBytes) : this.#reserve(reservation, bytes);
    const rejection = reserve(announced);
    if (rejection !== undefined) {
      finish(rejection);
      return;
    }
    this.#arriving.add(reservation);
    response.once('close', () => {
      // A decompressor can still have data of a caller who has disconnected.
      stop();
      this.#arriving.delete(reservation);
      release(reservation);
    });
    stop = readBytes(request, {
      reserve,
      done: (bytes) => {
        const parsed = bytes instanceof Error ? bytes : parsedJson(bytes);
        if (!(parsed instanceof Error)) request.body = parsed.value;
        finish(parsed instanceof Error ? parsed : undefined);
      },
    });
  }

  /** Reserves memory until the reservation has at least this many bytes. */
  #reserve(reservation: Reservation, bytes: number): Error | undefined {
    const { caller, blocks } = reservation;
    while (blocks.length * BLOCK_BYTES < bytes) {
      const rejection = this.#blocks.rejection(caller);
      if (rejection === null) blocks.push(this.#blocks.take(caller));
      else {
        const evicted = this.#evictable(reservation, rejection);
        if (evicted === undefined)
          return rejection === 'caller'
            ? new TooManyInFlight(RETRY_AFTER_SECONDS)
            : new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS });
        evicted.giveWay();
      }
    }
    return undefined;
  }

  /** Returns the incomplete body to evict. Undefined if the caller must be rejected instead. */
  #evictable(reservation: Reservation, rejection: 'caller' | 'all'): Reservation | undefined {
    const { caller } = reservation;
    const others = [...this.#arriving].filter((other) => other !== reservation);
    const own = widestOf(caller);
    if (rejection === 'caller')
      return this.#blocks.hasMost(caller)
        ? undefined
        : others.find((other) => widestOf(other.caller) === own);
    const heldBy = (other: Reservation): number => this.#blocks.heldBy(widestOf(other.caller));
    const [largest] = others.toSorted((a, b) => heldBy(b) - heldBy(a));
    return largest !== undefined && heldBy(largest) > this.#blocks.heldBy(own)
      ? largest
      : undefined;
  }
}

/** Ends a read that has not started. */
const notStarted = (): void => {};

function release({ blocks }: Reservation): void {
  for (const releaseBlock of blocks.splice(0)) releaseBlock();
}

const tooLarge = (limitBytes: number): BodyTooLarge =>
  new BodyTooLarge({
    message: 'the body exceeds the limit of this route',
    details: { limitBytes },
  });

/** Returns the size of the body if the header states it. Null for a compressed or chunked body. */
function announcedBytes({ headers }: Request): number | null {
  if (headers['content-encoding'] !== undefined) return null;
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** The error contains no part of the body, not even as its cause. */
function parsedJson(bytes: Buffer): { readonly value: unknown } | InvalidJson | InvalidRequest {
  // Parsing 4 MiB of small values lasts half a second, in which nothing else is served.
  if (exceedsStructure(bytes, STRUCTURE))
    return new InvalidRequest([
      { path: 'body', message: 'has too many values or too many levels' },
    ]);
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return new InvalidJson({ message: 'the body is not JSON' });
  }
}
