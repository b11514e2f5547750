import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A proxy in front of a node that records the service's requests for a test. */
export interface WatchedNode {
  readonly url: string;
  /** Bodies of the received requests, in the order of arrival. */
  readonly bodies: readonly string[];
  stop(): Promise<void>;
}

/** @param poll called with each request body before the node receives the request */
export async function watchNode(
  behind: string,
  poll: (body: string) => void,
): Promise<WatchedNode> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      bodies.push(body);
      poll(body);
      const answer = await fetch(behind, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      response
        .writeHead(answer.status, { 'Content-Type': 'application/json' })
        .end(await answer.text());
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
