import { SandboxChain, type SandboxUrls, type Variables } from '@sotto/process-kit';
import { z } from 'zod';
import { EXTRA_LANES, lanes, pool } from './world.js';

const Counters = z.object({
  httpRequests: z.number(),
  httpRequestsByContent: z.record(z.string(), z.number()),
});
/**
 * HTTP requests that the node got, a batch being one, in all and by the methods that they carried.
 */
export type RequestCounts = z.output<typeof Counters>;

/**
 * The sandbox's node in a process of its own, with a pool that pays for any number of notes. It
 * leaves out what would take a multiple of that time in JavaScript and is no part of the
 * comparison: it takes proofs to hold and signatures to be the account's.
 */
export class Node {
  private constructor(private readonly sandbox: SandboxChain) {}

  /** @param env of the sandbox, such as how long its blocks take */
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

  /** So long takes the way to the node and back from now on, besides what it does. */
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
