import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifierFromEnvironment } from '@sotto/deployment';
import { DevnetStack } from '@sotto/deployment/testing';
import { KeyedMutex } from '@sotto/kernel';
import { startDoubles } from '@sotto/sandbox';
import { shortString } from 'starknet';
import { say } from '../console.js';
import type { RunningSite } from './site.js';

/**
 * Starts starknet-devnet and deploys the development stack on it. The sandbox's HTTP doubles run in
 * this process. If the start fails, everything is stopped.
 * @param folder folder for devnet's log and its network profile
 */
export async function devnetSite(folder: string): Promise<RunningSite> {
  say('starting devnet');
  const log = join(folder, 'devnet.log');
  const real = verifierFromEnvironment(process.env);
  if (real !== undefined) say('its pools use the real verifier that VERIFIER_SIERRA names');
  const deployment = { report: say, ...real };
  const devnet = await DevnetStack.start({
    // The service reads at one block even if newer blocks exist, so devnet must store the state of
    // older blocks.
    devnet: { log: (line) => appendFileSync(log, `${line}\n`), stateArchive: true },
    deployment,
  });
  try {
    const { declared, deployed, declareMs, deployMs } = devnet.deployment;
    say(
      `devnet is at ${devnet.rpcUrl}; ${declared.length} classes declared in ${inSeconds(declareMs)}, ${deployed.length} contracts in ${inSeconds(deployMs)}`,
    );
    const networkProfile = join(folder, 'devnet.json');
    writeFileSync(networkProfile, JSON.stringify(devnet.profile));
    return await withDoubles(devnet, networkProfile);
  } catch (error) {
    await devnet.stop();
    throw error;
  }
}

async function withDoubles(devnet: DevnetStack, networkProfile: string): Promise<RunningSite> {
  const { stack, rpcUrl } = devnet;
  const mints = new KeyedMutex();
  const chainId = BigInt(shortString.encodeShortString(stack.chainId));
  const { aggregatorUrl, bridgeUrl, solverControlUrl, rewardsUrl, ...doubles } = await startDoubles(
    { ...stack, chainId },
  );
  return {
    world: stack,
    rpcUrl,
    networkProfile,
    aggregatorUrl,
    bridgeUrl,
    solverControlUrl,
    rewardsUrl,
    ended: devnet.devnet.ended.then(() => 'devnet'),
    // Mints run one after another, because each mint uses the next nonce of the same account: the
    // stack's owner.
    mintWbtc: (owner, sats) => mints.run('WBTC', () => devnet.mint('WBTC', owner, sats)),
    stop: async () => {
      await doubles.stop();
      await devnet.stop();
    },
  };
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
