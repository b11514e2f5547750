import type { Clock, Felt, Logger } from '@sotto/kernel';
import type { ChainChange, ChainEvents, PushedKind, PushStatus } from '@sotto/submission-core';
import { PUSH_BOUNDS, PushConnection, type PushBounds } from './push-connection.js';

/** Where a node pushes. */
export interface PushEndpoint {
  /** The node's, as everywhere else. */
  readonly name: string;
  /** Secret: it may carry an access key. */
  readonly url: string;
}

export interface ChainEventsOptions {
  /** A node of another chain is not listened to. */
  readonly chainId: Felt;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds?: Partial<PushBounds>;
  /** Bound of the first wait for another connection; it doubles with each failure. @default 500 */
  readonly firstRetryMs?: number;
  /** Longest wait for another connection. @default 60_000 */
  readonly maxRetryMs?: number;
  /** @default Math.random */
  readonly random?: () => number;
}

/** A connection that stood for so long counts as no failure. */
const STEADY_MS = 30_000;

/**
 * WebSocket subscriptions to every node that has an address for them: one connection for each, with
 * new heads and the receipts of our lanes. A connection that ends is made again, later each time.
 */
export class StarknetChainEvents implements ChainEvents {
  readonly #nodes: readonly PushingNode[];

  constructor(endpoints: readonly PushEndpoint[], options: ChainEventsOptions) {
    this.#nodes = endpoints.map((endpoint) => new PushingNode(endpoint, options));
  }

  subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void {
    const ending = new AbortController();
    const tell = (change: ChainChange): void => {
      if (!ending.signal.aborted) changed(change);
    };
    for (const node of this.#nodes) void node.follow(lanes, tell, ending.signal);
    return () => ending.abort();
  }

  status(): readonly PushStatus[] {
    return this.#nodes.map((node) => node.status());
  }
}

class PushingNode {
  readonly #messages: Record<PushedKind, number> = {
    transaction: 0,
    head: 0,
    rollback: 0,
    other: 0,
  };
  #isConnected = false;
  /** As it was logged last; null before the first time. */
  #isKnownAs: 'pushing' | 'silent' | null = null;

  constructor(
    private readonly endpoint: PushEndpoint,
    private readonly options: ChainEventsOptions,
  ) {}

  status(): PushStatus {
    return {
      node: this.endpoint.name,
      isConnected: this.#isConnected,
      messages: { ...this.#messages },
    };
  }

  /** Connects again and again, until `ending` aborts. */
  async follow(
    lanes: readonly Felt[],
    changed: (change: ChainChange) => void,
    ending: AbortSignal,
  ): Promise<void> {
    const { clock } = this.options;
    let failures = 0;
    while (!ending.aborted) {
      const startMs = clock.monotonicMs();
      const code = await this.#connect(lanes, changed, ending);
      const wasConnected = this.#isConnected;
      this.#isConnected = false;
      if (ending.aborted) return;
      this.#note('silent', code);
      if (wasConnected) changed('gap');
      failures = clock.monotonicMs() - startMs < STEADY_MS ? failures + 1 : 1;
      await clock.sleep(this.#waitMs(failures), ending);
    }
  }

  /** Resolves with why the connection ended. */
  async #connect(
    lanes: readonly Felt[],
    changed: (change: ChainChange) => void,
    ending: AbortSignal,
  ): Promise<string> {
    const { chainId, clock, bounds } = this.options;
    const connection = new PushConnection({
      url: this.endpoint.url,
      chainId,
      lanes,
      bounds: { ...PUSH_BOUNDS, ...bounds },
      clock,
      subscribed: () => {
        this.#isConnected = true;
        this.#note('pushing', null);
        changed('gap');
      },
      received: (kind) => {
        this.#messages[kind] += 1;
        if (kind !== 'other') changed(kind);
      },
    });
    const close = (): void => connection.close();
    ending.addEventListener('abort', close, { once: true });
    try {
      return await connection.ended;
    } finally {
      ending.removeEventListener('abort', close);
    }
  }

  /** Logs each change once. */
  #note(state: 'pushing' | 'silent', code: string | null): void {
    if (this.#isKnownAs === state) return;
    this.#isKnownAs = state;
    const { logger } = this.options;
    const node = this.endpoint.name;
    if (state === 'pushing') logger.info({ node }, 'a node pushes what changes');
    else logger.warn({ node, code }, 'a node does not push: the chain is looked at by time');
  }

  /** Random in its upper half, so that instances do not come back together. */
  #waitMs(failures: number): number {
    const { firstRetryMs = 500, maxRetryMs = 60_000, random = Math.random } = this.options;
    const fullMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 30));
    return fullMs * (0.5 + random() / 2);
  }
}
