import { z } from 'zod';

/** One JSON-RPC call of a client. Unknown members are forwarded unchanged. */
export const Call = z.looseObject({
  method: z.string(),
  id: z.unknown().optional(),
  params: z.unknown().optional(),
});
export type Call = z.infer<typeof Call>;

/** Call that the proxy itself makes. */
export type OwnCall = Pick<Call, 'method' | 'params'>;

/** One JSON-RPC reply. Only the members that faults change are parsed. */
export const Reply = z.looseObject({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Reply = z.infer<typeof Reply>;

/**
 * Calls of a request body. The list has no entries if the body is not JSON-RPC; the target must
 * reject such a body.
 */
export interface CallBody {
  readonly isBatch: boolean;
  readonly calls: readonly Call[];
}

export function readCalls(body: Buffer): CallBody {
  const parsed = parseJson(body);
  const isBatch = Array.isArray(parsed);
  const calls = (isBatch ? parsed : [parsed]).map((item) => Call.safeParse(item));
  // If an item of a batch is no call, the whole batch is forwarded unchanged.
  return {
    isBatch,
    calls: calls.every(({ success }) => success) ? calls.flatMap(({ data }) => data ?? []) : [],
  };
}

/**
 * Returns the JSON-RPC replies of a body; undefined if the body contains none, for example an HTML
 * page.
 */
export function readReplies(body: Buffer): readonly Reply[] | undefined {
  const parsed = parseJson(body);
  return z.array(Reply).safeParse(Array.isArray(parsed) ? parsed : [parsed]).data;
}

/** Returns true if the reply has the id of the call. */
export function answers(reply: Reply, call: Call): boolean {
  return JSON.stringify(reply.id) === JSON.stringify(call.id);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
