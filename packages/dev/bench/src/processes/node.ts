import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { BATCH, NOTES, ROOT } from '../load/withdrawals.js';
import { Child, jsonLine } from './child.js';
import { lanes, pool } from './world.js';

const Announcement = z.object({
  rpcUrl: z.url(),
  controlUrl: z.url(),
  aggregatorUrl: z.url(),
  rewardsUrl: z.url(),
  bridgeUrl: z.url(),
});
export type NodeUrls = z.output<typeof Announcement>;

const Answer = z.object({ result: z.unknown() });
const Counters = z.object({
  httpRequests: z.number(),
  httpRequestsByContent: z.record(z.string(), z.number()),
});
/**
 * HTTP requests that the node got, a batch being one, in all and by the methods that they carried.
 */
export type RequestCounts = z.output<typeof Counters>;

/** What each account is given: more than any run spends. In fri. */
const LANE_FUNDS_FRI = 10n ** 25n;

/** The sandbox's node in a process of its own, with a pool that pays for any number of notes. */
export class Node {
  private constructor(
    readonly process: Child,
    readonly urls: NodeUrls,
  ) {}

  static async start(folder: string): Promise<Node> {
    const process = new Child({
      name: 'node',
      program: new URL('./node-process.js', import.meta.url).href,
      logFile: `${folder}/node.log`,
    });
    const node = new Node(process, await process.announced(jsonLine(Announcement)));
    await node.#prepare();
    return node;
  }

  /** So long takes the way to the node and back from now on, besides what it does. */
  async setLatency(ms: number): Promise<void> {
    await this.#control('setLatency', { ms });
  }

  async resetCounts(): Promise<void> {
    await this.#control('resetCounters');
  }

  async counts(): Promise<RequestCounts> {
    return Counters.parse(await this.#control('counters'));
  }

  stop(): Promise<void> {
    return this.process.end('SIGTERM');
  }

  async #control(action: string, members: object = {}): Promise<unknown> {
    const response = await fetch(this.urls.controlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, ...members }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the node refused ${action}: ${text}`);
    return Answer.parse(JSON.parse(text)).result;
  }

  /** The state that deposits would have made, without the deposits. */
  async #prepare(): Promise<void> {
    const address = toFelt(pool.address);
    const slots = {
      next_index: BATCH.size,
      [`root:${BATCH.size}`]: ROOT,
      [`batch_size_at:${BATCH.start}`]: BATCH.size,
      active_deposits: NOTES,
    };
    for (const [key, value] of Object.entries(slots))
      await this.#control('setStorage', { address, key, value: String(value) });
    await this.#control('mint', {
      owner: address,
      amount: String(NOTES * pool.denomination),
      token: toFelt(pool.token),
    });
    for (const lane of lanes)
      await this.#control('mint', { owner: toFelt(lane.address), amount: String(LANE_FUNDS_FRI) });
  }
}
