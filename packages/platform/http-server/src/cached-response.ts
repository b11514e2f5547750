import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from './headers.js';

/** An answer of status 200 as it goes out: made once, sent often. */
export interface CachedResponse {
  readonly text: string;
  /** Null where callers may not keep it. */
  readonly etag: string | null;
  /** Names and values in turn. What only some requests get, such as their id, is not among them. */
  readonly headers: { readonly whole: readonly string[]; readonly unchanged: readonly string[] };
  /**
   * Node copies text of one byte per character together with the head, which is faster than to send
   * bytes beside it.
   */
  readonly encoding: 'latin1' | 'utf8';
}

/** @param text of the JSON body */
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
 * Sends it whole, without its body for HEAD, or as 304 when the caller has it. Replaces headers
 * that were set before.
 * @param own names and values in turn of what only this answer carries
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

/** RFC 9110, 13.1.2: compared weakly. A request with `no-cache` gets the whole answer. */
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

/** Weak: compression on the way may change the bytes, never what they say. */
function etagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
