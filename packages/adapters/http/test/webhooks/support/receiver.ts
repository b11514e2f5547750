import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Local receiver of webhooks. */
export interface Receiver {
  readonly port: number;
  readonly server: Server;
  stop(): Promise<void>;
}

export async function receiver(answer: RequestListener): Promise<Receiver> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return {
    port: address.port,
    server,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
