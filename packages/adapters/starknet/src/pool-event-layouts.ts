import { u256FromHalves } from '@sotto/kernel';
import type { DeployedLeaves, SwapDeposit } from '@sotto/relayer-core';
import { z } from 'zod';
import { selectorOf } from './selectors.js';
import { WireFelt, WireU128, WireU32, WireU64 } from './wire.js';

// The first key of an event is the selector of the event's name.

export const DEPOSIT = selectorOf('Deposit');
export const BATCH_DEPLOYED = selectorOf('BatchDeployed');
export const SWAP_DEPOSIT = selectorOf('SwapDeposit');

/**
 * Layout `Deposit { #[key] commitment: u256, leaf_index: u32, timestamp: u64 }`; `timestamp` is the
 * block timestamp.
 */
export const Deposit = z
  .object({
    keys: z.tuple([WireFelt.refine((name) => name === DEPOSIT), WireU128, WireU128]),
    data: z.tuple([WireU32, WireU64]),
  })
  .transform(({ keys: [, low, high], data: [leafIndex, time] }) => ({
    commitment: u256FromHalves(low, high),
    leafIndex,
    timeSeconds: Number(time),
  }));

/**
 * Layout `BatchDeployed { #[key] batch_id: u32, start_index: u32, size: u32, amount: u256, shares:
 * u256 }`.
 */
export const BatchDeployed = z
  .object({
    keys: z.tuple([WireFelt.refine((name) => name === BATCH_DEPLOYED), WireU32]),
    data: z.tuple([WireU32, WireU32, WireU128, WireU128, WireU128, WireU128]),
  })
  .transform(({ keys: [, id], data: [start, size] }): DeployedLeaves => ({ id, start, size }));

/**
 * Layout `SwapDeposit { #[key] commitment: u256, leaf_index: u32, output_token, output_amount:
 * u256, timestamp: u64 }`.
 */
export const SwapDepositEvent = z
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
