import { fileURLToPath } from 'node:url';
import type { KeyedAccount } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { DevAccount, DevDescriptionJson, ServiceDescription } from '../description.js';
import { DevChain } from './dev-chain.js';
import { describeWorld } from './describe-world.js';
import { HelperServer } from './helper-server.js';
import { Helpers } from './helpers.js';
import type { ChainBelow, StackOrder } from './protocol.js';
import { ServiceProcess, type ServiceListeners } from './service-process.js';
import type { Below } from './service-settings.js';
import { tokensOf } from './tokens.js';

export interface StartedStack {
  readonly description: ServiceDescription | DevDescriptionJson;
  /** Stops the stack. The stack's folder is not removed. */
  stop(): Promise<void>;
}

/** Folder of the bundled files. The relative path is the same from src and from dist. */
const FILES = new URL('../../bundle/files/', import.meta.url);
const fileOf = (name: string): string => fileURLToPath(new URL(name, FILES));

/**
 * Starts the stack that `order` describes. Resolves when the service accepts withdrawals.
 * @param signal signal that stops the start and every started process
 * @throws Error if the start fails. The message is for the user, all processes are stopped, and the
 *   folder remains
 */
export async function runStack(
  order: StackOrder,
  on: ServiceListeners,
  signal: AbortSignal,
): Promise<StartedStack> {
  const { chain } = order;
  // Started processes and servers, in the order in which they are stopped.
  const parts: Ending[] = [];
  const stop = async (): Promise<void> => {
    for (const part of parts) await part.stop();
  };
  const startService = (below: Below): ServiceProcess => {
    const credentials = tokensOf(order.settings);
    const verificationKeyFile = fileOf('verification_key.json');
    const service = new ServiceProcess({ ...order, below, credentials, verificationKeyFile }, on);
    parts.unshift(service);
    signal.throwIfAborted();
    service.start();
    // Stopping the service also ends the wait until it is ready.
    signal.addEventListener('abort', () => void service.stop(), { once: true });
    return service;
  };
  try {
    if (chain.kind === 'below') {
      const service = startService(existing(chain));
      await service.ready();
      return { description: service.description, stop };
    }
    const sandbox = await DevChain.start(
      order.host,
      chain.nodePort,
      fileOf('verification_key.json'),
    );
    parts.unshift(sandbox);
    on.say(`the sandbox chain is at ${sandbox.urls.nodeUrl}`);
    const service = startService(belowOf(sandbox));
    const helpers = new HelperServer(new Helpers(sandbox, service));
    const helpersUrl = await helpers.listen(order.host, chain.helpersPort);
    parts.unshift(helpers);
    await service.ready();
    const description = {
      ...service.description,
      ...sandbox.urls,
      ...describeWorld(),
      helpersUrl,
    };
    helpers.describe(description);
    return { description, stop };
  } catch (error) {
    await stop();
    signal.throwIfAborted();
    throw error;
  }
}

interface Ending {
  stop(): Promise<void>;
}

function existing({ accounts, ...chain }: ChainBelow): Below {
  const { lane1, swapOwner, curator, keeper1, treasury, feeCollector } = accounts;
  return {
    ...chain,
    world: {
      accounts: {
        lane1: keyOf(lane1),
        swapOwner: keyOf(swapOwner),
        curator: keyOf(curator),
        keeper1: keyOf(keeper1),
        treasury: keyOf(treasury),
        feeCollector: keyOf(feeCollector),
      },
    },
  };
}

function keyOf({ address, privateKey }: DevAccount): KeyedAccount {
  return { address: BigInt(address), privateKey: BigInt(privateKey) };
}

/** Returns the chain and the external services of the sandbox, as settings for the service. */
function belowOf({ urls }: DevChain): Below {
  const { nodeUrl: rpcUrl, aggregatorUrl, bridgeUrl, rewardsUrl } = urls;
  const { lane1, swapOwner, curator, keeper1, treasury, feeCollector } = sandboxWorld.accounts;
  return {
    rpcUrl,
    aggregatorUrl,
    bridgeUrl,
    rewardsUrl,
    networkProfile: fileOf('sandbox.json'),
    world: { accounts: { lane1, swapOwner, curator, keeper1, treasury, feeCollector } },
  };
}
