import { once } from 'node:events';
import { connect } from 'node:net';

/** An HTTP response as received. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends these bytes on a separate connection and reads the response until the connection closes.
 * Used for requests that no HTTP client would send.
 */
export async function rawHttp(url: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  // The server may reject the request and close the connection before all bytes are written.
  socket.on('error', () => {});
  socket.write(bytes);
  await closed;
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body };
}
