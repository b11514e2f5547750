import { NodeClient, NodeSet, StarknetSnapshots, shortStringFelt } from '@sotto/adapter-starknet';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { silentLogger, systemClock } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { lanesOf } from './chain-world.js';
import { TIMEOUTS } from './settings.js';

/** Conditions in which the first of two nodes can be. The second node always works. */
export const FIRST_NODES = ['works', 'dies', 'is behind'] as const;
export type FirstNode = (typeof FIRST_NODES)[number];

/** Number of blocks by which the first node is behind, greater than the allowed lag. */
export const BLOCKS_BEHIND = 6;
const NAMES = ['first', 'second'] as const;

/** Two nodes of one chain in one node set. Each node has a separate fault proxy. */
export class NodePair {
  private constructor(
    readonly set: NodeSet,
    private readonly proxies: readonly FaultProxy[],
    private readonly first: FirstNode,
  ) {}

  static async over(target: string, first: FirstNode): Promise<NodePair> {
    const proxies = await Promise.all(NAMES.map(async () => startFaultProxy({ target })));
    const endpoints = proxies.map(({ url }, place) => ({
      name: NAMES[place] ?? '',
      client: new NodeClient({ url, ...TIMEOUTS }),
    }));
    const set = new NodeSet(endpoints, {
      chainId: shortStringFelt(sandboxWorld.chainId),
      accounts: lanesOf(sandboxWorld),
      clock: systemClock,
      logger: silentLogger,
    });
    return new NodePair(set, proxies, first);
  }

  /** Waits until both nodes were polled, and applies the condition of the first node. */
  async begin(): Promise<void> {
    const [first] = this.proxies;
    if (this.first === 'is behind')
      first?.addFault({
        method: '*',
        fault: { kind: 'stale', blocksBehind: BLOCKS_BEHIND },
        times: 'always',
      });
    await new StarknetSnapshots(this.set).latest(null);
    if (this.first === 'dies')
      first?.addFault({ method: '*', fault: { kind: 'drop-before' }, times: 'always' });
  }

  async stop(): Promise<void> {
    this.set.close();
    await Promise.all(this.proxies.map(async (proxy) => proxy.stop()));
  }
}
