import { z } from 'zod';
import type { CallFault } from './faults.js';
import type { Call, OwnCall, Reply } from './json-rpc.js';

/** Function that sends a call of the proxy itself to the target. */
export type Ask = (call: OwnCall) => Promise<Reply>;

/** Treatment of one call: which call is sent to the target, and which reply the client gets. */
export interface CallPlan {
  /** Call that is sent to the target in place of the client's call; undefined if none is sent. */
  readonly forward: Call | undefined;
  /**
   * Computes the client's reply from the target's reply. The argument is undefined if no call was
   * sent to the target.
   */
  readonly answer: (reply: Reply | undefined) => Promise<Reply> | Reply;
}

const Height = z.int().nonnegative();
const Head = z.object({ block_hash: z.string(), block_number: Height });

/** Plans the delivery and the reply of a call that a fault affects. */
export async function planCall(fault: CallFault, call: Call, query: Ask): Promise<CallPlan> {
  switch (fault.kind) {
    case 'refuse': {
      const { code, message = 'Refused on purpose', data } = fault;
      const error = { code, message, ...(data !== undefined && { data }) };
      return { forward: undefined, answer: () => ({ jsonrpc: '2.0', id: call.id ?? null, error }) };
    }
    case 'wrong-chain-id':
      return { forward: call, answer: changing(() => fault.chainId) };
    case 'answer':
      return { forward: call, answer: changing(() => fault.result) };
    case 'old-nonce':
      return { forward: call, answer: changing((nonce) => older(nonce, fault.behind)) };
    case 'stale':
      return planStale(
        call,
        Math.max(
          0,
          Height.parse((await query({ method: 'starknet_blockNumber', params: [] })).result) -
            fault.blocksBehind,
        ),
      );
    case 'deliver-twice':
      return {
        forward: call,
        answer: async (first) => {
          const second = await query(call);
          return fault.answer === 'second' || first === undefined
            ? { ...second, id: call.id }
            : first;
        },
      };
  }
}

/** Plans the reply of a node whose newest block has the number `height`. */
function planStale(call: Call, height: number): CallPlan {
  const block = { block_number: height };
  switch (call.method) {
    case 'starknet_blockNumber':
      return { forward: call, answer: changing(() => height) };
    case 'starknet_blockHashAndNumber': {
      const forward = { ...call, method: 'starknet_getBlockWithTxHashes', params: [block] };
      return { forward, answer: changing((result) => Head.parse(result)) };
    }
    default:
      return {
        forward: { ...call, params: atBlock(call.params, block) },
        answer: changing((result) => result),
      };
  }
}

/**
 * Block tags whose block changes as the chain grows. Other parameters never have these values:
 * felts are hex, and flags have other names.
 */
const NEWEST: ReadonlySet<unknown> = new Set(['latest', 'pre_confirmed', 'pending']);
const BLOCK_MEMBERS: ReadonlySet<string> = new Set(['block_id', 'from_block', 'to_block']);

/**
 * Replaces every block tag in the parameters, which may be passed by position or by name. In an
 * event filter, the block ids are one level deeper.
 */
function atBlock(params: unknown, block: object): unknown {
  if (Array.isArray(params))
    return params.map((value) => (NEWEST.has(value) ? block : membersAtBlock(value, block)));
  const fixed = membersAtBlock(params, block);
  if (!isRecord(fixed)) return fixed;
  return Object.fromEntries(
    Object.entries(fixed).map(([name, value]) => [name, membersAtBlock(value, block)]),
  );
}

function membersAtBlock(value: unknown, block: object): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      BLOCK_MEMBERS.has(name) && NEWEST.has(member) ? block : member,
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a function that changes the result of a reply. Error replies stay unchanged. */
function changing(change: (result: unknown) => unknown): CallPlan['answer'] {
  return (reply) => {
    if (reply === undefined) throw new Error('the target did not answer this call');
    return reply.error === undefined ? { ...reply, result: change(reply.result) } : reply;
  };
}

function older(nonce: unknown, behind = 1): string {
  const present = BigInt(z.string().parse(nonce));
  const past = present - BigInt(behind);
  return `0x${(past > 0n ? past : 0n).toString(16)}`;
}
