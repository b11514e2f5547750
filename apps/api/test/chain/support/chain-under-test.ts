import { u256ToHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import type { Aggregator } from '@sotto/sandbox';
import type { Call, ChainClient } from './chain-client.js';
import type { ChainWorld, PoolKey, WorldAccount } from './chain-world.js';

/** What a node can be made to show; a case that it can't is shown as skipped. */
export interface ChainCapabilities {
  /** Transactions wait before they are in a block, and may fall out again. */
  readonly mempool: boolean;
  /** An independent implementation of the virtual machine counts the gas. */
  readonly metersGas: boolean;
}

/** Servers beside the chain. */
export interface Neighbours {
  readonly aggregatorUrl: string;
  readonly rewardsUrl: string;
  /** The aggregator's other door. */
  readonly aggregator: Pick<Aggregator, 'addFault' | 'configure' | 'setRate'>;
}

/** So many units of what is sold for so many of what is bought. */
export interface ExchangeRate {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** How a chain stands when a spec begins. */
export interface ChainStart {
  /** What proofs must hold under, where the node checks it. */
  readonly verificationKey: object;
  /** Time between two blocks. @default quick */
  readonly blockMs?: number;
}

/**
 * A chain with the development stack on it, and what others than the service do there: the same for
 * every node.
 */
export abstract class ChainUnderTest {
  abstract readonly world: ChainWorld;
  abstract readonly capabilities: ChainCapabilities;
  /** The service's network profile. */
  abstract readonly profile: object;
  abstract readonly neighbours: Neighbours;
  abstract readonly client: ChainClient;

  /** From now on blocks are made by {@link mine} alone. */
  abstract hold(): Promise<void>;
  /** Blocks are made as transactions come again; so it is at the start. */
  abstract release(): Promise<void>;
  /** Closes a block with all that was sent. */
  abstract mine(): Promise<void>;
  /** Takes what was sent into the open block. */
  protected abstract preConfirm(): Promise<void>;

  /** Whether a pool's third waiting deposit makes a batch; so it does at the start. */
  abstract setAutoDeploy(pool: PoolKey, on: boolean): Promise<void>;
  /** Of a pool, the swap pool or a vault. */
  abstract setPaused(contract: bigint, paused: boolean): Promise<void>;
  /** Gives an owner WBTC out of nothing. */
  abstract mintWbtc(owner: bigint, sats: bigint): Promise<void>;
  /** What the exchanges on the chain give from now on. */
  abstract setRate(rate: ExchangeRate): Promise<void>;
  /** What USDC that is borrowed of a lending pool costs from now on; 1e18 is all of it a second. */
  abstract setInterest(lendingPool: bigint, rateE18: bigint): Promise<void>;
  abstract setGasPrices(prices: {
    readonly l2GasFri: bigint;
    readonly l1DataGasFri: bigint;
  }): Promise<void>;
  abstract stop(): Promise<void>;

  /**
   * The account makes calls, one transaction each. Resolves with their hashes when all have
   * succeeded in the open block or before.
   */
  async act(account: WorldAccount, calls: readonly Call[]): Promise<readonly string[]> {
    const hashes = await this.client.send(account, calls);
    await this.preConfirm();
    for (const hash of hashes) {
      const receipt = await eventually('the transaction to be in a block', () =>
        this.client.receiptOf(hash).catch(() => undefined),
      );
      if (receipt.execution_status !== 'SUCCEEDED')
        throw new Error(`reverted: ${receipt.revert_reason ?? ''}`);
    }
    return hashes;
  }

  /**
   * Makes leaves in a pool by an account that the service does not use; others pay for them.
   * Resolves when they are in closed blocks.
   */
  async deposit(pool: PoolKey, commitments: readonly bigint[]): Promise<readonly string[]> {
    const { accounts, pools } = this.world;
    const hashes = await this.act(
      accounts.lane3,
      commitments.map((commitment) => ({
        to: pools[pool].address,
        entrypoint: 'deposit',
        calldata: [...u256ToHalves(commitment), accounts.crowd1.address],
      })),
    );
    for (const hash of hashes) await this.client.accepted(hash);
    return hashes;
  }

  /** An account that the service does not use relays a withdrawal; resolves with the hash. */
  async relayByAnother(contract: bigint, calldata: readonly string[]): Promise<string> {
    const [hash = ''] = await this.act(this.world.accounts.lane3, [
      { to: contract, entrypoint: 'withdraw', calldata: calldata.map(BigInt) },
    ]);
    return hash;
  }

  /** In sats. */
  async wbtcOf(owner: bigint): Promise<bigint> {
    return this.client.balanceOf(this.world.tokens.WBTC.address, owner);
  }

  async isSpent(pool: PoolKey, nullifierHash: bigint): Promise<boolean> {
    const [spent] = await this.client.view(
      this.world.pools[pool].address,
      'is_spent',
      u256ToHalves(nullifierHash),
    );
    return spent === 1n;
  }
}
