import { u256ToHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import type { Aggregator } from '@sotto/sandbox';
import type { Call, ChainClient } from './chain-client.js';
import type { ChainWorld, PoolKey, WorldAccount } from './chain-world.js';

/** Features of a node. A test that needs a missing feature is reported as skipped. */
export interface ChainCapabilities {
  /** True if transactions wait before they enter a block, and may be dropped while they wait. */
  readonly mempool: boolean;
  /** True if an independent implementation of the virtual machine measures the gas. */
  readonly metersGas: boolean;
}

/** Servers that a test starts in addition to the chain. */
export interface Neighbours {
  readonly aggregatorUrl: string;
  readonly rewardsUrl: string;
  /** Functions that control the aggregator's behaviour. */
  readonly aggregator: Pick<Aggregator, 'addFault' | 'configure' | 'setRate'>;
}

/**
 * Exchange rate: `sellAmount` units of the sold ERC-20 token are exchanged for `buyAmount` units of
 * the bought token.
 */
export interface ExchangeRate {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** Initial state of the chain that a spec starts. */
export interface ChainStart {
  /** Key with which the node verifies proofs, if it verifies them. */
  readonly verificationKey: object;
  /** Time between two blocks, in milliseconds. @default a short time of the node */
  readonly blockMs?: number;
}

/**
 * Chain with the development stack, and actions of other parties than the service on this chain.
 * The interface is the same for every node.
 */
export abstract class ChainUnderTest {
  abstract readonly world: ChainWorld;
  abstract readonly capabilities: ChainCapabilities;
  /** Network profile that the service uses for this chain. */
  abstract readonly profile: object;
  abstract readonly neighbours: Neighbours;
  abstract readonly client: ChainClient;

  /**
   * Stops the automatic creation of blocks. Until {@link release}, only {@link mine} creates
   * blocks.
   */
  abstract hold(): Promise<void>;
  /** Creates blocks automatically when transactions arrive. A chain starts in this mode. */
  abstract release(): Promise<void>;
  /** Creates a block that contains all sent transactions. */
  abstract mine(): Promise<void>;
  /** Includes the sent transactions in the pre-confirmed block. */
  protected abstract preConfirm(): Promise<void>;

  /**
   * Sets whether the third waiting deposit of a pool creates a batch automatically. When a chain
   * starts, it does so in every pool.
   */
  abstract setAutoDeploy(pool: PoolKey, on: boolean): Promise<void>;
  /** Pauses or resumes a pool, the swap pool or a vault. */
  abstract setPaused(contract: bigint, paused: boolean): Promise<void>;
  /** Mints WBTC for an owner; the amount is in sats. */
  abstract mintWbtc(owner: bigint, sats: bigint): Promise<void>;
  /** Sets the exchange rate of the exchanges that are contracts on the chain. */
  abstract setRate(rate: ExchangeRate): Promise<void>;
  /** Sets the interest rate of borrowed USDC in a lending pool; 1e18 means 100 % per second. */
  abstract setInterest(lendingPool: bigint, rateE18: bigint): Promise<void>;
  abstract setGasPrices(prices: {
    readonly l2GasFri: bigint;
    readonly l1DataGasFri: bigint;
  }): Promise<void>;
  abstract stop(): Promise<void>;

  /**
   * Sends each call in a separate transaction of the account. Resolves with the transaction hashes
   * when all transactions have succeeded in the pre-confirmed block or an earlier block.
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
   * Deposits leaves in a pool. The service uses neither the account that sends the deposits nor the
   * account that pays for them. Resolves when the deposits are in accepted blocks.
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

  /**
   * Relays a withdrawal from an account that the service does not use. Resolves with the
   * transaction hash.
   */
  async relayByAnother(contract: bigint, calldata: readonly string[]): Promise<string> {
    const [hash = ''] = await this.act(this.world.accounts.lane3, [
      { to: contract, entrypoint: 'withdraw', calldata: calldata.map(BigInt) },
    ]);
    return hash;
  }

  /** Returns the WBTC balance of an owner, in sats. */
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
