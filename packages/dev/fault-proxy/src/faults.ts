import { z } from 'zod';
import type { Call } from './json-rpc.js';

const Milliseconds = z.int().nonnegative();
const Blocks = z.int().positive();
const Hex = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'expected 0x-prefixed hex');

/**
 * Fault of a request. The first group affects the whole HTTP request, the second one only those of
 * its calls that match the order.
 *
 * - `drop-before`: the connection breaks, nothing is delivered.
 * - `accept-and-drop-answer`: delivered, then the connection breaks.
 * - `accept-and-hang`: delivered, never answered; the connection stays open.
 * - `answer-late`: delivered at once, answered after `delayMs`.
 * - `arrive-late`: delivered after `delayMs`, even if the client has disconnected.
 * - `cut-answer`: delivered; the connection breaks after the first half of the answer's body.
 * - `html`: not delivered, answered with an HTML page, by default with HTTP 502.
 * - `rate-limited`: not delivered, answered with HTTP 429, with a Retry-After header if seconds are
 *   given.
 *
 * - `refuse`: not delivered, answered with an RPC error.
 * - `stale`: answered at the block that is `blocksBehind` below the newest accepted one. This block
 *   replaces `latest` and `pre_confirmed`, and is reported as the newest block. Statuses and
 *   receipts of transactions do not change.
 * - `wrong-chain-id`: `starknet_chainId` returns another chain id.
 * - `old-nonce`: `starknet_getNonce` returns `behind` less, at least 0. @default 1
 * - `answer`: `result` instead of the node's result.
 * - `deliver-twice`: a transaction is delivered twice in a row; the client receives the `answer` to
 *   one of them.
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

/** Faults of the second group, which affect single calls. */
export type CallFault = Extract<
  Fault,
  { kind: 'refuse' | 'stale' | 'wrong-chain-id' | 'old-nonce' | 'answer' | 'deliver-twice' }
>;
export type RequestFault = Exclude<Fault, CallFault>;

/** Fault for the next matching HTTP requests. */
export const FaultOrder = z.strictObject({
  /** Names of RPC methods, or `*` for all that the fault can affect. */
  method: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  fault: Fault,
  /**
   * Restricts the fault to calls whose parameters contain this felt, for example a transaction
   * hash. With several felts, all must be present, for example a contract's address and a selector.
   * @default any call
   */
  naming: z.union([Hex, z.array(Hex).min(1)]).optional(),
  /**
   * Number of HTTP requests that get the fault, where a batch counts as one. `always` lasts until
   * the faults are cleared.
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

/** Returns true if the order matches the call. */
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

  /** Returns the oldest order that matches one of these calls, and counts one use of it. */
  take(calls: readonly Call[]): FaultOrder | undefined {
    const found = this.#waiting.find(({ order }) => calls.some((call) => fits(order, call)));
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== found) return [each];
      return each.left > 1 ? [{ ...each, left: each.left - 1 }] : [];
    });
    return found?.order;
  }
}
