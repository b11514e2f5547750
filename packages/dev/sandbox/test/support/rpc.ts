import { z } from 'zod';

const Reply = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});

/** JSON-RPC reply with a result or an error. */
export type RpcReply = z.output<typeof Reply>;

/** Sends one request over HTTP and returns the reply's body. */
export async function rpc(url: string, method: string, params: unknown = []): Promise<RpcReply> {
  const response = await postJson(url, { jsonrpc: '2.0', id: 1, method, params });
  return Reply.parse(await response.json());
}

/** Returns the result of a call that must succeed. */
export async function rpcResult(
  url: string,
  method: string,
  params: unknown = [],
): Promise<unknown> {
  const { result, error } = await rpc(url, method, params);
  if (error !== undefined)
    throw new Error(
      `${method} answered ${error.code} ${error.message} ${JSON.stringify(error.data)}`,
    );
  return result;
}

/** Returns the error of a call that must fail. */
export async function rpcError(
  url: string,
  method: string,
  params: unknown = [],
): Promise<RpcReply['error']> {
  const { result, error } = await rpc(url, method, params);
  if (error === undefined) throw new Error(`${method} answered ${JSON.stringify(result)}`);
  return error;
}

/** Posts a JSON body. A string is posted unchanged, without JSON encoding. */
export function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
