import { retryAtOf } from './retry-at.js';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_BY_KIND, retryOf } from '@sotto/facts';
import { domainError, type DomainError } from '@sotto/kernel';
import type { DocsOf } from './error-handler.js';

/** The data that arrived on a connection is not an HTTP request. */
export class MalformedHttp extends domainError('MALFORMED_HTTP') {}

export class RequestTimedOut extends domainError('REQUEST_TIMED_OUT') {}

export class HeadersTooLarge extends domainError('HEADERS_TOO_LARGE') {}

/**
 * Errors by the code of Node's HTTP parser or server. For all other codes, the error is
 * MalformedHttp.
 */
const BY_NODE_CODE = new Map<string, () => DomainError>([
  ['HPE_HEADER_OVERFLOW', () => new HeadersTooLarge()],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => new RequestTimedOut()],
]);

/** Creates an error response in the usual format, for a request that reaches no route. */
export function failureReply(
  failure: DomainError,
  docsOf?: DocsOf,
): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
} {
  const requestId = randomUUID();
  const body = JSON.stringify({
    error: failure.message,
    code: failure.code,
    retry: retryOf(failure.code),
    requestId,
    ...retryAtOf(failure),
    ...(docsOf === undefined ? {} : { docs: docsOf(failure.code) }),
  });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
  };
  return { status: STATUS_BY_KIND[failure.kind], headers, body };
}

/**
 * Creates a listener for a server's event `clientError`. The listener sends an error response in
 * the usual format and ends the connection.
 */
export function refuseConnection(
  docsOf?: DocsOf,
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return ({ code = '' }, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const failure = BY_NODE_CODE.get(code)?.() ?? new MalformedHttp();
    const { status, headers, body } = failureReply(failure, docsOf);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
