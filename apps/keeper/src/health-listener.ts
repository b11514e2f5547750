import { createApp, listen, type AppOptions, type Connections } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';
import { liveRoute, readyRoute, type Listener, type OpenListener } from '@sotto/relayer/service';
import type { Readiness } from '@sotto/relayer-core';

export interface HealthListenerParts extends Pick<
  AppOptions,
  'clock' | 'logger' | 'metrics' | 'inFlight'
> {
  readonly readiness: Readiness;
  readonly connections: Connections;
}

/** `/health/live` and `/health/ready`, as the service answers them, and no other path. */
export class HealthListener implements Listener {
  constructor(
    private readonly parts: HealthListenerParts,
    private readonly settings: Settings['http'],
  ) {}

  async open(): Promise<OpenListener> {
    const { readiness, connections, ...parts } = this.parts;
    const { trustedProxies, rateLimits } = this.settings;
    const hurrying = new AbortController();
    const app = createApp({
      ...parts,
      routes: [liveRoute(), readyRoute(readiness)],
      trustedProxies,
      rateLimits,
      corsOrigins: [],
      guards: {},
      closedPaths: /^\/health(?:\/|$)/,
      boundedGroup: 'submissions',
      codesOf: () => undefined,
      headersOf: () => ({}),
      stopping: hurrying.signal,
    });
    const { host, port } = this.settings;
    const server = await listen(app, { host, port, onConnection: connections.admit });
    return {
      url: server.url,
      sharedUrl: null,
      close: (graceMs) => server.close(graceMs, () => hurrying.abort()),
    };
  }
}
