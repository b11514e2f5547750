import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import type { StarknetNode } from './rpc/starknet-node.js';

/** Longer than any node's. */
const MAX_TOKEN_CHARACTERS = 4_096;

type BlockId = 'latest' | { readonly block_number: number } | { readonly block_hash: Felt };

/** Which events are asked for, as the RPC specification writes it. */
export interface EventFilter {
  readonly from_block: BlockId;
  readonly to_block: BlockId;
  readonly address: Felt;
  readonly keys: readonly (readonly Felt[])[];
}

export interface PagedEvents<T> {
  readonly event: z.ZodType<T>;
  /** Most events of one page. */
  readonly chunkSize: number;
  /** Nodes look through a limited number of blocks for each page, and may find nothing in it. */
  readonly maxPages: number;
}

/**
 * The pages of a node's index of events, one request each, up to the last one or `maxPages` of
 * them.
 * @throws NodeMalformedAnswer for an event that is not as its schema says, or the node's error
 */
export async function* eventPages<T>(
  node: StarknetNode,
  filter: EventFilter,
  { event, chunkSize, maxPages }: PagedEvents<T>,
): AsyncGenerator<{ readonly events: readonly T[]; readonly isLast: boolean }, void, void> {
  const result = z.object({
    events: z.array(event).max(chunkSize),
    continuation_token: z.string().max(MAX_TOKEN_CHARACTERS).nullish(),
  });
  let token: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const params = {
      filter: {
        ...filter,
        chunk_size: chunkSize,
        ...(token === null ? {} : { continuation_token: token }),
      },
    };
    const answer: z.infer<typeof result> = await node.call({
      method: 'starknet_getEvents',
      params,
      result,
    });
    token = answer.continuation_token ?? null;
    yield { events: answer.events, isLast: token === null };
    if (token === null) return;
  }
}
