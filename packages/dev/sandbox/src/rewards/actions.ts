import { z } from 'zod';
import { Natural } from '../control/natural.js';
import { HTTP_FAULTS } from '../http/faults.js';
import type { RewardsApi } from './rewards-api.js';

/**
 * Control interface of the rewards interface as JSON. The members of a control command have the
 * names of the parameters of the {@link RewardsApi} methods.
 */

const Fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refuse'), status: z.int().min(200).max(599) }),
  ...HTTP_FAULTS,
]);

const Rate = z.strictObject({ value: Natural, decimals: z.int().nonnegative() });

/** Control command for the rewards interface: the name of a method and its arguments. */
export const RewardsOrder = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('setBtcFiApr'), pool: Natural, rate: Rate.nullable() }),
  z.strictObject({
    action: z.literal('addFault'),
    fault: Fault,
    times: z.int().positive().optional(),
  }),
  z.strictObject({ action: z.literal('clearFaults') }),
  z.strictObject({ action: z.literal('requests') }),
]);

/**
 * Performs a control command and returns the result of the method. @throws RangeError if the
 * command is impossible
 */
export function performRewardsOrder(
  api: RewardsApi,
  order: z.output<typeof RewardsOrder>,
): unknown {
  switch (order.action) {
    case 'setBtcFiApr':
      return api.setBtcFiApr(order.pool, order.rate);
    case 'addFault':
      return api.addFault(order);
    case 'clearFaults':
      return api.clearFaults();
    case 'requests':
      return api.requests();
  }
}
