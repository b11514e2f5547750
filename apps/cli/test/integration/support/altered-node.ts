import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Certificate } from './self-signed.js';

interface Rpc {
  readonly id: unknown;
  readonly method: string;
}

interface Reply {
  readonly id: unknown;
}

/** A proxy in front of a node. The proxy itself responds to some JSON-RPC methods. */
export interface AlteredNode {
  readonly url: string;
  close(): void;
}

/** Starts a proxy with these results by method. All other requests go to the node behind it. */
export async function alteredNode(
  behind: string,
  answers: Readonly<Record<string, unknown>>,
  tls: Certificate | null = null,
): Promise<AlteredNode> {
  const listener: RequestListener = (request, response) => {
    void (async () => {
      const body = await text(request);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(behind, { method: 'POST', headers, body });
      const requested: Rpc | readonly Rpc[] = JSON.parse(body);
      const methods = new Map([requested].flat().map(({ id, method }) => [id, method]));
      const altered = (reply: Reply): object => {
        const method = methods.get(reply.id) ?? '';
        return Object.hasOwn(answers, method)
          ? { jsonrpc: '2.0', id: reply.id, result: answers[method] }
          : reply;
      };
      const replies: Reply | readonly Reply[] = JSON.parse(await answer.text());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify('id' in replies ? altered(replies) : replies.map(altered)));
    })();
  };
  const server = tls === null ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // CAST: the server listens on a port.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
