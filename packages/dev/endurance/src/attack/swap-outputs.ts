import { toFelt } from '@sotto/kernel';
import type { Service, WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import type { Chain } from '../stack/chain.js';
import { calldataOf } from '../stack/withdrawals.js';
import { nextNote } from './attackers.js';

/**
 * Amount of an output in wei: 0.01 ETH, whose maximum fee is far above the cost of a withdrawal.
 */
const OUTPUT_WEI = 10n ** 16n;
/** Number of leaves in the swap pool's tree that are used for outputs. */
const LEAVES = 900;
const ROOT = 0x5077_0001n;
const KNOWN_ROOTS = 30;
const FIRST_RECIPIENT = 2n ** 250n + 0x71_0000n;
const Required = z.object({ details: z.object({ required: z.string().transform(BigInt) }) });

/** Outputs of private swaps that are written directly to the chain's storage. */
export class SwapOutputs {
  #used = 0;
  #requiredWei = 0n;

  private constructor(private readonly chain: Chain) {}

  /** Fills the swap pool with outputs, and queries the minimum fee of a withdrawal. */
  static async fill(chain: Chain, service: Service): Promise<SwapOutputs> {
    const outputs = new SwapOutputs(chain);
    await outputs.#set('next_index', BigInt(LEAVES));
    await outputs.#set(`root:${LEAVES % KNOWN_ROOTS}`, ROOT);
    await outputs.#set('active_deposits', BigInt(LEAVES));
    await chain.control('mint', {
      owner: toFelt(sandboxWorld.swapPool.address),
      amount: String(OUTPUT_WEI * BigInt(LEAVES)),
      token: toFelt(sandboxWorld.tokens.ETH.address),
    });
    outputs.#requiredWei = 1n;
    const { body } = await outputs.withdrawal(1n);
    const answer = await service.withdraw(body);
    outputs.#requiredWei = Required.parse(answer.body).details.required;
    return outputs;
  }

  /** Minimum fee that the service accepts for the withdrawal of an output, in wei. */
  get requiredWei(): bigint {
    return this.#requiredWei;
  }

  /** Returns the withdrawal of a new output, whose fee is a multiple of the minimum fee. */
  async withdrawal(
    factor: bigint,
  ): Promise<{ readonly body: WithdrawalBody; readonly leafIndex: number }> {
    const leafIndex = this.#used++;
    if (leafIndex >= LEAVES) throw new RangeError('the swap pool has no more outputs');
    const note = nextNote();
    await this.#set(`leaf_token:${leafIndex}`, sandboxWorld.tokens.ETH.address);
    await this.#set(`leaf_amount:${leafIndex}`, OUTPUT_WEI);
    const calldata = calldataOf(note, {
      recipient: FIRST_RECIPIENT + BigInt(note),
      root: ROOT,
      fee: this.#requiredWei * factor,
      batch: { start: BigInt(leafIndex), size: 1 },
    });
    return { body: { poolAddress: toFelt(sandboxWorld.swapPool.address), calldata }, leafIndex };
  }

  async #set(key: string, value: bigint): Promise<void> {
    const address = toFelt(sandboxWorld.swapPool.address);
    await this.chain.control('setStorage', { address, key, value: String(value) });
  }
}
