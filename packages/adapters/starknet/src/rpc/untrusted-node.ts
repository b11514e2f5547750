import { NodeClient, type NodeClientOptions } from './node-client.js';
import type { NodeCall } from './starknet-node.js';

/**
 * Maximum response size of an untrusted contract, in bytes: a few felts, and the node's text for a
 * revert. Without the limit, a contract could return megabytes and use memory and time of the whole
 * process.
 */
const MAX_RESPONSE_BYTES = 16 * 2 ** 10;
/**
 * Deadline of an untrusted call, in milliseconds. Account classes in use respond within a few
 * milliseconds. The class with the slowest signatures (passkeys) needs some tens of milliseconds.
 */
const DEADLINE_MS = 3_000;

/** Endpoint of one node for calls of untrusted contracts. */
interface UntrustedEndpoint extends Pick<NodeClientOptions, 'url' | 'headers'> {
  /** Name of the node in the node set. */
  readonly name: string;
}

interface UntrustedNodeOptions {
  /** Returns the name of the node that all trusted reads currently use. */
  readonly inUse: () => string;
  /** Deadline of a call, in milliseconds. @default 3,000 */
  readonly deadlineMs?: number;
  /** Maximum size of a response, in bytes. @default 16 KiB */
  readonly maxResponseBytes?: number;
}

/**
 * Calls contracts with untrusted code. Each call is a separate HTTP request. The connections are
 * not shared with trusted reads, and a call is aborted at its deadline. The call is sent to only
 * one node. A failed call does not affect the node's health.
 *
 * Deliberately not a `StarknetNode`: neither type can be passed where the other is expected.
 */
export class UntrustedNode {
  readonly #clients: ReadonlyMap<string, NodeClient>;
  readonly #inUse: () => string;

  constructor(endpoints: readonly UntrustedEndpoint[], options: UntrustedNodeOptions) {
    const { inUse, deadlineMs = DEADLINE_MS, maxResponseBytes = MAX_RESPONSE_BYTES } = options;
    this.#inUse = inUse;
    this.#clients = new Map(
      endpoints.map(({ name, ...endpoint }) => [
        name,
        new NodeClient({
          ...endpoint,
          readTimeoutMs: deadlineMs,
          sendTimeoutMs: deadlineMs,
          maxResponseBytes,
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
