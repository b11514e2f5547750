import { toFelt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import type { SwapDeposit, SwapDeposits } from '@sotto/relayer-core';
import { z } from 'zod';
import { receiptOf } from './receipt.js';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { selectorOf } from './selectors.js';
import { callView } from './views.js';
import { ReturnedBool, WireFelt, WireU128, WireU32, WireU64 } from './wire.js';

/**
 * `SwapDeposit { #[key] commitment: u256, leaf_index: u32, output_token, output_amount: u256,
 * timestamp: u64 }`; the first key names the event.
 */
const SwapDepositEvent = z
  .object({
    keys: z.tuple([WireFelt, WireU128, WireU128]),
    data: z.tuple([WireU32, WireFelt, WireU128, WireU128, WireU64]),
  })
  .transform(
    ({
      keys: [, low, high],
      data: [leafIndex, outputToken, amountLow, amountHigh],
    }): SwapDeposit => ({
      commitment: u256FromHalves(low, high),
      leafIndex,
      outputToken,
      outputAmount: u256FromHalves(amountLow, amountHigh),
    }),
  );
const SWAP_DEPOSIT = selectorOf('SwapDeposit');

/**
 * Reads one swap pool: its event from receipts, pre-confirmed ones too (those of other contracts
 * are not looked at, whatever they claim), and its tree.
 */
export class StarknetSwapDeposits implements SwapDeposits {
  constructor(
    private readonly node: StarknetNode,
    private readonly swapPool: Felt,
  ) {}

  async depositOf(transactionHash: Felt): Promise<SwapDeposit | null> {
    const receipt = await receiptOf(this.node, transactionHash);
    if (receipt === null) return null;
    const [event, ...others] = receipt.events.filter(
      ({ from_address: from, keys: [name] }) => from === this.swapPool && name === SWAP_DEPOSIT,
    );
    if (event === undefined) return null;
    const deposit = SwapDepositEvent.safeParse(event);
    if (others.length > 0 || !deposit.success)
      throw new NodeMalformedAnswer({
        message: 'the swap pool returned an impossible deposit event',
      });
    return deposit.data;
  }

  hasCommitment(commitment: bigint): Promise<boolean> {
    const calldata = u256ToHalves(commitment).map((half) => toFelt(half));
    return callView(this.node, {
      contract: this.swapPool,
      entrypoint: 'is_known_commitment',
      calldata,
      result: ReturnedBool,
    });
  }
}
