import { z } from 'zod';

/** One call as clients write it: everything else about it is passed on as it is. */
export const Call = z.looseObject({
  method: z.string(),
  id: z.unknown().optional(),
  params: z.unknown().optional(),
});
export type Call = z.infer<typeof Call>;

/** A call of the proxy's own. */
export type OwnCall = Pick<Call, 'method' | 'params'>;

/** One reply, of which only what faults change is looked at. */
export const Reply = z.looseObject({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Reply = z.infer<typeof Reply>;

/** The calls of a body: none when it is no JSON-RPC, which is the target's to complain of. */
export interface CallBody {
  readonly isBatch: boolean;
  readonly calls: readonly Call[];
}

export function readCalls(body: Buffer): CallBody {
  const parsed = parseJson(body);
  const isBatch = Array.isArray(parsed);
  const calls = (isBatch ? parsed : [parsed]).map((item) => Call.safeParse(item));
  // A body that is partly something else is passed on as it came.
  return {
    isBatch,
    calls: calls.every(({ success }) => success) ? calls.flatMap(({ data }) => data ?? []) : [],
  };
}

/** The replies of a body; undefined when it has none, as pages and plain texts. */
export function readReplies(body: Buffer): readonly Reply[] | undefined {
  const parsed = parseJson(body);
  return z.array(Reply).safeParse(Array.isArray(parsed) ? parsed : [parsed]).data;
}

/** Whether a reply answers the call. */
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
