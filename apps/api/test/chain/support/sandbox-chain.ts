import { readFileSync } from 'node:fs';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import { ChainClient } from './chain-client.js';
import {
  ChainUnderTest,
  type ChainCapabilities,
  type ChainStart,
  type ExchangeRate,
} from './chain-under-test.js';
import type { PoolKey } from './chain-world.js';

export const SANDBOX_CAPABILITIES: ChainCapabilities = { mempool: true, metersGas: false };

/** Block times in milliseconds: short, but long enough to observe every state. */
const CADENCE = { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 };

/** Chain on the sandbox, which is the node of this project. */
export class SandboxChain extends ChainUnderTest {
  readonly world = sandboxWorld;
  readonly capabilities = SANDBOX_CAPABILITIES;
  /** Network profile for the sandbox that is released with the service. */
  readonly profile: object = JSON.parse(
    readFileSync(new URL('../../../profiles/sandbox.json', import.meta.url), 'utf8'),
  );
  readonly neighbours;
  readonly client: ChainClient;

  private constructor(private readonly sandbox: Sandbox) {
    super();
    const { aggregatorUrl, rewardsUrl, control } = sandbox;
    this.neighbours = { aggregatorUrl, rewardsUrl, aggregator: control.aggregator };
    this.client = new ChainClient(
      sandbox.rpcUrl,
      sandboxWorld.chainId,
      Object.values(sandboxWorld.accounts),
    );
  }

  static async start({
    verificationKey,
    blockMs = CADENCE.blockMs,
  }: ChainStart): Promise<SandboxChain> {
    const cadence = { ...CADENCE, blockMs };
    return new SandboxChain(
      await startSandbox({ genesis: buildGenesis({ verificationKey }), cadence }),
    );
  }

  async hold(): Promise<void> {
    this.sandbox.control.pause();
  }

  async release(): Promise<void> {
    this.sandbox.control.resume();
  }

  async mine(): Promise<void> {
    this.sandbox.control.mine();
  }

  async setAutoDeploy(pool: PoolKey, on: boolean): Promise<void> {
    this.sandbox.control.setStorage(
      sandboxWorld.pools[pool].address,
      'auto_deploy_off',
      on ? 0n : 1n,
    );
  }

  async setPaused(contract: bigint, paused: boolean): Promise<void> {
    this.sandbox.control.setStorage(contract, 'paused', paused ? 1n : 0n);
  }

  async mintWbtc(owner: bigint, sats: bigint): Promise<void> {
    this.sandbox.control.mint(owner, sats, sandboxWorld.tokens.WBTC.address);
  }

  async setRate({ sell, buy, sellAmount, buyAmount }: ExchangeRate): Promise<void> {
    this.sandbox.control.aggregator.setRate({
      sellToken: sell,
      buyToken: buy,
      sellAmount,
      buyAmount,
    });
  }

  async setInterest(lendingPool: bigint, rateE18: bigint): Promise<void> {
    this.sandbox.control.setLendingInterest(lendingPool, sandboxWorld.tokens.USDC.address, rateE18);
  }

  async setGasPrices({
    l2GasFri,
    l1DataGasFri,
  }: {
    readonly l2GasFri: bigint;
    readonly l1DataGasFri: bigint;
  }): Promise<void> {
    this.sandbox.control.setGasPrices({ l2Gas: l2GasFri, l1DataGas: l1DataGasFri });
    this.sandbox.control.mine(2);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.sandbox.stop();
  }

  protected async preConfirm(): Promise<void> {
    this.sandbox.control.advance('candidate');
    this.sandbox.control.advance('pre_confirmed');
  }
}
