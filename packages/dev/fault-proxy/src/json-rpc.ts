import { z } from 'zod';

/** One call of a client. Other members are passed on unchanged. */
export const Call = z.looseObject({
  method: z.string(),
  id: z.unknown().optional(),
  params: z.unknown().optional(),
});
export type Call = z.infer<typeof Call>;

/** Call made by the proxy. */
export type OwnCall = Pick<Call, 'method' | 'params'>;

/** One reply. Only the members that faults change are parsed. */
export const Reply = z.looseObject({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Reply = z.infer<typeof Reply>;

/** Calls of a body; empty if it is not JSON-RPC, which the target must reject. */
export interface CallBody {
  readonly isBatch: boolean;
  readonly calls: readonly Call[];
}

export function readCalls(body: Buffer): CallBody {
  const parsed = parseJson(body);
  const isBatch = Array.isArray(parsed);
  const calls = (isBatch ? parsed : [parsed]).map((item) => Call.safeParse(item));
  // A body with other items is passed on unchanged.
  return {
    isBatch,
    calls: calls.every(({ success }) => success) ? calls.flatMap(({ data }) => data ?? []) : [],
  };
}

/** Returns the replies of a body; undefined if it has none, for example a page or plain text. */
export function readReplies(body: Buffer): readonly Reply[] | undefined {
  const parsed = parseJson(body);
  return z.array(Reply).safeParse(Array.isArray(parsed) ? parsed : [parsed]).data;
}

/** Returns true if the reply answers the call. */
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
