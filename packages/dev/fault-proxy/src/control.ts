import { z } from 'zod';
import type { Counters } from './counters.js';
import { FaultOrder } from './faults.js';
import { Route } from './routes.js';

/** What tests do with a running proxy. */
export interface FaultControl {
  /**
   * Queues a fault for the next fitting requests; the oldest one that fits strikes, and one request
   * is struck by one fault.
   * @throws ZodError
   */
  addFault(order: FaultOrder): void;
  /** Forgets the faults that have not struck yet. */
  clearFaults(): void;
  /**
   * Puts one more node behind the same address. It gets no requests before a {@link route}.
   * @returns its number
   * @throws TypeError for a target that is no URL
   */
  addReplica(target: string): number;
  /**
   * Chooses the target of each HTTP request from now on. At first everything goes to target 0.
   * @throws ZodError, RangeError for a target that does not exist
   */
  route(route: Route): void;
  counters(): Counters;
  resetCounters(): void;
}

/**
 * The control interface over HTTP: one JSON object with an `action`, its members named as the
 * methods of {@link FaultControl} name them.
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

/** The action is unknown or its members are wrong. */
export class OrderRefused extends Error {}

/**
 * Performs one action from its JSON text.
 * @returns what the method returns
 * @throws OrderRefused with a text that says what is wrong
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
