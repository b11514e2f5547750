import { MerkleTree, noteOf, type Note } from '@sotto/wallet/advanced';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { u256ToHalves } from '@sotto/kernel';
import type { ContractCall, ContractEvent, DevnetChain, Outcome } from './devnet-chain.js';
import { DENOMINATION, PoolOnDevnet, restated } from './pool-on-devnet.js';
import { provenCalldata } from './withdrawal-proofs.js';

/** Address that receives the fees. */
export const RELAYER = 0xfeen;
export const FEE = 400n;
export const SOLD = DENOMINATION - FEE;
/** Price of a sat in the output token's smallest unit. */
export const RATE = 300n;
export const BOUGHT = SOLD * RATE;

const threeNotes = (series: bigint): readonly [Note, Note, Note] => [
  noteOf(series, 1n),
  noteOf(series + 10n, 2n),
  noteOf(series + 20n, 3n),
];
const commitmentsOf = (notes: readonly Note[]): readonly bigint[] =>
  notes.map(({ commitment }) => commitment);
/**
 * Three notes that are deposited in one batch. `outputs` contains the output notes of their swaps.
 */
export const inputs = threeNotes(1n);
export const outputs = threeNotes(2n);

const WHOLE = 10n ** 12n;
const vector = await loadWithdrawalVector();

/** Parameters of a swap, as the pool encodes them. */
export interface Swap {
  readonly proof: readonly bigint[];
  readonly commitment: bigint;
  readonly outputToken: bigint;
  readonly minimum: bigint;
  readonly exchange: bigint;
}

/**
 * Swap pool owned by the chain's owner, with its input pool, its router and an exchange for one
 * output token.
 */
export class SwapsOnDevnet {
  private constructor(
    private readonly chain: DevnetChain,
    readonly inputPool: PoolOnDevnet,
    readonly address: bigint,
    readonly outputToken: bigint,
    readonly exchange: bigint,
  ) {}

  static async deploy(
    chain: DevnetChain,
    developmentAllowsRespending = false,
  ): Promise<SwapsOnDevnet> {
    const { owner } = chain;
    const inputPool = await PoolOnDevnet.deploy(chain, { developmentAllowsRespending });
    for (const { commitment } of inputs) await inputPool.deposit(commitment);
    const outputToken = await chain.deploy('Erc20', {
      name: 'Ether',
      symbol: 'ETH',
      decimals: 18,
      minter: owner,
    });
    const exchange = await chain.deploy('Exchange', { owner, feeBps: 0 });
    const router = await chain.deploy('Router', { owner });
    const verifier = await chain.deploy('UncheckedGroth16Verifier', {});
    const wbtc = inputPool.token;
    const address = await chain.deploy('SwapPool', {
      owner,
      wbtc,
      router,
      maxFeeBps: 500,
      verifier,
      developmentAllowsRespending,
    });
    await chain.send(
      {
        contract: outputToken,
        entrypoint: 'mint',
        calldata: [exchange, ...u256ToHalves(100n * BOUGHT)],
      },
      { contract: router, entrypoint: 'set_exchange', calldata: [exchange, 1n] },
    );
    const swaps = new SwapsOnDevnet(chain, inputPool, address, outputToken, exchange);
    await swaps.setRate({ sellAmount: 1n, buyAmount: RATE });
    return swaps;
  }

  async setRate({
    sellAmount,
    buyAmount,
  }: {
    readonly sellAmount: bigint;
    readonly buyAmount: bigint;
  }): Promise<void> {
    const rate = [...u256ToHalves(sellAmount), ...u256ToHalves(buyAmount)];
    await this.chain.send({
      contract: this.exchange,
      entrypoint: 'set_rate',
      calldata: [this.inputPool.token, this.outputToken, ...rate],
    });
  }

  /**
   * Returns the calldata of a withdrawal that pays an input note to the swap pool. The development
   * verifier accepts this calldata as a proof.
   */
  restatedProof({ nullifierHash }: Note = inputs[0]): readonly bigint[] {
    const { root } = MerkleTree.of(commitmentsOf(inputs));
    const terms = {
      recipient: this.address,
      relayer: RELAYER,
      fee: FEE,
      batchStart: 0n,
      batchSize: 3n,
    };
    return restated(vector.calldata.map(BigInt), { root, nullifierHash, ...terms });
  }

  /** Returns a real proof that pays the first input note to the swap pool. */
  realProof(): Promise<readonly bigint[]> {
    const terms = {
      recipient: this.address,
      relayer: RELAYER,
      feeAmount: FEE,
      batchStart: 0,
      batchSize: 3,
    };
    return provenCalldata({ note: inputs[0], leaves: commitmentsOf(inputs), ...terms });
  }

  /**
   * Returns the call that swaps the first input note into the first output note. The minimum output
   * is the expected output.
   */
  swapCall(changes: Partial<Swap> = {}): ContractCall {
    const { outputToken, exchange } = this;
    const { commitment } = outputs[0];
    const swap: Swap = {
      proof: this.restatedProof(),
      commitment,
      outputToken,
      minimum: BOUGHT,
      exchange,
      ...changes,
    };
    const route = [this.inputPool.token, swap.outputToken, swap.exchange, WHOLE, 0n];
    return {
      contract: this.address,
      entrypoint: 'private_swap',
      calldata: [
        this.inputPool.address,
        ...swap.proof,
        ...u256ToHalves(swap.commitment),
        swap.outputToken,
        ...u256ToHalves(swap.minimum),
        1n,
        ...route,
      ],
    };
  }

  swap(changes: Partial<Swap> = {}): Promise<Outcome> {
    return this.chain.send(this.swapCall(changes));
  }

  /** @param calldata calldata of a proof, with its length felt */
  withdraw(calldata: readonly bigint[]): Promise<Outcome> {
    return this.chain.send({ contract: this.address, entrypoint: 'withdraw', calldata });
  }

  setPaused(paused: boolean): Promise<Outcome> {
    return this.chain.send({
      contract: this.address,
      entrypoint: 'set_paused',
      calldata: [paused ? 1n : 0n],
    });
  }

  view(entrypoint: string, ...calldata: readonly bigint[]): Promise<readonly bigint[]> {
    return this.chain.view({ contract: this.address, entrypoint, calldata });
  }

  async outputBalance(account: bigint): Promise<bigint> {
    const [low = 0n] = await this.chain.view({
      contract: this.outputToken,
      entrypoint: 'balance_of',
      calldata: [account],
    });
    return low;
  }

  /** Returns the events that the swap pool itself emitted, without events of other contracts. */
  events({ events }: Outcome): readonly Omit<ContractEvent, 'from'>[] {
    return events
      .filter(({ from }) => from === this.address)
      .map(({ keys, data }) => ({ keys, data }));
  }
}

/** Returns the tree of the first `size` output notes. */
export function outputTree(size: number): MerkleTree {
  return MerkleTree.of(commitmentsOf(outputs.slice(0, size)));
}
