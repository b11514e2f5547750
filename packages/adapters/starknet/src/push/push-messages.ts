import type { Felt } from '@sotto/kernel';
import type { PushedKind } from '@sotto/submission-core';
import { z } from 'zod';
import { WireFelt } from '../wire.js';

const REQUESTS = { chain: 1, heads: 2, receipts: 3 } as const;
const REQUEST_IDS = Object.values(REQUESTS);

const SubscriptionId = z.union([z.string().max(200), z.int()]).transform(String);
const Reply = z.object({
  id: z.literal(REQUEST_IDS),
  result: z.unknown().optional(),
  error: z.object({ code: z.int() }).nullish(),
});
/** What stands in `result` of a message is not read: nothing may follow from it. */
const Pushed = z.object({
  method: z.enum([
    'starknet_subscriptionNewHeads',
    'starknet_subscriptionNewTransactionReceipts',
    'starknet_subscriptionReorg',
  ]),
  params: z.object({ subscription_id: SubscriptionId }),
});

const KINDS = {
  starknet_subscriptionNewHeads: ['head', REQUESTS.heads],
  starknet_subscriptionNewTransactionReceipts: ['transaction', REQUESTS.receipts],
  starknet_subscriptionReorg: ['rollback', null],
} as const;

/** What is asked once a connection is open. */
export function subscribeRequests(lanes: readonly Felt[]): readonly string[] {
  const receipts = { finality_status: ['PRE_CONFIRMED', 'ACCEPTED_ON_L2'], sender_address: lanes };
  return [
    request(REQUESTS.chain, 'starknet_chainId', {}),
    request(REQUESTS.heads, 'starknet_subscribeNewHeads', {}),
    request(REQUESTS.receipts, 'starknet_subscribeNewTransactionReceipts', receipts),
  ];
}

/** What a message means for the connection that it came over. */
export type Understood =
  | { readonly kind: PushedKind }
  | { readonly kind: 'subscribed' }
  | { readonly kind: 'reply' }
  /** It can't push what is asked for. */
  | { readonly kind: 'useless'; readonly code: 'WRONG_CHAIN' | 'SUBSCRIPTION_REFUSED' };

/** Reads the messages of one connection: replies to its requests, and what is pushed. */
export class PushMessages {
  readonly #answered = new Set<number>();
  readonly #subscriptions = new Map<number, string>();

  constructor(private readonly chainId: Felt) {}

  read(text: string): Understood {
    const json = parse(text);
    const pushed = Pushed.safeParse(json);
    if (pushed.success) return { kind: this.#kindOf(pushed.data) };
    const reply = Reply.safeParse(json);
    if (!reply.success || this.#answered.has(reply.data.id)) return { kind: 'other' };
    return this.#answer(reply.data);
  }

  /** Of a subscription of this connection, and of the kind that was subscribed to. */
  #kindOf({ method, params: { subscription_id: id } }: z.output<typeof Pushed>): PushedKind {
    const [kind, subscription] = KINDS[method];
    const isOurs =
      subscription === null
        ? [...this.#subscriptions.values()].includes(id)
        : this.#subscriptions.get(subscription) === id;
    return isOurs ? kind : 'other';
  }

  #answer({ id, result, error }: z.output<typeof Reply>): Understood {
    this.#answered.add(id);
    if (id === REQUESTS.chain) {
      // A node may have no other methods over WebSocket: what it pushes is believed in nothing.
      const chain = WireFelt.safeParse(result);
      if (chain.success && chain.data !== this.chainId)
        return { kind: 'useless', code: 'WRONG_CHAIN' };
    } else {
      const subscription = SubscriptionId.safeParse(result);
      const isRefused = error !== null && error !== undefined;
      if (isRefused || !subscription.success)
        return { kind: 'useless', code: 'SUBSCRIPTION_REFUSED' };
      this.#subscriptions.set(id, subscription.data);
    }
    const isAllAnswered = REQUEST_IDS.every((each) => this.#answered.has(each));
    return { kind: isAllAnswered ? 'subscribed' : 'reply' };
  }
}

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
