import { SandboxChain, type SandboxUrls, type Variables } from '@sotto/process-kit';
import { z } from 'zod';
import { EXTRA_LANES, lanes, pool } from './world.js';

const Counters = z.object({
  httpRequests: z.number(),
  httpRequestsByContent: z.record(z.string(), z.number()),
});
/**
 * Number of HTTP requests to the node, in total and by the methods that they contained. A batch is
 * one request.
 */
export type RequestCounts = z.output<typeof Counters>;

/**
 * The sandbox's node as a separate process, with a pool that pays any number of notes. The node
 * does not check proofs and signatures: checks in JavaScript would need many times longer, and they
 * are not part of the comparison.
 */
export class Node {
  private constructor(private readonly sandbox: SandboxChain) {}

  /** @param env environment variables of the sandbox, for example its block time */
  static async start(folder: string, env: Variables = {}): Promise<Node> {
    const sandbox = await SandboxChain.start(`${folder}/node.log`, {
      ...env,
      NOTES_PAY_ONCE: '1',
      EXTRA_ACCOUNTS: String(EXTRA_LANES),
      TRUSTS: '1',
    });
    await sandbox.fillPool(pool, lanes);
    return new Node(sandbox);
  }

  get urls(): SandboxUrls {
    return this.sandbox.urls;
  }

  /** Sets the network latency in ms of a round trip to the node. */
  async setLatency(ms: number): Promise<void> {
    await this.sandbox.control('setLatency', { ms });
  }

  async resetCounts(): Promise<void> {
    await this.sandbox.control('resetCounters');
  }

  async counts(): Promise<RequestCounts> {
    return Counters.parse(await this.sandbox.control('counters'));
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }
}
