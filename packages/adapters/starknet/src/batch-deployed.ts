import type { DeployedLeaves } from '@sotto/relayer-core';
import { z } from 'zod';
import { selectorOf } from './selectors.js';
import { WireFelt, WireU128, WireU32 } from './wire.js';

export const BATCH_DEPLOYED = selectorOf('BatchDeployed');

/**
 * `BatchDeployed { #[key] batch_id: u32, start_index: u32, size: u32, amount: u256, shares: u256
 * }`; the first key names the event.
 */
export const BatchDeployed = z
  .object({
    keys: z.tuple([WireFelt.refine((name) => name === BATCH_DEPLOYED), WireU32]),
    data: z.tuple([WireU32, WireU32, WireU128, WireU128, WireU128, WireU128]),
  })
  .transform(({ keys: [, id], data: [start, size] }): DeployedLeaves => ({ id, start, size }));
