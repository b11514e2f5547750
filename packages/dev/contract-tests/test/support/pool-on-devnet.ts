import { u256ToHalves } from '@sotto/kernel';
import type { ContractCall, ContractEvent, DevnetChain, Outcome } from './devnet-chain.js';

export const DENOMINATION = 20_000n;
/**
 * Maximum number of deposits per transaction. More deposits would exceed the steps that the virtual
 * machine allows.
 */
const DEPOSITS_AT_ONCE = 7;

interface PoolOptions {
  readonly autoDeploy?: boolean;
  readonly developmentAllowsRespending?: boolean;
  readonly maxFeeBps?: number;
}

/** Names of a proof's public inputs. Each input is two felts of the calldata. */
const INPUTS = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const;
const INPUTS_AT = 34;

/**
 * Returns the calldata with some public inputs replaced. The development verifier accepts the
 * result as a valid proof.
 */
export function restated(
  calldata: readonly bigint[],
  changes: Partial<Record<(typeof INPUTS)[number], bigint>>,
): bigint[] {
  const felts = [...calldata];
  for (const [index, name] of INPUTS.entries()) {
    const value = changes[name];
    if (value !== undefined) felts.splice(INPUTS_AT + 2 * index, 2, ...u256ToHalves(value));
  }
  return felts;
}

/**
 * Pool of WBTC with the development verifier. The chain's owner is the pool's relayer, has WBTC and
 * has approved the pool.
 */
export class PoolOnDevnet {
  private constructor(
    private readonly chain: DevnetChain,
    readonly address: bigint,
    readonly token: bigint,
  ) {}

  static async deploy(
    chain: DevnetChain,
    { autoDeploy = true, developmentAllowsRespending = false, maxFeeBps = 500 }: PoolOptions = {},
  ): Promise<PoolOnDevnet> {
    const { owner } = chain;
    const token = await chain.deploy('Erc20', {
      name: 'Wrapped BTC',
      symbol: 'WBTC',
      decimals: 8,
      minter: owner,
    });
    const verifier = await chain.deploy('UncheckedGroth16Verifier', {});
    const address = await chain.deploy('ShieldedPool', {
      owner,
      token,
      denomination: DENOMINATION,
      maxFeeBps,
      verifier,
      relayers: [owner],
      autoDeploy,
      developmentAllowsRespending,
    });
    const lots = u256ToHalves(100n * DENOMINATION);
    await chain.send(
      { contract: token, entrypoint: 'mint', calldata: [owner, ...lots] },
      { contract: token, entrypoint: 'approve', calldata: [address, ...lots] },
    );
    return new PoolOnDevnet(chain, address, token);
  }

  deposit(commitment: bigint): Promise<Outcome> {
    return this.chain.send(this.#depositOf(commitment));
  }

  /**
   * Deposits the commitments in transactions of the maximum size. @throws Error if a transaction
   * reverts
   */
  async depositAll(commitments: readonly bigint[]): Promise<void> {
    for (let start = 0; start < commitments.length; start += DEPOSITS_AT_ONCE) {
      const calls = commitments
        .slice(start, start + DEPOSITS_AT_ONCE)
        .map((commitment) => this.#depositOf(commitment));
      const { revertReason } = await this.chain.send(...calls);
      if (revertReason !== undefined) throw new Error(revertReason);
    }
  }

  /** @param calldata calldata of a proof, with its length felt */
  withdraw(calldata: readonly bigint[]): Promise<Outcome> {
    return this.send('withdraw', calldata);
  }

  send(entrypoint: string, calldata: readonly bigint[] = []): Promise<Outcome> {
    return this.chain.send({ contract: this.address, entrypoint, calldata });
  }

  sendAsStranger(entrypoint: string, calldata: readonly bigint[] = []): Promise<Outcome> {
    return this.chain.sendAsStranger({ contract: this.address, entrypoint, calldata });
  }

  /** Calls a view and returns its number, which may be a u256. */
  async number(entrypoint: string, calldata: readonly bigint[] = []): Promise<bigint> {
    const [low = 0n, high = 0n] = await this.chain.view({
      contract: this.address,
      entrypoint,
      calldata,
    });
    return low + (high << 128n);
  }

  /** Calls a view with a u256 argument and returns its boolean result. */
  async says(entrypoint: string, value: bigint): Promise<boolean> {
    return (await this.number(entrypoint, u256ToHalves(value))) === 1n;
  }

  /** Returns three numbers: the undeployed deposits, the active deposits, and the pool's assets. */
  counts(): Promise<readonly bigint[]> {
    return Promise.all(
      ['undeployed_count', 'active_deposits', 'total_assets'].map((view) => this.number(view)),
    );
  }

  async balanceOf(account: bigint): Promise<bigint> {
    const [low = 0n] = await this.chain.view({
      contract: this.token,
      entrypoint: 'balanceOf',
      calldata: [account],
    });
    return low;
  }

  /** Returns the events that the pool itself emitted, without events of other contracts. */
  events({ events }: Outcome): readonly Omit<ContractEvent, 'from'>[] {
    return events
      .filter(({ from }) => from === this.address)
      .map(({ keys, data }) => ({ keys, data }));
  }

  #depositOf(commitment: bigint): ContractCall {
    return {
      contract: this.address,
      entrypoint: 'deposit',
      calldata: [...u256ToHalves(commitment), this.chain.owner],
    };
  }
}
