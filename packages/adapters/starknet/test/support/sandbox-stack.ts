import {
  NodeClient,
  oneNode,
  shortStringFelt,
  type SendingNodes,
  type StarknetNode,
} from '@sotto/adapter-starknet';
import { feltToBigInt, type Felt } from '@sotto/kernel';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import type { GasPrices } from '@sotto/submission-core';
import {
  ChainStack,
  type ChainCapabilities,
  type Deposits,
  type FaultOrder,
  type StagedMarket,
  type StagedPrice,
} from './chain-stack.js';
import type { ChainWorld } from './chain-world.js';
import { BLOCKS_BEHIND, NodePair, type FirstNode } from './node-pair.js';
import { withdrawal } from './withdrawal.js';
import { TIMEOUTS } from './settings.js';

export const SANDBOX_CAPABILITIES: ChainCapabilities = { mempool: true, renamesBlocks: true };

/** Development stack on the sandbox. */
export class SandboxStack extends ChainStack {
  readonly world: ChainWorld = sandboxWorld;
  readonly capabilities = SANDBOX_CAPABILITIES;
  readonly url: string;
  readonly wsUrl: string;
  readonly node: StarknetNode;
  readonly sending: SendingNodes;
  protected readonly client: NodeClient;

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly pair: NodePair | null,
  ) {
    super();
    this.url = sandbox.rpcUrl;
    this.wsUrl = sandbox.wsUrl;
    this.client = new NodeClient({ url: sandbox.rpcUrl, ...TIMEOUTS });
    this.node = pair?.set ?? this.client;
    this.sending = pair?.set ?? oneNode(this.client);
  }

  /**
   * @param first condition of the first of two nodes; if it is omitted, the stack has a single node
   */
  static async start(deposits?: Deposits, first?: FirstNode): Promise<SandboxStack> {
    const genesis = buildGenesis({ verificationKey: withdrawal.verificationKey });
    const sandbox = await startSandbox({ genesis, cadence: 'manual' });
    const pair = first === undefined ? null : await NodePair.over(sandbox.rpcUrl, first);
    const stack = new SandboxStack(sandbox, pair);
    if (deposits !== undefined) await stack.deposit(deposits);
    if (pair !== null) {
      // The first node can only be behind if the chain already has blocks.
      await stack.mine(BLOCKS_BEHIND);
      await pair.begin();
    }
    return stack;
  }

  async preConfirm(): Promise<void> {
    this.sandbox.control.advance('candidate');
    this.sandbox.control.advance('pre_confirmed');
  }

  async mine(blocks = 1): Promise<number> {
    return this.sandbox.control.mine(blocks);
  }

  async setGasPrices({ l2GasFri, l1GasFri, l1DataGasFri }: Partial<GasPrices>): Promise<void> {
    this.sandbox.control.setGasPrices({
      ...(l2GasFri !== undefined && { l2Gas: l2GasFri }),
      ...(l1GasFri !== undefined && { l1Gas: l1GasFri }),
      ...(l1DataGasFri !== undefined && { l1DataGas: l1DataGasFri }),
    });
    await this.mine();
  }

  async rollback(blocks: number): Promise<void> {
    this.sandbox.control.rollback(blocks, 'vanish');
  }

  async acceptOnL1(): Promise<void> {
    this.sandbox.control.acceptOnL1();
  }

  async makeUnreadable(felt: Felt): Promise<void> {
    this.sandbox.control.unreadable(feltToBigInt(felt));
  }

  async passTime(seconds: number): Promise<void> {
    this.sandbox.control.moveClock(seconds * 1_000);
  }

  async impoverish(account: Felt): Promise<void> {
    this.sandbox.control.setStorage(
      sandboxWorld.tokens.STRK.address,
      `balance:${account.slice(2)}`,
      1n,
    );
  }

  async setPrice(pair: string, price: StagedPrice | undefined): Promise<void> {
    const id = shortStringFelt(pair).slice(2);
    const slots = {
      price: price?.usdE8 ?? 0n,
      decimals: price === undefined ? 0n : 8n,
      timestamp: BigInt(Math.floor((price?.observedAtMs ?? 0) / 1_000)),
      sources: price === undefined ? 0n : 5n,
      live: 0n,
    };
    for (const [slot, value] of Object.entries(slots))
      this.sandbox.control.setStorage(sandboxWorld.oracle, `${slot}:${id}`, value);
  }

  async setLendingMarket(pool: Felt, market: StagedMarket): Promise<void> {
    this.sandbox.control.setLendingMarket(feltToBigInt(pool), market);
  }

  async pauseSwapPool(): Promise<void> {
    this.sandbox.control.setStorage(sandboxWorld.swapPool.address, 'paused', 1n);
  }

  addFault(order: FaultOrder): void {
    this.sandbox.control.addFault(order);
  }

  counters(): ReturnType<ChainStack['counters']> {
    return this.sandbox.control.counters();
  }

  resetCounters(): void {
    this.sandbox.control.resetCounters();
  }

  async breakDown(): Promise<void> {
    await this.sandbox.stop();
  }

  protected async end(): Promise<void> {
    await this.pair?.stop();
    await this.sandbox.stop();
  }

  protected async firstNonce(): Promise<bigint> {
    return 0n;
  }
}
