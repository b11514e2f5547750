import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from './headers.js';

/** A response with status 200 that is created once and sent many times. */
export interface CachedResponse {
  readonly text: string;
  /** ETag of the response. Null if callers may not cache it. */
  readonly etag: string | null;
  /**
   * Header names and values in alternation. Headers that differ between requests, such as the
   * request id, are not included.
   */
  readonly headers: { readonly whole: readonly string[]; readonly unchanged: readonly string[] };
  /**
   * Encoding of the text. Latin-1 is faster: Node copies text with one byte per character together
   * with the head, and sends bytes separately.
   */
  readonly encoding: 'latin1' | 'utf8';
}

/** Creates a response. @param text the JSON body */
export function readyReply(text: string, cacheControl: string): CachedResponse {
  const etag = cacheControl === 'no-store' ? null : etagOf(text);
  const encoding = /^[\x20-\x7e]*$/.test(text) ? 'latin1' : 'utf8';
  const tagged = etag === null ? [] : ['ETag', etag];
  const unchanged = [...SECURITY_HEADERS.flat(), 'Cache-Control', cacheControl, ...tagged];
  const whole = [
    ...unchanged,
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ];
  return { text, etag, encoding, headers: { whole, unchanged } };
}

/**
 * Sends the response: with its body, without its body for HEAD, or as 304 if the caller has a valid
 * ETag. Replaces headers that were set earlier.
 * @param own header names and values, in alternation, of this response only
 */
export function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  reply: CachedResponse,
  own: readonly string[],
): void {
  const { text, etag, encoding, headers } = reply;
  const unchanged = etag !== null && isUnchanged(request.headers, etag);
  response.writeHead(unchanged ? 304 : 200, [
    ...(unchanged ? headers.unchanged : headers.whole),
    ...own,
  ]);
  if (unchanged || request.method === 'HEAD') response.end();
  else response.end(text, encoding);
}

/** Compares ETags weakly (RFC 9110, 13.1.2). Returns false for a request with `no-cache`. */
function isUnchanged(
  { 'if-none-match': known, 'cache-control': wanted }: IncomingHttpHeaders,
  etag: string,
): boolean {
  if (known === undefined || wanted?.includes('no-cache') === true) return false;
  return (
    known.trim() === '*' || known.split(',').some((one) => opaque(one.trim()) === opaque(etag))
  );
}

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);

/** Returns a weak ETag, because compression may change the bytes but not the content. */
function etagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
