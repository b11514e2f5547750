import { createApp, listen } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';
import {
  liveRoute,
  readyRoute,
  type Listener,
  type OpenListener,
  type Runtime,
} from '@sotto/relayer/service';

/** Serves only `/health/live` and `/health/ready`, with the same response format as the service. */
export class HealthListener implements Listener {
  constructor(
    private readonly keeper: Runtime,
    private readonly settings: Settings['http'],
  ) {}

  async open(): Promise<OpenListener> {
    const { readiness, connections, clock, logger, metrics, inFlight } = this.keeper;
    const { trustedProxies, rateLimits } = this.settings;
    const hurrying = new AbortController();
    const app = createApp({
      clock,
      logger,
      metrics,
      inFlight,
      routes: [liveRoute(), readyRoute(readiness)],
      trustedProxies,
      rateLimits,
      corsOrigins: [],
      guards: {},
      closedPaths: /^\/health(?:\/|$)/,
      boundedGroup: 'submissions',
      refusedAs: 'reads',
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
