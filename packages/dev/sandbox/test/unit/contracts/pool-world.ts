import { isDeepStrictEqual } from 'node:util';
import { UNLIMITED_ALLOWANCE, erc20, mintTokens } from '../../../src/contracts/erc20.js';
import type { PublicInputs } from '../../../src/contracts/proof.js';
import { shieldedPool, type ShieldedPoolOptions } from '../../../src/contracts/shielded-pool.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { groth16Verifier } from '../../../src/contracts/verifier.js';
import { TestChain, fromU256, u256 } from './harness.js';
import { forge, toCalldata, trapdoorKey } from './trapdoor.js';

export const POOL = 0x9001n;
export const TOKEN = 0x70n;
export const RELAYER = 0x4e1an;
export const FEE_ADDRESS = 0xfeen;
export const DEPOSITOR = 0xde9n;
export const RECIPIENT = 0x4ec1n;
export const STRANGER = 0x57an;
export const DENOMINATION = 20_000n;
export const NULLIFIER_HASH = 2n ** 250n + 1n;

/**
 * Terms of the tested pool. The verification key has a known trapdoor, so any statement can be
 * proved.
 */
export const TERMS: ShieldedPoolOptions = {
  token: TOKEN,
  denomination: DENOMINATION,
  maxFeeBps: 500,
  relayers: [RELAYER],
  verifyProof: groth16Verifier(trapdoorKey),
};

/** Public inputs that replace the inputs of a valid withdrawal. */
export interface StatementChanges {
  readonly root?: bigint;
  readonly nullifierHash?: bigint;
  readonly recipient?: bigint;
  readonly relayer?: bigint;
  readonly fee?: bigint;
  readonly batchStart?: bigint;
  readonly batchSize?: bigint;
}

/** Pool and its token on a separate chain, with a depositor who has approved the pool. */
export class PoolWorld {
  readonly chain = new TestChain();

  constructor(changes: Partial<ShieldedPoolOptions> = {}) {
    const tokens: Record<string, bigint> = {};
    mintTokens(recordStorage(tokens), DEPOSITOR, 1_000_000n);
    this.chain.deploy(TOKEN, erc20({ name: 'Wrapped BTC', symbol: 'WBTC', decimals: 8 }), tokens);
    this.chain.deploy(POOL, shieldedPool({ ...TERMS, ...changes }));
    this.chain.call(DEPOSITOR, TOKEN, 'approve', [POOL, ...u256(UNLIMITED_ALLOWANCE)]);
  }

  /** Calls a view of the pool that returns a number. */
  read(entrypoint: string, ...calldata: bigint[]): bigint {
    return fromU256(this.chain.call(0n, POOL, entrypoint, calldata));
  }

  balance(owner: bigint): bigint {
    return fromU256(this.chain.call(0n, TOKEN, 'balance_of', [owner]));
  }

  /**
   * Returns the number of all deposits, the number of waiting deposits and the number of active
   * deposits.
   */
  counts(): bigint[] {
    return ['total_deposits', 'undeployed_count', 'active_deposits'].map((view) => this.read(view));
  }

  stage(key: string, value: bigint): void {
    this.chain.storageOf(POOL).set(key, value);
  }

  deposit(commitment: bigint): bigint[] {
    return this.chain.call(RELAYER, POOL, 'deposit', [...u256(commitment), DEPOSITOR]);
  }

  depositMany(count: number): void {
    for (let index = 0; index < count; index += 1)
      this.deposit(1_000n + this.read('total_deposits'));
  }

  deploy(entrypoint: string, count: bigint): bigint[] {
    return this.chain.call(RELAYER, POOL, entrypoint, [count]);
  }

  /**
   * Returns the calldata of a withdrawal with a valid proof for these public inputs, even if the
   * statement is false.
   */
  proofOf(changes: StatementChanges = {}): bigint[] {
    const inputs: Required<StatementChanges> = {
      root: this.read('get_last_root'),
      nullifierHash: NULLIFIER_HASH,
      recipient: RECIPIENT,
      relayer: FEE_ADDRESS,
      fee: 150n,
      batchStart: 0n,
      batchSize: 3n,
      ...changes,
    };
    const ordered: PublicInputs = [
      inputs.root,
      inputs.nullifierHash,
      inputs.recipient,
      inputs.relayer,
      inputs.fee,
      inputs.batchStart,
      inputs.batchSize,
    ];
    return toCalldata(forge(ordered));
  }

  withdraw(changes: StatementChanges = {}): bigint[] {
    return this.send(this.proofOf(changes));
  }

  send(calldata: readonly bigint[]): bigint[] {
    return this.chain.call(STRANGER, POOL, 'withdraw', calldata);
  }

  /** Runs `attempt`, which must revert without changing the state, and returns the revert text. */
  reverted(attempt: () => unknown): string {
    const before = this.#snapshot();
    try {
      attempt();
    } catch (error) {
      if (!isDeepStrictEqual(this.#snapshot(), before))
        throw new Error('the reverted call left something behind', { cause: error });
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error('the call did not revert');
  }

  #snapshot(): unknown {
    return [
      new Map(this.chain.storageOf(POOL)),
      new Map(this.chain.storageOf(TOKEN)),
      this.chain.events.length,
    ];
  }
}
