import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFelt } from '@sotto/kernel';
import { Child, jsonLine } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { say } from '../console.js';
import { postJson } from '../json-request.js';
import type { Site } from './site.js';

/** The service's own description of the sandbox. */
const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));

const Announcement = z.object({
  rpcUrl: z.url(),
  controlUrl: z.url(),
  aggregatorUrl: z.url(),
  bridgeUrl: z.url(),
  solverControlUrl: z.url(),
  rewardsUrl: z.url(),
});

/** The sandbox, as a process of its own. */
export const sandboxSite: Site = async ({ folder, verificationKeyFile }) => {
  say('starting the sandbox chain');
  const sandbox = new Child({
    name: 'sandbox chain',
    program: new URL('./main.js', import.meta.resolve('@sotto/sandbox')).href,
    args: ['--verification-key', verificationKeyFile],
    logFile: join(folder, 'sandbox.log'),
  });
  try {
    const { controlUrl, ...urls } = await sandbox.line(jsonLine(Announcement));
    say(`the sandbox chain is at ${urls.rpcUrl}`);
    const token = toFelt(sandboxWorld.tokens.WBTC.address);
    return {
      ...urls,
      world: sandboxWorld,
      networkProfile: PROFILE,
      ended: sandbox.ended.then(() => sandbox.name),
      mintWbtc: async (owner, sats) => {
        await postJson(controlUrl, {
          action: 'mint',
          owner: toFelt(owner),
          amount: String(sats),
          token,
        });
      },
      stop: () => sandbox.stop(),
    };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
};
