import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidJson, InvalidRequest, UnsupportedContentType } from './errors.js';

export interface BytesReader {
  /**
   * Called with the number of bytes that have been read, before these bytes are stored. An error
   * ends the read.
   */
  readonly reserve: (bytes: number) => Error | undefined;
  /** Called once with the bytes, or with the error that ended the read. */
  readonly done: (bytes: Buffer | Error) => void;
}

const CHARSET = /;\s*charset\s*=\s*"?([\w-]+)/i;
const UTF_8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Reads and decompresses the body of a request. Only UTF-8 is accepted, uncompressed or with gzip,
 * deflate or br.
 * @returns function that ends the read without a call of `done`
 */
export function readBytes(request: IncomingMessage, { reserve, done }: BytesReader): () => void {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  const decoder = decoderOf(encoding.toLowerCase());
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (decoder === null || !UTF_8.test(charset)) {
    done(
      new UnsupportedContentType({
        message: 'send the body in UTF-8, uncompressed or with gzip, deflate or br',
      }),
    );
    return () => {};
  }
  const source: Readable = decoder ?? request;
  const chunks: Buffer[] = [];
  let size = 0;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    chunks.length = 0;
    source.off('data', onData);
    if (decoder === undefined) return;
    request.unpipe(decoder);
    decoder.destroy();
    // Discard the rest of the body. Otherwise the next request on the connection never arrives, and
    // a proxy may use one connection for several callers.
    request.resume();
  };
  const end = (result: () => Buffer | Error): void => {
    if (isOver) return;
    const ended = result();
    stop();
    done(ended);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    const failure = reserve(size);
    // Another body may have evicted this one.
    if (isOver) return;
    if (failure === undefined) chunks.push(chunk);
    else end(() => failure);
  };
  source.on('data', onData);
  source.once('end', () => end(() => Buffer.concat(chunks, size)));
  decoder?.on('error', () => end(() => new InvalidJson({ message: 'the body cannot be read' })));
  request.once('close', () => {
    if (!request.complete)
      end(() => new InvalidRequest([{ path: 'body', message: 'the body ended early' }]));
  });
  if (decoder !== undefined) request.pipe(decoder);
  return stop;
}

/** Returns undefined for an uncompressed body, and null for an unknown compression. */
function decoderOf(encoding: string) {
  switch (encoding) {
    case 'identity':
      return undefined;
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}
