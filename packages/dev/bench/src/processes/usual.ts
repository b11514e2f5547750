import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { Child, jsonLine } from './child.js';
import type { Flow } from './flow.js';
import type { NodeUrls } from './node.js';
import { POLL_INTERVAL_MS } from './service.js';
import { keyed, lanes } from './world.js';

const Listening = z.object({ url: z.url() });

/** The usual flow, in a process of its own. */
export class Usual implements Flow {
  private constructor(
    readonly process: Child,
    readonly url: string,
  ) {}

  static async start({
    folder,
    node,
    lanes: count,
  }: {
    readonly folder: string;
    readonly node: NodeUrls;
    readonly lanes: number;
  }): Promise<Usual> {
    const process = new Child({
      name: 'usual flow',
      program: new URL('../usual/main.js', import.meta.url).href,
      env: {
        STARKNET_RPC_URL: node.rpcUrl,
        ACCOUNTS: keyed(lanes.slice(0, count)),
        ORACLE: toFelt(sandboxWorld.oracle),
        POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
      },
      logFile: `${folder}/usual.log`,
    });
    return new Usual(process, (await process.announced(jsonLine(Listening))).url);
  }

  /** It has nothing to do once it has answered. */
  async settled(): Promise<void> {}

  stop(): Promise<void> {
    return this.process.end('SIGKILL');
  }
}
