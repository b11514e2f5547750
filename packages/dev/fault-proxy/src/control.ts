import { z } from 'zod';
import type { Counters } from './counters.js';
import { FaultOrder } from './faults.js';
import { Route } from './routes.js';

/** Control interface of a running proxy. */
export interface FaultControl {
  /**
   * Queues a fault for the next matching requests. If several faults match a request, only the
   * oldest one applies.
   * @throws ZodError
   */
  addFault(order: FaultOrder): void;
  /** Removes all queued faults. */
  clearFaults(): void;
  /**
   * Adds a node behind the same address. The node receives no requests until a {@link route}
   * selects it.
   * @returns number of the node
   * @throws TypeError if the target is not a URL
   */
  addReplica(target: string): number;
  /**
   * Sets the rule that selects the target of each later HTTP request. Initially, target 0 receives
   * all requests.
   * @throws ZodError, RangeError if a target does not exist
   */
  route(route: Route): void;
  counters(): Counters;
  resetCounters(): void;
}

/**
 * Request body of the control interface: a JSON object with an `action`. The other members have the
 * names of the parameters in {@link FaultControl}.
 */
const Action = z.discriminatedUnion('action', [
  FaultOrder.extend({ action: z.literal('addFault') }),
  z.strictObject({ action: z.literal('clearFaults') }),
  z.strictObject({
    action: z.literal('addReplica'),
    target: z.url({ protocol: /^https?$/ }),
  }),
  z.strictObject({ action: z.literal('route'), route: Route }),
  z.strictObject({ action: z.literal('counters') }),
  z.strictObject({ action: z.literal('resetCounters') }),
]);

/** Error of a request with an unknown action or invalid members. */
export class OrderRefused extends Error {}

/**
 * Parses the JSON text of one action and calls the method of {@link FaultControl}.
 * @returns the result of the method
 * @throws OrderRefused if the action is invalid, with the reason
 */
export function performAction(control: FaultControl, text: string): unknown {
  const order = parseAction(text);
  switch (order.action) {
    case 'addFault': {
      const { action: _action, ...fault } = order;
      return control.addFault(fault);
    }
    case 'clearFaults':
      return control.clearFaults();
    case 'addReplica':
      return control.addReplica(order.target);
    case 'route':
      return followed(control, order.route);
    case 'counters':
      return control.counters();
    case 'resetCounters':
      return control.resetCounters();
  }
}

function followed(control: FaultControl, route: Route): void {
  try {
    control.route(route);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OrderRefused(error.message);
  }
}

function parseAction(text: string): z.infer<typeof Action> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new OrderRefused('the body is no JSON');
  }
  const parsed = Action.safeParse(body);
  if (!parsed.success) throw new OrderRefused(z.prettifyError(parsed.error));
  return parsed.data;
}
