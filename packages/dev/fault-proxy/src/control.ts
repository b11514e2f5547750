import { z } from 'zod';
import type { Counters } from './counters.js';
import { FaultOrder } from './faults.js';
import { Route } from './routes.js';

/** Control interface of a running proxy. */
export interface FaultControl {
  /**
   * Queues a fault for the next matching requests. The oldest matching fault applies, and each
   * request gets at most one.
   * @throws ZodError
   */
  addFault(order: FaultOrder): void;
  /** Removes the queued faults. */
  clearFaults(): void;
  /**
   * Adds a node behind the same address, without requests until a {@link route} selects it.
   * @returns number of the node
   * @throws TypeError if the target is not a URL
   */
  addReplica(target: string): number;
  /**
   * Selects the target of each HTTP request from now on. Initially target 0 gets all requests.
   * @throws ZodError, RangeError if a target does not exist
   */
  route(route: Route): void;
  counters(): Counters;
  resetCounters(): void;
}

/**
 * Action of the control interface over HTTP: a JSON object with an `action`. The other members are
 * named as in {@link FaultControl}.
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

/** Error for an unknown action or invalid members. */
export class OrderRefused extends Error {}

/**
 * Performs one action from its JSON text.
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
