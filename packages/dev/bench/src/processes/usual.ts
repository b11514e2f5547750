import { toFelt } from '@sotto/kernel';
import { jsonLine, keyed, type SandboxUrls } from '@sotto/process-kit';
import { sandboxWorld, type SandboxAccount } from '@sotto/sandbox';
import { z } from 'zod';
import type { Flow } from './flow.js';
import { MeasuredChild } from './measured-child.js';
import { POLL_INTERVAL_MS } from './service.js';

const Listening = z.object({ url: z.url() });

export interface UsualOptions {
  readonly folder: string;
  readonly node: SandboxUrls;
  readonly lanes: readonly SandboxAccount[];
  /** Code that computes the transaction hash. @default 'starknet.js' */
  readonly hash?: 'starknet.js' | 'ours';
}

/** The usual flow as a separate process. */
export class Usual implements Flow {
  private constructor(
    readonly process: MeasuredChild,
    readonly url: string,
  ) {}

  static async start({ folder, node, lanes, hash = 'starknet.js' }: UsualOptions): Promise<Usual> {
    const process = new MeasuredChild({
      name: 'usual flow',
      program: new URL('../usual/main.js', import.meta.url).href,
      env: {
        STARKNET_RPC_URL: node.rpcUrl,
        ACCOUNTS: JSON.stringify(lanes.map(keyed)),
        ORACLE: toFelt(sandboxWorld.oracle),
        POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
        HASH: hash,
      },
      logFile: `${folder}/usual-${hash}.log`,
    });
    return new Usual(process, (await process.line(jsonLine(Listening))).url);
  }

  /** Resolves at once, because the usual flow has no work left after its response. */
  async settled(): Promise<void> {}

  stop(): Promise<void> {
    return this.process.stop('SIGKILL');
  }
}
