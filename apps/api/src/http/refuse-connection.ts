import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { ErrorBody } from './schemas.js';

/**
 * What goes wrong before there is a request: no route and not a domain error kind stands behind it,
 * so each has its own status.
 */
export interface ConnectionError {
  readonly code: string;
  readonly status: 400 | 408 | 431;
  readonly meaning: string;
  readonly remedy: string;
}

const MALFORMED: ConnectionError = {
  code: 'MALFORMED_HTTP',
  status: 400,
  meaning: 'What came over the connection is no HTTP/1.1 request.',
  remedy: 'Use an HTTP client.',
};
const TIMED_OUT: ConnectionError = {
  code: 'REQUEST_TIMED_OUT',
  status: 408,
  meaning: 'The request did not arrive completely in time; nothing was done with it.',
  remedy: 'Send it again.',
};
const HEADERS_TOO_LARGE: ConnectionError = {
  code: 'HEADERS_TOO_LARGE',
  status: 431,
  meaning: 'Path and headers are larger than 16 KiB.',
  remedy: 'Send fewer headers, or shorter ones.',
};

export const CONNECTION_ERRORS: readonly ConnectionError[] = [
  MALFORMED,
  TIMED_OUT,
  HEADERS_TOO_LARGE,
];

/** Codes of Node's HTTP parser and server; all others are malformed requests. */
const BY_NODE_CODE: ReadonlyMap<string, ConnectionError> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['ERR_HTTP_REQUEST_TIMEOUT', TIMED_OUT],
]);

/**
 * Listener of a server's `clientError`: the last answer of the connection, in the shape of every
 * other failure.
 */
export function refuseConnection({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = BY_NODE_CODE.get(code) ?? MALFORMED;
  const requestId = randomUUID();
  const body = JSON.stringify({
    error: failure.meaning,
    code: failure.code,
    requestId,
  } satisfies z.input<typeof ErrorBody>);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
