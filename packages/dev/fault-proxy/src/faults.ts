import { z } from 'zod';
import type { Call } from './json-rpc.js';

const Milliseconds = z.int().nonnegative();
const Blocks = z.int().positive();
const Hex = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'expected 0x-prefixed hex');

/**
 * Fault of a request. A fault of the first list affects the whole HTTP request. A fault of the
 * second list affects only the calls that match the order.
 *
 * - `drop-before`: the connection breaks before the delivery.
 * - `accept-and-drop-answer`: the request is delivered, then the connection breaks.
 * - `accept-and-hang`: the request is delivered, and no response is sent. The connection stays
 *   open.
 * - `answer-late`: the request is delivered immediately, and the response is sent after `delayMs`.
 * - `arrive-late`: the request is delivered after `delayMs`, even if the client has disconnected.
 * - `cut-answer`: the request is delivered. The connection breaks after the first half of the
 *   response body.
 * - `html`: the request is not delivered. The response is an HTML page, by default with HTTP 502.
 * - `rate-limited`: the request is not delivered. The response is HTTP 429, with a Retry-After
 *   header if seconds are given.
 *
 * - `refuse`: the call is not delivered. The reply is an RPC error.
 * - `stale`: the call is executed at the block that is `blocksBehind` below the newest accepted
 *   block. This block replaces `latest` and `pre_confirmed`, and is reported as the newest block.
 *   Statuses and receipts of transactions do not change.
 * - `wrong-chain-id`: `starknet_chainId` returns another chain id.
 * - `old-nonce`: `starknet_getNonce` returns a nonce reduced by `behind`, at least 0. @default 1
 * - `answer`: the reply contains `result` in place of the node's result.
 * - `deliver-twice`: a transaction is delivered twice in a row. The client receives the first or
 *   the second reply, as `answer` selects.
 */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop-before') }),
  z.strictObject({ kind: z.literal('accept-and-drop-answer') }),
  z.strictObject({ kind: z.literal('accept-and-hang') }),
  z.strictObject({ kind: z.literal('answer-late'), delayMs: Milliseconds }),
  z.strictObject({ kind: z.literal('arrive-late'), delayMs: Milliseconds }),
  z.strictObject({ kind: z.literal('cut-answer') }),
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional() }),
  z.strictObject({
    kind: z.literal('rate-limited'),
    retryAfterSeconds: z.int().nonnegative().optional(),
  }),
  z.strictObject({
    kind: z.literal('refuse'),
    code: z.int(),
    message: z.string().optional(),
    data: z.json().optional(),
  }),
  z.strictObject({ kind: z.literal('stale'), blocksBehind: Blocks }),
  z.strictObject({ kind: z.literal('wrong-chain-id'), chainId: Hex }),
  z.strictObject({ kind: z.literal('old-nonce'), behind: Blocks.optional() }),
  z.strictObject({ kind: z.literal('answer'), result: z.json() }),
  z.strictObject({ kind: z.literal('deliver-twice'), answer: z.enum(['first', 'second']) }),
]);
export type Fault = z.infer<typeof Fault>;

/** Faults that affect single calls of a request. */
export type CallFault = Extract<
  Fault,
  { kind: 'refuse' | 'stale' | 'wrong-chain-id' | 'old-nonce' | 'answer' | 'deliver-twice' }
>;
export type RequestFault = Exclude<Fault, CallFault>;

/** Order to apply a fault to the next matching HTTP requests. */
export const FaultOrder = z.strictObject({
  /** Names of RPC methods, or `*` for every method that the fault can affect. */
  method: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  fault: Fault,
  /**
   * Restricts the fault to calls whose parameters contain this felt, for example a transaction
   * hash. If several felts are given, a call must contain all of them, for example an address and a
   * selector.
   * @default any call
   */
  naming: z.union([Hex, z.array(Hex).min(1)]).optional(),
  /**
   * Number of HTTP requests to which the fault applies; a batch is one request. With `always`, the
   * fault applies until the faults are cleared.
   * @default 1
   */
  times: z.union([z.int().positive(), z.literal('always')]).optional(),
});
export type FaultOrder = z.infer<typeof FaultOrder>;

export function isCallFault(fault: Fault): fault is CallFault {
  switch (fault.kind) {
    case 'refuse':
    case 'stale':
    case 'wrong-chain-id':
    case 'old-nonce':
    case 'answer':
    case 'deliver-twice':
      return true;
    case 'drop-before':
    case 'accept-and-drop-answer':
    case 'accept-and-hang':
    case 'answer-late':
    case 'arrive-late':
    case 'cut-answer':
    case 'html':
    case 'rate-limited':
      return false;
  }
}

/** Returns true if the order's method, fault and felts match the call. */
export function fits(
  { method: wanted, fault, naming }: FaultOrder,
  { method, params }: Pick<Call, 'method' | 'params'>,
): boolean {
  const methods = typeof wanted === 'string' ? [wanted] : wanted;
  if (!methods.includes('*') && !methods.includes(method)) return false;
  const felts = typeof naming === 'string' ? [naming] : (naming ?? []);
  if (!felts.every((felt) => names(params, BigInt(felt)))) return false;
  switch (fault.kind) {
    case 'wrong-chain-id':
      return method === 'starknet_chainId';
    case 'old-nonce':
      return method === 'starknet_getNonce';
    case 'deliver-twice':
      return method.startsWith('starknet_add');
    case 'stale':
      return !method.startsWith('starknet_add');
    case 'answer':
    case 'refuse':
    case 'drop-before':
    case 'accept-and-drop-answer':
    case 'accept-and-hang':
    case 'answer-late':
    case 'arrive-late':
    case 'cut-answer':
    case 'html':
    case 'rate-limited':
      return true;
  }
}

/** Returns true if the value contains the felt as hex text. */
function names(value: unknown, felt: bigint): boolean {
  if (typeof value === 'string') return Hex.safeParse(value).success && BigInt(value) === felt;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => names(member, felt))
  );
}

/** Queue of fault orders, oldest first. */
export class FaultQueue {
  #waiting: readonly { readonly order: FaultOrder; readonly left: number }[] = [];

  add(order: FaultOrder): void {
    const { times = 1 } = order;
    this.#waiting = [...this.#waiting, { order, left: times === 'always' ? Infinity : times }];
  }

  clear(): void {
    this.#waiting = [];
  }

  /**
   * Returns the oldest order that matches one of these calls, and reduces the order's remaining
   * uses by one.
   */
  take(calls: readonly Call[]): FaultOrder | undefined {
    const found = this.#waiting.find(({ order }) => calls.some((call) => fits(order, call)));
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== found) return [each];
      return each.left > 1 ? [{ ...each, left: each.left - 1 }] : [];
    });
    return found?.order;
  }
}
