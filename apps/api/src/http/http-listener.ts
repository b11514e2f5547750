import { listenOnAll, type Connections } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';
import type { Listener, OpenListener } from '@sotto/relayer/service';
import { createApp, type AppOptions } from './create-app.js';

export interface HttpListenerParts extends Pick<
  AppOptions,
  'routes' | 'clock' | 'logger' | 'metrics' | 'inFlight' | 'curatorTokens' | 'operatorTokens'
> {
  readonly connections: Connections;
}

/** The HTTP interface, where the settings want it. */
export class HttpListener implements Listener {
  constructor(
    private readonly parts: HttpListenerParts,
    private readonly settings: Settings['http'],
  ) {}

  async open(): Promise<OpenListener> {
    const { trustedProxies, corsOrigins, rateLimits } = this.settings;
    const hurrying = new AbortController();
    const app = createApp({
      ...this.parts,
      trustedProxies,
      corsOrigins,
      rateLimits,
      stopping: hurrying.signal,
    });
    const { url, sharedUrl, ...server } = await listenOnAll(
      app,
      this.settings,
      this.parts.connections,
    );
    return { url, sharedUrl, close: (graceMs) => server.close(graceMs, () => hurrying.abort()) };
  }
}
