import { errorLink, listenOnAll, type Connections } from '@sotto/http-server';
import type { Settings, UseCases } from '@sotto/relayer';
import type { Listener, OpenListener, Runtime } from '@sotto/relayer/service';
import { createApp, type AppOptions } from './create-app.js';
import { CuratorTokens, OperatorTokens } from './credentials.js';
import { httpPolicy } from './http-policy.js';
import { routesOf } from './routes.js';
import { sitesOf } from './sites.js';

interface HttpListenerParts extends Pick<
  AppOptions,
  'routes' | 'clock' | 'logger' | 'metrics' | 'inFlight' | 'curatorTokens' | 'operatorTokens'
> {
  readonly connections: Connections;
}

/** Creates the HTTP listener of a relayer. */
export function httpListener(relayer: Runtime & UseCases, settings: Settings): Listener {
  const { clock, logger, metrics, inFlight, connections } = relayer;
  const operatorTokens = new OperatorTokens(settings.operator.tokens);
  const curatorTokens = new CuratorTokens(settings.curator.tokens);
  const routes = routesOf(relayer, httpPolicy(settings), operatorTokens);
  const parts = { routes, clock, logger, metrics, inFlight, connections };
  const { http, node } = settings;
  return new HttpListener({ ...parts, operatorTokens, curatorTokens }, http, node.endpoints[0].url);
}

/** Listener on the host and port of the settings. */
class HttpListener implements Listener {
  constructor(
    private readonly parts: HttpListenerParts,
    private readonly settings: Settings['http'],
    private readonly nodeUrl: Settings['node']['endpoints'][0]['url'],
  ) {}

  async open(): Promise<OpenListener> {
    const { trustedProxies, corsOrigins, rateLimits } = this.settings;
    const closing = new AbortController();
    const hurrying = new AbortController();
    const app = createApp({
      ...this.parts,
      trustedProxies,
      corsOrigins,
      rateLimits,
      sites: sitesOf(this.settings, this.nodeUrl),
      stopping: hurrying.signal,
      closing: closing.signal,
    });
    const { url, sharedUrl, ...server } = await listenOnAll(
      app,
      { ...this.settings, docsOf: errorLink },
      this.parts.connections,
    );
    const close = (graceMs: number): Promise<void> => {
      const closed = server.close(graceMs, () => hurrying.abort());
      closing.abort();
      return closed;
    };
    return { url, sharedUrl, close };
  }
}
