import { toFelt } from '@sotto/kernel';
import { jsonLine, keyed, type SandboxUrls } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import type { Flow } from './flow.js';
import { MeasuredChild } from './measured-child.js';
import { POLL_INTERVAL_MS } from './service.js';
import { lanes } from './world.js';

const Listening = z.object({ url: z.url() });

/** The usual flow, in a process of its own. */
export class Usual implements Flow {
  private constructor(
    readonly process: MeasuredChild,
    readonly url: string,
  ) {}

  static async start({
    folder,
    node,
    lanes: count,
  }: {
    readonly folder: string;
    readonly node: SandboxUrls;
    readonly lanes: number;
  }): Promise<Usual> {
    const process = new MeasuredChild({
      name: 'usual flow',
      program: new URL('../usual/main.js', import.meta.url).href,
      env: {
        STARKNET_RPC_URL: node.rpcUrl,
        ACCOUNTS: JSON.stringify(lanes.slice(0, count).map(keyed)),
        ORACLE: toFelt(sandboxWorld.oracle),
        POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
      },
      logFile: `${folder}/usual.log`,
    });
    return new Usual(process, (await process.line(jsonLine(Listening))).url);
  }

  /** It has nothing to do once it has answered. */
  async settled(): Promise<void> {}

  stop(): Promise<void> {
    return this.process.stop('SIGKILL');
  }
}
