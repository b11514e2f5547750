import { PUSH_BOUNDS, PushConnection } from '@sotto/adapter-starknet';
import { systemClock } from '@sotto/kernel';
import type { Settings } from '../environment/settings.js';

/**
 * Subscribes to a node as the service does, and closes the connection. Returns null if every
 * subscription succeeds.
 */
export async function pushProblem(
  { network, lanes }: Pick<Settings, 'network' | 'lanes'>,
  url: string,
  withinMs: number,
): Promise<string | null> {
  let isSubscribed = false;
  const connection = new PushConnection({
    url,
    chainId: network.chainId,
    lanes: lanes.map(({ address }) => address),
    bounds: { ...PUSH_BOUNDS, setUpTimeoutMs: withinMs },
    clock: systemClock,
    subscribed: () => {
      isSubscribed = true;
      connection.close();
    },
    received: () => {},
  });
  const cause = await connection.ended;
  return isSubscribed ? null : cause;
}
