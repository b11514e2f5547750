import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { TcpProxy } from './tcp-proxy.js';

/** HTTP server that returns one body for every request, behind a proxy that can fail. */
export class PlainServer {
  private constructor(
    private readonly server: Server,
    readonly proxy: TcpProxy,
    readonly url: string,
  ) {}

  static async start(type: string, body: string): Promise<PlainServer> {
    const server = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', type).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const { proxy, url } = await TcpProxy.before(`http://127.0.0.1:${address.port}`);
    return new PlainServer(server, proxy, url);
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
