import { buildGenesis, type GenesisOptions } from '../../../src/contracts/genesis.js';
import { WHOLE, routesFelts, type Route } from '../../../src/contracts/route.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { TestChain, fromU256, u256 } from './harness.js';
import { forge, toCalldata, trapdoorKey } from './trapdoor.js';

const { accounts, tokens, pools, exchanges, swapPool } = sandboxWorld;
export const ETH = tokens.ETH.address;
export const WBTC = tokens.WBTC.address;
export const INPUT_POOL = pools.swap_input_1.address;
export const COMMITMENT = 0xc0111n;
const FEE_SATS = 400n;
const DEPOSITS = 6n;

/** Properties of a private swap that a test can set. */
export interface SwapChoices {
  readonly caller?: bigint;
  readonly inputPool?: bigint;
  /** Address that receives the input pool's payment. */
  readonly recipient?: bigint;
  readonly inputNullifierHash?: bigint;
  readonly commitment?: bigint;
  readonly outputToken?: bigint;
  readonly minimumOut?: bigint;
  readonly routes?: readonly Route[];
}

/** Public inputs that replace the inputs of a valid withdrawal from the swap pool. */
export interface ClaimChanges {
  readonly root?: bigint;
  readonly nullifierHash?: bigint;
  readonly recipient?: bigint;
  readonly fee?: bigint;
  readonly batchStart?: bigint;
  readonly batchSize?: bigint;
}

export function directTo(buyToken: bigint): Route {
  return {
    sellToken: WBTC,
    buyToken,
    swap: { exchange: exchanges.first.address, percent: WHOLE, params: [] },
  };
}

export function branchTo(buyToken: bigint): Route {
  const principal = { exchange: exchanges.second.address, percent: WHOLE, params: [] };
  const alternative = { exchange: exchanges.first.address, percent: WHOLE, params: [] };
  return { sellToken: WBTC, buyToken, swap: { principal, alternatives: [alternative] } };
}

/**
 * Development genesis with a verification key whose trapdoor is known, and with six deposits in the
 * first input pool.
 */
export class SwapWorld {
  readonly chain = new TestChain();

  constructor(options: Partial<GenesisOptions> = {}) {
    for (const { address, model, storage } of buildGenesis({
      verificationKey: trapdoorKey,
      ...options,
    }).contracts) {
      this.chain.deploy(address, model, storage);
    }
    for (let leaf = 1n; leaf <= DEPOSITS; leaf += 1n) {
      this.chain.call(accounts.lane1.address, INPUT_POOL, 'deposit', [
        ...u256(leaf),
        accounts.crowd1.address,
      ]);
    }
  }

  balance(token: bigint, owner: bigint): bigint {
    return fromU256(this.chain.call(0n, token, 'balance_of', [owner]));
  }

  /** Calls a view of the swap pool that returns a number. */
  read(entrypoint: string, ...calldata: bigint[]): bigint {
    return fromU256(this.chain.call(0n, swapPool.address, entrypoint, calldata));
  }

  stage(key: string, value: bigint): void {
    this.chain.storageOf(swapPool.address).set(key, value);
  }

  /** Sends a private swap with a valid input proof. */
  swap(choices: SwapChoices = {}): bigint[] {
    const {
      caller = accounts.swapOwner.address,
      inputPool = INPUT_POOL,
      recipient = swapPool.address,
      inputNullifierHash = 77n,
    } = choices;
    const {
      commitment = COMMITMENT,
      outputToken = ETH,
      minimumOut = 1n,
      routes = [directTo(outputToken)],
    } = choices;
    const root = fromU256(this.chain.call(0n, INPUT_POOL, 'get_last_root'));
    const proof = toCalldata(
      forge([root, inputNullifierHash, recipient, accounts.feeCollector.address, FEE_SATS, 0n, 3n]),
    );
    return this.chain.call(caller, swapPool.address, 'private_swap', [
      inputPool,
      ...proof,
      ...u256(commitment),
      outputToken,
      ...u256(minimumOut),
      ...routesFelts(routes),
    ]);
  }

  claimProof(changes: ClaimChanges = {}): bigint[] {
    const {
      root = this.read('get_last_root'),
      nullifierHash = 99n,
      recipient = accounts.recipient1.address,
      fee = 0n,
    } = changes;
    const { batchStart = 0n, batchSize = 1n } = changes;
    return toCalldata(
      forge([
        root,
        nullifierHash,
        recipient,
        accounts.feeCollector.address,
        fee,
        batchStart,
        batchSize,
      ]),
    );
  }

  /** Sends a withdrawal from the swap pool with a valid proof. */
  claim(changes: ClaimChanges = {}): bigint[] {
    return this.chain.call(
      accounts.lane2.address,
      swapPool.address,
      'withdraw',
      this.claimProof(changes),
    );
  }

  /**
   * Runs `attempt`, which must revert without changing the swap pool and the output tokens, and
   * returns the revert text.
   */
  reverted(attempt: () => unknown): string {
    const before = this.#snapshot();
    try {
      attempt();
    } catch (error) {
      if (this.#snapshot() !== before)
        throw new Error('the reverted call left something behind', { cause: error });
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error('the call did not revert');
  }

  #snapshot(): string {
    const storages = [swapPool.address, INPUT_POOL, ETH, WBTC].map((address) => [
      ...this.chain.storageOf(address),
    ]);
    return storages.flat().join('\n');
  }
}
