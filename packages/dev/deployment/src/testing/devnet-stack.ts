import { Devnet, type DevnetOptions } from '../devnet/devnet.js';
import type { ContractCall } from '../node/chain-node.js';
import type { KeyedAccount } from '../node/sender.js';
import { RpcChainNode } from '../node/rpc-chain-node.js';
import { StarknetSender } from '../node/starknet-sender.js';
import { u256ToHalves } from '@sotto/kernel';
import {
  deployStack,
  type DeployStackOptions,
  type StackDeployment,
} from '../stack/deploy-stack.js';
import type { DeployedStack } from '../stack/deployed-stack.js';
import { networkProfile } from '../stack/network-profile.js';
import type { TokenSymbol } from '../stack/description.js';

/** Start options of a {@link DevnetStack}. All options have defaults. */
export interface DevnetStackOptions {
  readonly devnet?: DevnetOptions | undefined;
  readonly deployment?: DeployStackOptions | undefined;
}

const ONE_TOKEN = 10n ** 18n;
/** Amounts for accounts and exchanges. Devnet's deployer has a million STRK and a million ETH. */
const FUNDING = {
  strkEachFri: 1_000n * ONE_TOKEN,
  reserves: { STRK: 100_000n * ONE_TOKEN, ETH: 1_000n * ONE_TOKEN },
};

/** Running devnet with the whole development stack. */
export class DevnetStack {
  readonly rpcUrl: string;
  readonly stack: DeployedStack;
  /** Network profile for the service, with the name `devnet`. */
  readonly profile: object;
  readonly #node: RpcChainNode;

  private constructor(
    readonly devnet: Devnet,
    readonly deployment: StackDeployment,
  ) {
    this.rpcUrl = devnet.url;
    this.stack = deployment.stack;
    this.profile = networkProfile('devnet', deployment);
    this.#node = new RpcChainNode(devnet.url);
  }

  /**
   * Resolves when the whole stack is deployed.
   * @throws DevnetMissing if the program is missing (check `findDevnet` first); Error if the start
   *   or the deployment fails
   */
  static async start(options: DevnetStackOptions = {}): Promise<DevnetStack> {
    const devnet = await Devnet.start(options.devnet);
    try {
      const deployment = await DevnetStack.deployOn(devnet, options.deployment);
      const blockGeneration = options.devnet?.blockGeneration ?? 'transaction';
      // Create a block. Otherwise the deployment would remain in an open block, because no later
      // step creates one.
      if (blockGeneration !== 'transaction') await devnet.controls.createBlock();
      return new DevnetStack(devnet, deployment);
    } catch (error) {
      await devnet.stop();
      throw error;
    }
  }

  /**
   * Deploys missing parts of the stack on a running devnet. The deployer is devnet's first account.
   */
  static async deployOn(
    devnet: Devnet,
    options: DeployStackOptions = {},
  ): Promise<StackDeployment> {
    const [deployer] = await devnet.controls.predeployedAccounts();
    if (deployer === undefined) throw new Error('devnet has no account to deploy with');
    return deployStack(devnet.url, deployer, { funding: FUNDING, ...options });
  }

  /**
   * Sends one transaction with these calls. Returns its hash when it has succeeded in a block that
   * is at least pre-confirmed.
   * @throws Error if the transaction is rejected or reverts
   */
  async send(account: KeyedAccount, calls: readonly ContractCall[]): Promise<string> {
    const nonce = await this.#node.nonce(account.address);
    const hash = await new StarknetSender(this.rpcUrl, this.#node, account).invoke(calls, nonce);
    await this.#node.included(hash);
    return hash;
  }

  /** Calls a view in the pre-confirmed state. @throws Error if the call fails */
  async view(call: ContractCall): Promise<readonly bigint[]> {
    const [returned] = await this.#node.views([call]);
    if (returned === undefined) throw new Error(`the chain does not answer ${call.entrypoint}`);
    return returned;
  }

  /** Mints ERC-20 tokens for an owner. The amount is in the token's smallest unit. */
  async mint(symbol: TokenSymbol, owner: bigint, amount: bigint): Promise<void> {
    if (symbol === 'STRK' || symbol === 'ETH') {
      await this.devnet.controls.mint(owner, amount, symbol === 'STRK' ? 'FRI' : 'WEI');
      return;
    }
    const calldata = [owner, ...u256ToHalves(amount)];
    await this.send(this.stack.owner, [
      { contract: this.stack.tokens[symbol].address, entrypoint: 'mint', calldata },
    ]);
  }

  /** Stops devnet and resolves when its process has ended. */
  async stop(): Promise<void> {
    await this.devnet.stop();
  }
}
