import type { Handler } from './loopback-upstream.js';

/**
 * Text that every hostile response with text contains. Tests check that this text does not appear
 * in errors or logs.
 */
export const HOSTILE_TEXT = 'marker-of-the-upstream';

/** A hostile behaviour of an upstream that does not depend on the request. */
export interface HostileAnswer {
  readonly what: string;
  readonly answer: Handler;
  /**
   * Error that is expected from a client whose response must be an object. For other clients, a
   * list may be a valid response.
   */
  readonly end: 'unavailable' | 'timed_out' | 'malformed';
}

/** Number of bytes that exceeds the limit of every upstream. */
const TOO_MANY_BYTES = 5 * 2 ** 20;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) =>
    response.writeHead(code, headers).end(`<html>${HOSTILE_TEXT}</html>`);
const json = (body: unknown): Handler => {
  const text = JSON.stringify(body);
  return (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
};

/** Hostile responses with which every adapter of an HTTP upstream is tested. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  { what: '500', answer: status(500), end: 'unavailable' },
  { what: '401', answer: status(401), end: 'unavailable' },
  { what: 'a page', answer: status(502, { 'Content-Type': 'text/html' }), end: 'unavailable' },
  { what: 'a wait', answer: status(429, { 'Retry-After': '7' }), end: 'unavailable' },
  { what: 'nothing', answer: (response) => response.destroy(), end: 'unavailable' },
  { what: 'too late', answer: () => {}, end: 'timed_out' },
  { what: 'an empty object', answer: json({}), end: 'malformed' },
  { what: 'an empty list', answer: json([]), end: 'malformed' },
  { what: 'null', answer: json(null), end: 'malformed' },
  { what: 'a text', answer: json(HOSTILE_TEXT), end: 'malformed' },
  { what: 'too much', answer: json('x'.repeat(TOO_MANY_BYTES)), end: 'malformed' },
];
