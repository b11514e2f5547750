import { createSottoClient, type SottoClient } from '@sotto/client';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './notes.js';
import { Stack, type StackOptions } from './stack.js';

const { pools, tokens, accounts } = sandboxWorld;
const inputPool = pools.swap_input_1;
const BTC_USD_E8 = 10_000_000_000_000n;

export const SWAP_FEE = 400n;
export const SOLD_SATS = inputPool.denomination - SWAP_FEE;
/**
 * Amount of ETH, in wei, that the aggregator quotes for the amount of one note at the sandbox's
 * prices.
 */
export const QUOTED = 5_600_000_000_000_000n;
export const SWAP_PAIR = { sellToken: tokens.WBTC.address, buyToken: tokens.ETH.address };

/** Fields of a request that limit the amount that its swap must return. */
export interface Words {
  readonly slippage?: number;
  readonly minAmountOut?: string;
  readonly quoteId?: string;
}

/** Response to a private swap. */
export interface SwapAnswer {
  readonly data?: object | undefined;
  readonly error?: { readonly code: string; readonly details?: object | undefined } | undefined;
  readonly response: Response;
}

/** A service and notes that it swaps into ETH. Tests set the market price. */
export class SwapStage {
  readonly sotto: SottoClient;

  private constructor(
    readonly stack: Stack,
    private readonly inputs: ReturnType<typeof notesOf>,
    private readonly outputs: ReturnType<typeof notesOf>,
  ) {
    this.sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  }

  /** @param notes number of notes in the pool, a multiple of three */
  static async start(notes: number, env: StackOptions['env'] = {}): Promise<SwapStage> {
    const inputs = notesOf(21n, notes);
    const stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env,
      deposit: (chain) => chain.depositInto(inputPool, commitmentsOf(inputs)),
    });
    const stage = new SwapStage(stack, inputs, notesOf(22n, notes));
    await stack.service.ready();
    return stage;
  }

  /** Removes all faults and restores the market prices. */
  async restore(): Promise<void> {
    const { control } = this.stack.chain;
    control.aggregator.clearFaults();
    control.resume();
    await this.moveMarket(1_000n);
  }

  /** Returns calldata of a proof of the note. @param recipient the swap pool by default */
  proofOf(index: number, fee = SWAP_FEE, recipient?: bigint): readonly string[] {
    const note = { notes: this.inputs, index, fee };
    return forgedWithdrawalOf(recipient === undefined ? note : { ...note, recipient });
  }

  swap(index: number, words: Words = {}, proof = this.proofOf(index)): Promise<SwapAnswer> {
    const note = this.outputs[index];
    if (note === undefined) throw new RangeError('there is no such note');
    return this.sotto.POST('/api/relayer/private-swap', {
      body: {
        wbtcPool: addressText(inputPool),
        proofCalldata: [...proof],
        newCommitment: commitmentText(note),
        outputToken: addressText(tokens.ETH),
        ...words,
      },
    });
  }

  setQuote(amount: bigint): void {
    const { aggregator } = this.stack.chain.control;
    aggregator.setRate({ ...SWAP_PAIR, sellAmount: SOLD_SATS, buyAmount: amount });
  }

  /**
   * Sets the aggregator's rate and both market prices of WBTC to this share of their usual values,
   * in thousandths.
   */
  async moveMarket(share: bigint): Promise<void> {
    this.setQuote((QUOTED * share) / 1_000n);
    const { chain } = this.stack;
    chain.setPrice('BTC/USD', { usdE8: (BTC_USD_E8 * share) / 1_000n });
    chain.setPrice('WBTC/USD', { usdE8: (BTC_USD_E8 * share) / 1_000n });
    chain.control.mine();
    await eventually('the price to be known', async () => {
      const { data } = await this.sotto.GET('/api/relayer/fee-estimate');
      return data?.prices.btcUsd === Number(BTC_USD_E8 * share) / 1e11;
    });
  }

  /**
   * Sends a swap and, before the swap is included, lowers the market price below the swap's quote
   * by this share, in thousandths.
   */
  async meetWorsePrice(
    index: number,
    words: Words,
    { quoted, lossMille }: { readonly quoted: bigint; readonly lossMille: bigint },
    proof = this.proofOf(index),
  ): Promise<SwapAnswer> {
    const { chain } = this.stack;
    chain.control.pause();
    const requested = this.swap(index, words, proof);
    await eventually('the swap to be sent', () => chain.waiting(accounts.swapOwner).length === 1);
    this.setQuote((quoted * (1_000n - lossMille)) / 1_000n);
    chain.control.resume();
    return requested;
  }

  async ended(): Promise<void> {
    await eventually('every attempt to end', () =>
      this.stack
        .ledger()
        .attempts.every(({ state }) => state !== 'accepted' && state !== 'broadcast'),
    );
  }
}
