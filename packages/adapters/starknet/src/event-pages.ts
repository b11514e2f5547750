import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import type { StarknetNode } from './rpc/starknet-node.js';

/** Maximum length of a continuation token in characters, longer than any node's. */
const MAX_TOKEN_CHARACTERS = 4_096;

type BlockId = 'latest' | { readonly block_number: number } | { readonly block_hash: Felt };

/** Filter of `starknet_getEvents`, as the RPC specification defines it. */
export interface EventFilter {
  readonly from_block: BlockId;
  readonly to_block: BlockId;
  readonly address: Felt;
  readonly keys: readonly (readonly Felt[])[];
}

export interface PagedEvents<T> {
  readonly event: z.ZodType<T>;
  /** Maximum number of events per page of the node's index. */
  readonly chunkSize: number;
  /**
   * Maximum number of pages. A node searches a limited number of blocks per page, so a page may
   * contain no events.
   */
  readonly maxPages: number;
}

/**
 * Reads the pages of a node's event index, one request per page, until the last page or until
 * `maxPages` pages are read.
 * @throws NodeMalformedAnswer if an event does not match its schema, or the node's error
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
