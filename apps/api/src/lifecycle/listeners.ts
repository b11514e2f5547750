import type { RequestListener } from 'node:http';
import type { Settings } from '../environment/settings.js';
import type { Connections } from './connections.js';
import { listen, type ListeningServer } from './http-server.js';

export interface Listeners extends ListeningServer {
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
}

/**
 * Listens where the settings say; both listeners serve the same and are closed together. Rejects
 * when a port can't be had, and holds none then.
 */
export async function listenOnAll(
  app: RequestListener,
  { host, port, shared }: Pick<Settings['http'], 'host' | 'port' | 'shared'>,
  { admit, admitShared }: Pick<Connections, 'admit' | 'admitShared'>,
): Promise<Listeners> {
  const first = await listen(app, { host, port, onConnection: admit });
  if (shared === null) return { ...first, sharedUrl: null };
  const second = await listen(app, { ...shared, onConnection: admitShared }).catch(
    async (error: unknown) => {
      await first.close(0, () => {});
      throw error;
    },
  );
  return {
    url: first.url,
    sharedUrl: second.url,
    async close(graceMs, hurry) {
      await Promise.all([first.close(graceMs, hurry), second.close(graceMs, hurry)]);
    },
  };
}
