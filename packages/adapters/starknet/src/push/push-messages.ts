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
/** Pushed message. The schema deliberately omits `result`, because no decision may depend on it. */
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

/** Returns the requests that are sent when a connection opens. */
export function subscribeRequests(lanes: readonly Felt[]): readonly string[] {
  const receipts = { finality_status: ['PRE_CONFIRMED', 'ACCEPTED_ON_L2'], sender_address: lanes };
  return [
    request(REQUESTS.chain, 'starknet_chainId', {}),
    request(REQUESTS.heads, 'starknet_subscribeNewHeads', {}),
    request(REQUESTS.receipts, 'starknet_subscribeNewTransactionReceipts', receipts),
  ];
}

/** Meaning of a received message for the connection. */
export type Understood =
  | { readonly kind: PushedKind }
  | { readonly kind: 'subscribed' }
  | { readonly kind: 'reply' }
  /** The node cannot push the requested events. */
  | { readonly kind: 'useless'; readonly code: 'WRONG_CHAIN' | 'SUBSCRIPTION_REFUSED' };

/** Reads the messages of one connection: replies to its requests and pushed messages. */
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

  /**
   * Returns the kind of a pushed message. Returns `other` if the message does not belong to the
   * matching subscription of this connection.
   */
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
      // A node may support only subscriptions over WebSocket. A response without a chain id is
      // therefore accepted. This is safe, because pushed content is never trusted.
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
