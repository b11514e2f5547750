import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.js';

/** Maximum number of connections: enough for scrapers and a few stalled clients. */
const MOST_CONNECTIONS = 32;
/** Time in ms after which a connection without progress is closed. */
const IDLE_MS = 60_000;

export interface MetricsServer {
  /** URL of the metrics, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a separate port that is not public; port 0 selects a free port. Rejects
 * if the port is not available.
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void answer(metrics, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the metrics server has no port');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/metrics`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(metrics: Metrics, response: ServerResponse): Promise<void> {
  try {
    const text = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
