import { toFelt } from '@sotto/kernel';
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

/** A pool as deposits would have made it, without the deposits. */
export interface FilledPool {
  readonly pool: Pick<SandboxPool, 'address' | 'token' | 'denomination'>;
  /** The tree's: any number, since no forged proof proves a path to it. */
  readonly root: bigint;
  /** The one batch that every withdrawal names. */
  readonly batch: { readonly start: bigint; readonly size: number };
  /** How many notes the pool can pay for. */
  readonly notes: bigint;
  /** Accounts that relay, and what each is given. */
  readonly lanes: readonly SandboxAccount[];
  readonly laneFunds: { readonly fri: bigint };
}

/** The same file from src and from dist. */
const PROGRAM = new URL('../dist/sandbox-process.js', import.meta.url).href;

/** The sandbox as a process of its own; see `sandbox-process.ts` for its variables. */
export class SandboxChain {
  private constructor(
    readonly process: Child,
    readonly urls: SandboxUrls,
  ) {}

  /** Resolves when it listens. */
  static async start(logFile: string, env: Variables = {}): Promise<SandboxChain> {
    const child = new Child({ name: 'sandbox chain', program: PROGRAM, env, logFile });
    return new SandboxChain(child, await child.line(jsonLine(Urls)));
  }

  /** One order of the sandbox's control interface. @throws Error when it is refused */
  async control(action: string, members: object = {}): Promise<unknown> {
    const response = await fetch(this.urls.controlUrl, {
      method: 'POST',
      // No kept connection: a process that was busy does not see that the chain has closed it.
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ action, ...members }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the chain refused ${action}: ${text}`);
    return Answer.parse(JSON.parse(text)).result;
  }

  async fillPool({ pool, root, batch, notes, lanes, laneFunds }: FilledPool): Promise<void> {
    const address = toFelt(pool.address);
    const slots = {
      next_index: batch.size,
      [`root:${batch.size}`]: root,
      [`batch_size_at:${batch.start}`]: batch.size,
      active_deposits: notes,
    };
    for (const [key, value] of Object.entries(slots))
      await this.control('setStorage', { address, key, value: String(value) });
    const token = toFelt(pool.token);
    const amount = String(notes * pool.denomination);
    await this.control('mint', { owner: address, amount, token });
    for (const lane of lanes)
      await this.control('mint', { owner: toFelt(lane.address), amount: String(laneFunds.fri) });
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}
