import { mkdirSync, mkdtempSync, rmSync, cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  startDev,
  startService,
  type ExistingChain,
  type Running,
  type ServiceDescription,
  type ServiceOptions,
} from '@sotto/dev';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import type { Environment } from '../arguments.js';
import { say } from '../console.js';
import { devnetSite } from '../sites/devnet-site.js';
import type { RunningSite, World, WorldAccount } from '../sites/site.js';
import type { Sites } from '../sites/sites.js';
import { TokenFiles, type TokensInShell } from './tokens.js';
import { fileURLToPath } from 'node:url';

/**
 * Copies the wallet's page to a folder, and adds the key of the account that pays the deposits of
 * this page.
 * @returns the folder from which the service serves the page
 */
function writeWalletPage(folder: string, { accounts }: World): string {
  const page = join(folder, 'wallet-page');
  const built = new URL('.', import.meta.resolve('@sotto/wallet-page/page/index.html'));
  cpSync(fileURLToPath(built), page, { recursive: true });
  const { address, privateKey } = accounts.depositor;
  const given = {
    depositor: { address: toFelt(address), privateKey: toFelt(privateKey) },
    recipient: toFelt(accounts.recipient3.address),
  };
  writeFileSync(join(page, 'accounts.json'), JSON.stringify(given));
  return page;
}

/** Settings of one run of the demonstration. */
interface StackSettings {
  /** True to run on starknet-devnet instead of the sandbox. */
  readonly devnet: boolean;
  /** Port of the service. 0 selects a free port. */
  readonly port: number;
  /** Folder in which this run creates a subfolder for its ledger and logs. */
  readonly stateFolder: string;
  /** True if the keeper acts on every subject, not only on the subjects of the demonstration. */
  readonly keeperAll: boolean;
  /** Environment of the caller, from which settings are passed to the service. */
  readonly given: Environment;
  /** Signal that aborts the start. */
  readonly signal: AbortSignal;
}

/** The chain and the service that uses the chain. */
interface Parts {
  readonly chain: Omit<Sites, 'baseUrl' | 'curatorToken' | 'operatorToken' | 'keeperAll'>;
  readonly service: ServiceDescription & Running;
  /** Process of the chain, which must be stopped after the service. */
  readonly beneath: Beneath;
}

/** Process of the chain that the service depends on. */
interface Beneath {
  readonly ended: Promise<string>;
  /**
   * @param keep true if the files of the process must remain for inspection; false if they are
   *   removed
   */
  stop(keep: boolean): Promise<void>;
}

/** Processes of one run of the demonstration. */
export class Stack {
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly parts: Parts,
    private readonly tokenFiles: TokenFiles,
    private readonly keeperAll: boolean,
  ) {}

  /**
   * Starts all processes. Resolves when the service accepts withdrawals.
   * @throws PortTaken, DevnetMissing, or Error with a message for users; all processes are stopped
   *   then
   */
  static async start({ devnet, given, ...settings }: StackSettings): Promise<Stack> {
    const { stateFolder, keeperAll } = settings;
    if (!devnet) say('starting the sandbox chain');
    const options = { ...settings, settings: given, onProgress: say };
    const parts = await (devnet ? onDevnet(options) : onSandbox(options));
    const tokenFiles = TokenFiles.write(parts.service.credentials, stateFolder);
    return new Stack(parts, tokenFiles, keeperAll);
  }

  /** Addresses and API tokens of all parts. */
  get sites(): Sites {
    const { chain, service } = this.parts;
    return {
      ...chain,
      baseUrl: service.serviceUrl,
      curatorToken: service.credentials.curator.token,
      operatorToken: service.credentials.operator.token,
      keeperAll: this.keeperAll,
    };
  }

  get tokensInShell(): TokensInShell {
    return this.tokenFiles.inShell;
  }

  get serviceLog(): string {
    return this.parts.service.serviceLog;
  }

  /**
   * Resolves with the name of the first process that ends, if neither `stop` nor `abandon` was
   * called before.
   */
  async failed(): Promise<string> {
    const { service, beneath } = this.parts;
    const name = await Promise.race([service.ended, beneath.ended]);
    if (this.#stopping !== undefined) return new Promise(() => {});
    return name;
  }

  /** Stops all processes, the service first, and removes this run's files. */
  stop(): Promise<void> {
    return this.#end(false);
  }

  /** Stops all processes, the service first, and leaves ledger and logs for inspection. */
  abandon(): Promise<void> {
    return this.#end(true);
  }

  #end(keep: boolean): Promise<void> {
    const { service, beneath } = this.parts;
    // The service is stopped first: it needs the chain to complete its submissions in flight.
    this.#stopping ??= service.stop({ keep }).then(() => beneath.stop(keep));
    this.tokenFiles.remove();
    return this.#stopping;
  }
}

async function onSandbox(options: ServiceOptions): Promise<Parts> {
  const folder = folderIn(options, 'wallet-');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const dev = await startDev(withWallet(options, folder, sandboxWorld)).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    service: dev,
    beneath: { ended: new Promise(() => {}), stop: async () => remove() },
    chain: {
      ...dev,
      world: sandboxWorld,
      rpcUrl: dev.nodeUrl,
      mintWbtc: (owner, sats) => dev.fund({ address: toFelt(owner), token: 'WBTC', amount: sats }),
    },
  };
}

async function onDevnet(options: ServiceOptions): Promise<Parts> {
  const folder = folderIn(options, 'devnet-');
  const site = await devnetSite(folder);
  try {
    const service = await startService(chainOf(site), withWallet(options, folder, site.world));
    const stop = async (keep: boolean): Promise<void> => {
      await site.stop();
      if (!keep) rmSync(folder, { recursive: true });
    };
    return { service, beneath: { ended: site.ended, stop }, chain: site };
  } catch (error) {
    await site.stop();
    throw error;
  }
}

function folderIn({ stateFolder = '.' }: ServiceOptions, prefix: string): string {
  const parent = resolve(stateFolder);
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, prefix));
}

/**
 * Writes the wallet's page to this run's folder, and adds the path of the page to the service's
 * settings.
 */
function withWallet(options: ServiceOptions, folder: string, world: World): ServiceOptions {
  const settings = { ...options.settings, WALLET_PAGE: writeWalletPage(folder, world) };
  return { ...options, settings };
}

/** Converts a devnet site to the chain that the service's start expects. */
function chainOf({ world, ...site }: RunningSite): ExistingChain {
  const { lane1, swapOwner, curator, keeper1, treasury, feeCollector } = world.accounts;
  return {
    rpcUrl: site.rpcUrl,
    networkProfile: site.networkProfile,
    aggregatorUrl: site.aggregatorUrl,
    bridgeUrl: site.bridgeUrl,
    rewardsUrl: site.rewardsUrl,
    accounts: {
      lane1: textOf(lane1),
      swapOwner: textOf(swapOwner),
      curator: textOf(curator),
      keeper1: textOf(keeper1),
      treasury: textOf(treasury),
      feeCollector: textOf(feeCollector),
    },
  };
}

function textOf({ address, privateKey }: WorldAccount) {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}
