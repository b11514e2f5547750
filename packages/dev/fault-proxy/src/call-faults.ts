import { z } from 'zod';
import type { CallFault } from './faults.js';
import type { Call, OwnCall, Reply } from './json-rpc.js';

/** Asks the target one call. */
export type Ask = (call: OwnCall) => Promise<Reply>;

/** What becomes of one call. */
export interface CallPlan {
  /** What the target gets in its place; undefined for nothing. */
  readonly forward: Call | undefined;
  /** What the client hears, from what the target has said (undefined when it was not asked). */
  readonly answer: (reply: Reply | undefined) => Promise<Reply> | Reply;
}

const Height = z.int().nonnegative();
const Head = z.object({ block_hash: z.string(), block_number: Height });

/** Plans the fault of a call that it fits. */
export async function planCall(fault: CallFault, call: Call, ask: Ask): Promise<CallPlan> {
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
          Height.parse((await ask({ method: 'starknet_blockNumber', params: [] })).result) -
            fault.blocksBehind,
        ),
      );
    case 'deliver-twice':
      return {
        forward: call,
        answer: async (first) => {
          const second = await ask(call);
          return fault.answer === 'second' || first === undefined
            ? { ...second, id: call.id }
            : first;
        },
      };
  }
}

/** The call as a node answers it that has seen no newer block. */
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
 * Tags that move with the chain. Only block ids are such words: felts are hex, and flags are
 * others.
 */
const NEWEST: ReadonlySet<unknown> = new Set(['latest', 'pre_confirmed', 'pending']);
const BLOCK_MEMBERS: ReadonlySet<string> = new Set(['block_id', 'from_block', 'to_block']);

/**
 * Parameters by place or by name, with every moving block id fixed. A filter of events has its ends
 * one level down.
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

/** Changes a result, and leaves an error as it is. */
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
