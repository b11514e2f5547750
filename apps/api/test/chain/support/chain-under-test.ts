import { u256ToHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import type { Aggregator } from '@sotto/sandbox';
import type { Call, ChainClient } from './chain-client.js';
import type { ChainWorld, PoolKey, WorldAccount } from './chain-world.js';

/** Features of a node. A test that needs a missing one is shown as skipped. */
export interface ChainCapabilities {
  /** True if transactions wait before they are in a block, and may be dropped. */
  readonly mempool: boolean;
  /** True if an independent implementation of the virtual machine counts the gas. */
  readonly metersGas: boolean;
}

/** Servers next to the chain. */
export interface Neighbours {
  readonly aggregatorUrl: string;
  readonly rewardsUrl: string;
  /** Controls of the aggregator. */
  readonly aggregator: Pick<Aggregator, 'addFault' | 'configure' | 'setRate'>;
}

/** Exchange rate: `sellAmount` units of the sold token for `buyAmount` units of the bought one. */
export interface ExchangeRate {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** Initial state of a chain in a spec. */
export interface ChainStart {
  /** Key that proofs are verified with, if the node verifies them. */
  readonly verificationKey: object;
  /** Time between two blocks, in milliseconds. @default short */
  readonly blockMs?: number;
}

/**
 * A chain with the development stack, and the actions of others than the service on it. The same
 * for every node.
 */
export abstract class ChainUnderTest {
  abstract readonly world: ChainWorld;
  abstract readonly capabilities: ChainCapabilities;
  /** The service's network profile. */
  abstract readonly profile: object;
  abstract readonly neighbours: Neighbours;
  abstract readonly client: ChainClient;

  /** Stops automatic blocks: until {@link release}, only {@link mine} creates them. */
  abstract hold(): Promise<void>;
  /** Creates blocks as transactions arrive, which is the initial state. */
  abstract release(): Promise<void>;
  /** Closes a block with all sent transactions. */
  abstract mine(): Promise<void>;
  /** Includes the sent transactions in the open block. */
  protected abstract preConfirm(): Promise<void>;

  /** Sets whether a pool's third waiting deposit creates a batch, which it does initially. */
  abstract setAutoDeploy(pool: PoolKey, on: boolean): Promise<void>;
  /** Pauses or resumes a pool, the swap pool or a vault. */
  abstract setPaused(contract: bigint, paused: boolean): Promise<void>;
  /** Mints WBTC for an owner. */
  abstract mintWbtc(owner: bigint, sats: bigint): Promise<void>;
  /** Sets the exchange rate of the exchanges on the chain. */
  abstract setRate(rate: ExchangeRate): Promise<void>;
  /** Sets the interest of borrowed USDC in a lending pool; 1e18 is 100 % per second. */
  abstract setInterest(lendingPool: bigint, rateE18: bigint): Promise<void>;
  abstract setGasPrices(prices: {
    readonly l2GasFri: bigint;
    readonly l1DataGasFri: bigint;
  }): Promise<void>;
  abstract stop(): Promise<void>;

  /**
   * Sends each call in a separate transaction of the account. Resolves with the hashes when all
   * have succeeded in the open block or before.
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
   * Deposits leaves in a pool from an account that the service does not use, paid by others.
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

  /** Relays a withdrawal from an account that the service does not use; resolves with the hash. */
  async relayByAnother(contract: bigint, calldata: readonly string[]): Promise<string> {
    const [hash = ''] = await this.act(this.world.accounts.lane3, [
      { to: contract, entrypoint: 'withdraw', calldata: calldata.map(BigInt) },
    ]);
    return hash;
  }

  /** Returns an owner's balance in sats. */
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
