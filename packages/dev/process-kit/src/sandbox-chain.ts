import { toFelt } from '@sotto/kernel';
import { BATCH, NOTES, ROOT } from '@sotto/load-kit';
import type { SandboxAccount, SandboxPool } from '@sotto/sandbox';
import { z } from 'zod';
import { Child, jsonLine, type Variables } from './child.js';

const Urls = z.object({
  rpcUrl: z.url(),
  wsUrl: z.url(),
  controlUrl: z.url(),
  aggregatorUrl: z.url(),
  rewardsUrl: z.url(),
  bridgeUrl: z.url(),
});
export type SandboxUrls = z.output<typeof Urls>;

const Answer = z.object({ result: z.unknown() });

/** Initial balance of each relay account, in fri. No run spends this much. */
const LANE_FUNDS_FRI = 10n ** 25n;

/** URL of the sandbox program, which is valid from both src and dist, because it contains dist. */
const PROGRAM = new URL('../dist/sandbox-process.js', import.meta.url).href;

/** The sandbox as a separate process. `sandbox-process.ts` documents its variables. */
export class SandboxChain {
  private constructor(
    readonly process: Child,
    readonly urls: SandboxUrls,
  ) {}

  /** Starts the sandbox. Resolves when it listens. */
  static async start(logFile: string, env: Variables = {}): Promise<SandboxChain> {
    const child = new Child({ name: 'sandbox chain', program: PROGRAM, env, logFile });
    return new SandboxChain(child, await child.line(jsonLine(Urls)));
  }

  /**
   * Sends a command to the sandbox's control interface. @throws Error if the sandbox rejects the
   * command
   */
  async control(action: string, members: object = {}): Promise<unknown> {
    const response = await fetch(this.urls.controlUrl, {
      method: 'POST',
      // Keep-alive is off: a busy process would not notice that the chain has closed an idle
      // connection.
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ action, ...members }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the chain refused ${action}: ${text}`);
    return Answer.parse(JSON.parse(text)).result;
  }

  /** Fills a pool without deposits, and funds the relay accounts. */
  async fillPool(
    pool: Pick<SandboxPool, 'address' | 'token' | 'denomination'>,
    lanes: readonly Pick<SandboxAccount, 'address'>[],
  ): Promise<void> {
    const address = toFelt(pool.address);
    const slots = {
      next_index: BATCH.size,
      [`root:${BATCH.size}`]: ROOT,
      [`batch_size_at:${BATCH.start}`]: BATCH.size,
      active_deposits: NOTES,
    };
    for (const [key, value] of Object.entries(slots))
      await this.control('setStorage', { address, key, value: String(value) });
    const token = toFelt(pool.token);
    await this.control('mint', {
      owner: address,
      amount: String(NOTES * pool.denomination),
      token,
    });
    for (const lane of lanes)
      await this.control('mint', { owner: toFelt(lane.address), amount: String(LANE_FUNDS_FRI) });
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}
