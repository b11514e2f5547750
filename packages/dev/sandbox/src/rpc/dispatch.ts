import { z } from 'zod';
import { SpecError } from '../engine/spec-error.js';
import type { Json, JsonObject } from '../json.js';
import { InvalidParams, type Method, type MethodContext } from './method.js';
import { blockMethods } from './methods/blocks.js';
import { eventMethods } from './methods/events.js';
import { nodeMethods } from './methods/node.js';
import { simulationMethods } from './methods/simulation.js';
import { stateMethods } from './methods/state.js';
import { traceMethods } from './methods/traces.js';
import { transactionMethods } from './methods/transactions.js';

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...nodeMethods,
    ...blockMethods,
    ...transactionMethods,
    ...stateMethods,
    ...simulationMethods,
    ...traceMethods,
    ...eventMethods,
  }),
);

/** Well-formed JSON-RPC 2.0 request. A request without an id is a notification. */
export const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
});
export type RpcRequest = z.output<typeof RpcRequest>;

type RpcId = string | number | null;

/** Creates a JSON-RPC 2.0 error reply. */
export function errorReply(id: RpcId, code: number, message: string, data?: Json): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * Executes one request. Returns undefined for a notification, which has no reply.
 * @param method method to call instead of the default method with the request's name
 */
export function dispatch(
  request: RpcRequest,
  context: MethodContext,
  method = METHODS.get(request.method),
): JsonObject | undefined {
  const reply = answer(request, context, method);
  return request.id === undefined ? undefined : reply;
}

function answer(
  { id = null, params }: RpcRequest,
  context: MethodContext,
  method: Method | undefined,
): JsonObject {
  if (method === undefined) return errorReply(id, -32601, 'Method not found');
  try {
    return { jsonrpc: '2.0', id, result: method(params, context) };
  } catch (error) {
    if (error instanceof SpecError) return errorReply(id, error.code, error.message, error.data);
    if (error instanceof InvalidParams)
      return errorReply(id, -32602, 'Invalid params', error.message);
    return errorReply(
      id,
      -32603,
      'Internal error',
      error instanceof Error ? error.message : String(error),
    );
  }
}
