import { z } from 'zod';
import type { Call } from './json-rpc.js';

const Milliseconds = z.int().nonnegative();
const Blocks = z.int().positive();
const Hex = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'expected 0x-prefixed hex');

/**
 * What goes wrong with a request, on purpose. The first group strikes the whole HTTP request, the
 * second one only those calls of it that the order fits.
 *
 * - `drop-before`: the connection breaks, nothing is delivered.
 * - `accept-and-drop-answer`: delivered, then the connection breaks.
 * - `accept-and-hang`: delivered, never answered; the connection stays open.
 * - `answer-late`: delivered at once, answered after `delayMs`.
 * - `arrive-late`: delivered after `delayMs`, whatever the client does in the meantime.
 * - `cut-answer`: delivered; the connection breaks after the first half of the answer's body.
 * - `html`: not delivered, answered with an HTML page, by default with HTTP 502.
 * - `rate-limited`: not delivered, answered with HTTP 429, with a Retry-After header when seconds
 *   are given.
 *
 * - `refuse`: not delivered, answered with an RPC error.
 * - `stale`: answered as of `blocksBehind` blocks before the newest accepted one: `latest` and
 *   `pre_confirmed` become that block, and
 *   the questions for the newest block name it. Statuses and receipts of transactions are answered
 *   as they are.
 * - `wrong-chain-id`: `starknet_chainId` answers another chain.
 * - `old-nonce`: `starknet_getNonce` answers `behind` less, never below 0. @default 1
 * - `answer`: `result` in place of the node's own result.
 * - `deliver-twice`: a transaction is delivered twice, one after the other; the client hears the
 *   `answer` to one of them.
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

/** Faults of the second group: of single calls. */
export type CallFault = Extract<
  Fault,
  { kind: 'refuse' | 'stale' | 'wrong-chain-id' | 'old-nonce' | 'answer' | 'deliver-twice' }
>;
export type RequestFault = Exclude<Fault, CallFault>;

/** A fault for the next HTTP requests that fit. */
export const FaultOrder = z.strictObject({
  /** Names of RPC methods, or `*` for any that the fault can strike. */
  method: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  fault: Fault,
  /**
   * Only calls in whose parameters this felt stands, for example one transaction's hash; of several
   * felts, all of them, for example a contract's address and the selector of an entry point.
   * @default any
   */
  naming: z.union([Hex, z.array(Hex).min(1)]).optional(),
  /**
   * How many HTTP requests it strikes, a batch being one; `always` until the faults are cleared.
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

/** Whether a call is what the order waits for. */
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

/** Whether the felt stands as hex text somewhere in a value. */
function names(value: unknown, felt: bigint): boolean {
  if (typeof value === 'string') return Hex.safeParse(value).success && BigInt(value) === felt;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => names(member, felt))
  );
}

/** Orders that wait for their requests, oldest first. */
export class FaultQueue {
  #waiting: readonly { readonly order: FaultOrder; readonly left: number }[] = [];

  add(order: FaultOrder): void {
    const { times = 1 } = order;
    this.#waiting = [...this.#waiting, { order, left: times === 'always' ? Infinity : times }];
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The oldest order that fits one of these calls. It counts as used once. */
  take(calls: readonly Call[]): FaultOrder | undefined {
    const found = this.#waiting.find(({ order }) => calls.some((call) => fits(order, call)));
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== found) return [each];
      return each.left > 1 ? [{ ...each, left: each.left - 1 }] : [];
    });
    return found?.order;
  }
}
