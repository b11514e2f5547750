import { NodeClient, type NodeClientOptions } from './node-client.js';
import type { NodeCall } from './starknet-node.js';

/**
 * An answer of a contract that a stranger chose: some felts, with room for the node's words on a
 * revert. A contract can return megabytes, which would cost memory and time of the whole process.
 */
const MAX_RESPONSE_BYTES = 16 * 2 ** 10;
/**
 * Deadline of such a call. Account classes in use answer within milliseconds; the class with the
 * slowest signatures (passkeys) needs some tens of them.
 */
const DEADLINE_MS = 3_000;

/** One node, in the client for untrusted contracts. */
interface UntrustedEndpoint extends Pick<NodeClientOptions, 'url' | 'headers'> {
  /** As the node set names it. */
  readonly name: string;
}

interface UntrustedNodeOptions {
  /** Name of the node that other reads use now. */
  readonly inUse: () => string;
  /** @default 3,000 */
  readonly deadlineMs?: number;
}

/**
 * Calls into contracts whose code strangers wrote. Each call is one HTTP request of its own, over
 * connections of its own, and is aborted at its deadline. No other read shares a batch with it, it
 * is asked of one node only, and its failure says nothing of the node's health.
 *
 * This is no `StarknetNode`: what takes a node for its reads cannot be given this one, or the other
 * way round.
 */
export class UntrustedNode {
  readonly #clients: ReadonlyMap<string, NodeClient>;
  readonly #inUse: () => string;

  constructor(endpoints: readonly UntrustedEndpoint[], options: UntrustedNodeOptions) {
    const { inUse, deadlineMs = DEADLINE_MS } = options;
    this.#inUse = inUse;
    this.#clients = new Map(
      endpoints.map(({ name, ...endpoint }) => [
        name,
        new NodeClient({
          ...endpoint,
          readTimeoutMs: deadlineMs,
          sendTimeoutMs: deadlineMs,
          maxResponseBytes: MAX_RESPONSE_BYTES,
          maxBatch: 1,
        }),
      ]),
    );
  }

  /** @throws UpstreamTimedOut, NodeUnavailable, NodeMalformedAnswer or NodeRefusedCall */
  async call<T>(call: NodeCall<T>): Promise<T> {
    const client = this.#clients.get(this.#inUse());
    if (client === undefined) throw new Error('the node in use has no client for untrusted calls');
    return client.call(call);
  }

  /** Closes idle connections. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
  }
}
