import type { Clock, Felt, Logger } from '@sotto/kernel';
import type { ChainChange, ChainEvents, PushedKind, PushStatus } from '@sotto/submission-core';
import { PUSH_BOUNDS, PushConnection, type PushBounds } from './push-connection.js';

/** WebSocket endpoint of a node. */
export interface PushEndpoint {
  /** Name of the node, equal to its name in the other settings. */
  readonly name: string;
  /** Secret: the URL may contain an access key. */
  readonly url: string;
}

export interface ChainEventsOptions {
  /** Expected chain id. A node that serves a different chain is ignored. */
  readonly chainId: Felt;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds?: Partial<PushBounds>;
  /**
   * Maximum wait before the first reconnection, in milliseconds. Each failure doubles this maximum.
   * @default 500
   */
  readonly firstRetryMs?: number;
  /** Longest wait before reconnecting, in milliseconds. @default 60_000 */
  readonly maxRetryMs?: number;
  /** Source of random numbers. @default Math.random */
  readonly random?: () => number;
}

/**
 * Minimum duration of a connection, in milliseconds. When a connection of at least this duration
 * ends, the number of consecutive failures is reset.
 */
const STEADY_MS = 30_000;

/**
 * Subscribes over WebSocket to every node that has a push endpoint. Each node has one connection,
 * which receives new heads and the receipts of our lanes. An ended connection is opened again after
 * a wait that increases with each failure.
 */
export class StarknetChainEvents implements ChainEvents {
  readonly #nodes: readonly PushingNode[];

  constructor(endpoints: readonly PushEndpoint[], options: ChainEventsOptions) {
    this.#nodes = endpoints.map((endpoint) => new PushingNode(endpoint, options));
  }

  subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void {
    const ending = new AbortController();
    const report = (change: ChainChange): void => {
      if (!ending.signal.aborted) changed(change);
    };
    for (const node of this.#nodes) void node.follow(lanes, report, ending.signal);
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
  /** State that was logged last; null before the first log message. */
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

  /** Connects repeatedly until `ending` aborts. */
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

  /** Resolves with the reason code for the end of the connection. */
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

  /** Logs each change of state once. */
  #note(state: 'pushing' | 'silent', code: string | null): void {
    if (this.#isKnownAs === state) return;
    this.#isKnownAs = state;
    const { logger } = this.options;
    const node = this.endpoint.name;
    if (state === 'pushing') logger.info({ node }, 'a node pushes changes');
    else logger.warn({ node, code }, 'a node does not push: the chain is polled at intervals');
  }

  /** Randomises the upper half of the wait, so that instances do not reconnect simultaneously. */
  #waitMs(failures: number): number {
    const { firstRetryMs = 500, maxRetryMs = 60_000, random = Math.random } = this.options;
    const fullMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 30));
    return fullMs * (0.5 + random() / 2);
  }
}
