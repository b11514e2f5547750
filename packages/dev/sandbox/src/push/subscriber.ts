import { z } from 'zod';
import { toHex } from '../engine/felt.js';
import { SpecError } from '../engine/spec-error.js';
import { ChainView } from '../engine/view.js';
import type { Json, JsonObject } from '../json.js';
import { defineMethod, type Method, type MethodContext } from '../rpc/method.js';
import { renderHeader, renderIncluded } from '../rpc/render.js';
import { BlockIdParam, Felt } from '../rpc/wire.js';
import { MOST_BLOCKS_BACK, type ChainChange } from './chain-changes.js';

/** Maximum number of addresses in one subscription, as in Juno and Pathfinder. */
const MOST_ADDRESSES = 1024;

interface Subscription {
  /**
   * Returns the method and the result of the notification about a change; undefined if the
   * subscription does not cover the change.
   */
  messageOf(change: ChainChange, context: MethodContext): readonly [string, Json] | undefined;
}

/** Subscriptions of one connection. */
export class Subscriber {
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly context: MethodContext,
    private readonly nextId: () => string,
    private readonly push: (message: JsonObject) => void,
  ) {}

  /** Returns the subscription method with this name; undefined for every other method. */
  method(name: string): Method | undefined {
    switch (name) {
      case 'starknet_subscribeNewHeads':
        return this.#subscribeNewHeads;
      case 'starknet_subscribeNewTransactionReceipts':
        return this.#subscribeReceipts;
      case 'starknet_unsubscribe':
        return this.#unsubscribe;
      default:
        return undefined;
    }
  }

  changed(change: ChainChange): void {
    for (const [id, subscription] of this.#subscriptions) {
      const message = subscription.messageOf(change, this.context);
      if (message !== undefined) this.#report(id, ...message);
    }
  }

  readonly #subscribeNewHeads = defineMethod(
    { block_id: BlockIdParam.optional() },
    ({ block_id: block }, context) => {
      const { latest } = context.chain;
      const from =
        block === undefined ? latest.number + 1 : context.view().block(block).header.number;
      if (from > latest.number + 1) throw new SpecError(24);
      if (from < latest.number - MOST_BLOCKS_BACK) throw new SpecError(68);
      const id = this.#add({ messageOf: headOf });
      // The notifications must follow the reply that contains the subscription's id.
      setImmediate(() => {
        for (let number = from; number <= latest.number; number += 1)
          this.#report(id, 'starknet_subscriptionNewHeads', header(context, number));
      });
      return id;
    },
  );

  readonly #subscribeReceipts = defineMethod(
    {
      finality_status: z.array(z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2'])).optional(),
      sender_address: z.array(Felt).optional(),
    },
    ({ finality_status: finalities = ['ACCEPTED_ON_L2'], sender_address: senders }) => {
      if (senders !== undefined && senders.length > MOST_ADDRESSES) throw new SpecError(67);
      return this.#add({
        messageOf: (change) => {
          if (change.kind === 'reorg') return reorgOf(change);
          if (change.kind !== 'receipt' || !finalities.includes(change.finality)) return undefined;
          const { sender } = change.inclusion.transaction.fields;
          if (senders !== undefined && !senders.includes(sender)) return undefined;
          const { inclusion, finality, block } = change;
          return [
            'starknet_subscriptionNewTransactionReceipts',
            renderIncluded(inclusion, finality, block),
          ];
        },
      });
    },
  );

  readonly #unsubscribe = defineMethod(
    { subscription_id: z.string() },
    ({ subscription_id: id }) => {
      if (!this.#subscriptions.delete(id)) throw new SpecError(66);
      return true;
    },
  );

  #add(subscription: Subscription): string {
    const id = this.nextId();
    this.#subscriptions.set(id, subscription);
    return id;
  }

  #report(id: string, method: string, result: Json): void {
    this.push({ jsonrpc: '2.0', method, params: { subscription_id: id, result } });
  }
}

function headOf(change: ChainChange, context: MethodContext): readonly [string, Json] | undefined {
  if (change.kind === 'reorg') return reorgOf(change);
  if (change.kind !== 'head') return undefined;
  return ['starknet_subscriptionNewHeads', header(context, change.number)];
}

function reorgOf({
  undone,
}: Extract<ChainChange, { kind: 'reorg' }>): readonly [string, Json] | undefined {
  const [first, last] = [undone[0], undone.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return [
    'starknet_subscriptionReorg',
    {
      starting_block_hash: toHex(first.hash),
      starting_block_number: first.number,
      ending_block_hash: toHex(last.hash),
      ending_block_number: last.number,
    },
  ];
}

/** Renders the header of an accepted block. A header in a notification has no status. */
function header({ chain }: MethodContext, number: number): Json {
  return {
    ...renderHeader(new ChainView(chain).block({ by: 'number', number })),
    status: undefined,
  };
}
