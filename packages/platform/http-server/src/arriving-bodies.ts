import { Overloaded, Shares, widestOf, type ShareLimits } from '@sotto/kernel';
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import {
  TooManyInFlight,
  BodyTooLarge,
  InvalidJson,
  InvalidRequest,
  UnsupportedContentType,
} from './errors.js';
import { callerOf } from './request-context.js';
import * as z from 'zod';

export interface ArrivingSettings extends ShareLimits {
  /** Maximum total size in bytes of the bodies that are being read. @default {@link MOST_BYTES} */
  readonly bytes?: number;
}

/** Default maximum in bytes, which is small compared with the other memory of the process. */
const MOST_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 2;

interface Arriving {
  readonly bytes: number;
  /** Widest network that contains the caller's address. */
  readonly network: string;
  /** Stops reading the body, and rejects its request. */
  giveWay(): void;
}

/**
 * Limits the number and total bytes of the bodies that are being read. A normal body arrives within
 * milliseconds. If a new body exceeds a limit, the oldest body is evicted, so slow senders can't
 * exclude other callers. One network can use at most half of the bytes. If a network uses more, its
 * own bodies are evicted.
 */
export class ArrivingBodies {
  readonly #shares: Shares;
  readonly #mostBytes: number;
  /** Bodies that are being read, in the order in which they began. */
  readonly #bodies = new Set<Arriving>();
  #bytes = 0;

  constructor({ bytes = MOST_BYTES, ...limits }: ArrivingSettings) {
    this.#shares = new Shares(limits);
    this.#mostBytes = bytes;
  }

  /** Number of bodies that are being read now. */
  get held(): number {
    return this.#shares.held;
  }

  /** True if more than half of the allowed number of bodies are being read. */
  get isBusy(): boolean {
    return this.#shares.isBusy;
  }

  /**
   * Creates middleware that reads a JSON body within these limits. The middleware fails with
   * TooManyInFlight if the caller has too many arriving bodies, with Overloaded if the body is
   * evicted, and with the errors of `jsonBody`.
   * @param limitBytes maximum size of a body in bytes, after decompression
   */
  json(limitBytes: number): RequestHandler {
    const read = jsonBody(limitBytes);
    return (request, response, next) => {
      const caller = callerOf(response);
      if (this.#shares.rejection(caller) === 'caller') {
        next(new TooManyInFlight(RETRY_AFTER_SECONDS));
        return;
      }
      const bytes = bytesOf(request, limitBytes);
      const network = widestOf(caller);
      this.#makeRoom(bytes, network);
      let isOver = false;
      const release = this.#shares.take(caller);
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        release();
        this.#bodies.delete(body);
        this.#bytes -= bytes;
        return true;
      };
      const body: Arriving = {
        bytes,
        network,
        giveWay: () => {
          if (!end()) return;
          closeAfter(request, response);
          next(new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS }));
        },
      };
      this.#bodies.add(body);
      this.#bytes += bytes;
      response.once('close', end);
      void read(request, response, (...failure: readonly unknown[]) => {
        if (end()) next(failure[0]);
      });
    };
  }

  #makeRoom(bytes: number, network: string): void {
    const ofNetwork = [...this.#bodies].filter((body) => body.network === network);
    let held = ofNetwork.reduce((sum, body) => sum + body.bytes, 0);
    for (const oldest of ofNetwork) {
      if (held + bytes <= this.#mostBytes / 2) break;
      held -= oldest.bytes;
      oldest.giveWay();
    }
    for (const oldest of this.#bodies) {
      if (!this.#shares.isFull && this.#bytes + bytes <= this.#mostBytes) return;
      oldest.giveWay();
    }
  }
}

/**
 * Returns the size of the body in bytes from `Content-Length`. Returns `limitBytes` if the body is
 * compressed or the header is not a valid size.
 */
function bytesOf({ headers }: Request, limitBytes: number): number {
  const announced =
    headers['content-encoding'] === undefined ? Number(headers['content-length']) : Number.NaN;
  return announced >= 0 && announced <= limitBytes ? announced : limitBytes;
}

/** Closes the connection after the response, without reading the rest of the body. */
export function closeAfter(request: Request, response: Response): void {
  response.set('Connection', 'close');
  response.once('finish', () => request.destroy());
}

/** Schema of an error that the Express parser throws. */
const ParserError = z.object({ type: z.string() });

/**
 * Creates middleware that reads a JSON body, up to this many bytes after decompression. If this
 * fails, the middleware passes on the matching error of the catalogue.
 */
function jsonBody(limitBytes: number): RequestHandler {
  const parseJson = express.json({ limit: limitBytes, type: 'application/json' });
  return (request, response, next) => {
    if (request.is('application/json') === false) {
      next(new UnsupportedContentType({ message: 'send the body as application/json' }));
      return;
    }
    parseJson(request, response, (error?: unknown) => {
      next(error === undefined ? undefined : errorOf(error, limitBytes));
    });
  };
}

function errorOf(error: unknown, limitBytes: number): unknown {
  const parsed = ParserError.safeParse(error);
  // Messages of the parser quote the body, so no message is passed to the new error, not even as
  // its cause.
  switch (parsed.data?.type) {
    case 'entity.too.large':
      return new BodyTooLarge({
        message: 'the body exceeds the limit of this route',
        details: { limitBytes },
      });
    case 'entity.parse.failed':
      return new InvalidJson({ message: 'the body is not JSON' });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new UnsupportedContentType({
        message: 'send the body in UTF-8, uncompressed or with gzip, deflate or br',
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidRequest([{ path: 'body', message: 'the body ended early' }]);
    case undefined:
    default:
      return isHttpError(error) ? new InvalidJson({ message: 'the body cannot be read' }) : error;
  }
}

/**
 * Returns true for a client error with a status but no type, such as an error of a decompressor.
 */
function isHttpError(error: unknown): boolean {
  return z.object({ status: z.int().min(400).max(499) }).safeParse(error).success;
}
