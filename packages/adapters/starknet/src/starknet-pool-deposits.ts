import { u256FromHalves, type Felt } from '@sotto/kernel';
import type { PoolDeposit, PoolDeposits } from '@sotto/relayer-core';
import { z } from 'zod';
import { BATCH_DEPLOYED, BatchDeployed } from './batch-deployed.js';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { receiptOf, type ReceiptEvent } from './receipt.js';
import { selectorOf } from './selectors.js';
import { WireFelt, WireU128, WireU32, WireU64 } from './wire.js';

/**
 * `Deposit { #[key] commitment: u256, leaf_index: u32, timestamp: u64 }`; the first key names the
 * event.
 */
const DepositEvent = z
  .object({ keys: z.tuple([WireFelt, WireU128, WireU128]), data: z.tuple([WireU32, WireU64]) })
  .transform(({ keys: [, low, high], data: [leafIndex] }) => ({
    commitment: u256FromHalves(low, high),
    leafIndex,
  }));

/**
 * Reads the events of one pool from receipts, pre-confirmed ones too. Events of other contracts are
 * not looked at, whatever they claim.
 */
export class StarknetPoolDeposits implements PoolDeposits {
  constructor(private readonly node: StarknetNode) {}

  async depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null> {
    const receipt = await receiptOf(this.node, transactionHash);
    if (receipt === null) return null;
    const own = receipt.events.filter(({ from_address: from }) => from === pool);
    const deposit = only(named(own, selectorOf('Deposit')), DepositEvent);
    return deposit === null
      ? null
      : { ...deposit, batch: only(named(own, BATCH_DEPLOYED), BatchDeployed) };
  }
}

function named(events: readonly ReceiptEvent[], name: Felt): readonly ReceiptEvent[] {
  return events.filter(({ keys: [first] }) => first === name);
}

/** @throws NodeMalformedAnswer for more than one, or one that is laid out otherwise */
function only<T>([event, ...others]: readonly ReceiptEvent[], layout: z.ZodType<T>): T | null {
  if (event === undefined) return null;
  const parsed = layout.safeParse(event);
  if (others.length > 0 || !parsed.success)
    throw new NodeMalformedAnswer({ message: 'the pool returned an impossible deposit event' });
  return parsed.data;
}
