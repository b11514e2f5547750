import { z } from 'zod';
import { toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import type { BlockView, ChainView } from '../../engine/view.js';
import type { JsonObject } from '../../json.js';
import { defineMethod, type Method } from '../method.js';
import { BlockIdParam, Felt } from '../wire.js';

const MAX_CHUNK = 1024;
const MAX_KEYS = 256;
const TOKEN = /^(0|[1-9][0-9]{0,8})-(0|[1-9][0-9]{0,8})$/;

const EventsFilter = z.strictObject({
  from_block: BlockIdParam.optional(),
  to_block: BlockIdParam.optional(),
  address: z.union([Felt.transform((address) => [address]), z.array(Felt)]).optional(),
  keys: z.array(z.array(Felt)).optional(),
  continuation_token: z.string().optional(),
  chunk_size: z.int().positive(),
});
type EventsFilter = z.output<typeof EventsFilter>;

/**
 * Method that queries events. A continuation token consists of a block number and the number of
 * matches in this block that were already returned.
 */
export const eventMethods: Readonly<Record<string, Method>> = {
  starknet_getEvents: defineMethod({ filter: EventsFilter }, ({ filter }, context) => {
    if (filter.chunk_size > MAX_CHUNK) throw new SpecError(31);
    if ((filter.keys ?? []).reduce((count, keys) => count + keys.length, 0) > MAX_KEYS)
      throw new SpecError(34);
    return page(context.view(), filter);
  }),
};

function page(view: ChainView, filter: EventsFilter): JsonObject {
  const from = view.block(filter.from_block ?? { by: 'number', number: 0 }).header.number;
  const to = view.block(filter.to_block ?? { by: 'tag', tag: 'latest' }).header.number;
  const start = parseToken(filter.continuation_token, from, to);
  const events: JsonObject[] = [];
  for (let number = start.blockNumber; number <= to; number += 1) {
    const skip = number === start.blockNumber ? start.skip : 0;
    const matches = matchesIn(blockAt(view, number), filter);
    const room = filter.chunk_size - events.length;
    events.push(...matches.slice(skip, skip + room));
    if (matches.length > skip + room)
      return { events, continuation_token: `${number}-${skip + room}` };
  }
  return { events };
}

function parseToken(
  token: string | undefined,
  from: number,
  to: number,
): { blockNumber: number; skip: number } {
  if (token === undefined) return { blockNumber: from, skip: 0 };
  const [, block, skip] = TOKEN.exec(token) ?? [];
  if (block === undefined || skip === undefined) throw new SpecError(33);
  const blockNumber = Number(block);
  if (blockNumber < from || blockNumber > to) throw new SpecError(33);
  return { blockNumber, skip: Number(skip) };
}

function blockAt(view: ChainView, number: number): BlockView {
  return view.block(
    number > view.latest.header.number
      ? { by: 'tag', tag: 'pre_confirmed' }
      : { by: 'number', number },
  );
}

function matchesIn(block: BlockView, { address, keys = [] }: EventsFilter): JsonObject[] {
  return block.inclusions.flatMap(({ transaction, events }, transactionIndex) =>
    events.flatMap((event, eventIndex) => {
      const addressFits =
        address === undefined || address.length === 0 || address.includes(event.from);
      const keysFit = keys.every((allowed, position) => {
        if (allowed.length === 0) return true;
        const key = event.keys[position];
        return key !== undefined && allowed.includes(key);
      });
      if (!addressFits || !keysFit) return [];
      return [
        {
          from_address: toHex(event.from),
          keys: event.keys.map(toHex),
          data: event.data.map(toHex),
          ...(block.hash !== undefined && { block_hash: toHex(block.hash) }),
          block_number: block.header.number,
          transaction_hash: toHex(transaction.hash),
          transaction_index: transactionIndex,
          event_index: eventIndex,
        },
      ];
    }),
  );
}
