import { runIsolated, type Clock, type Felt, type Logger } from '@sotto/kernel';
import type { NodeDirectory, NodeStatus } from '@sotto/relayer-core';
import type { RawAnswer } from '../rpc/node-client.js';
import type { SendingNodes } from './sending-nodes.js';
import { isOfTheNode } from './node-health.js';
import { NodePoll } from './node-poll.js';
import { isOfOneCall } from '../rpc/errors.js';
import { StarknetNode, type NodeCall, type Results } from '../rpc/starknet-node.js';
import { WatchedNode, type NodeEndpoint } from './watched-node.js';

export interface NodeSetOptions {
  /** Expected chain id. Nodes that serve another chain are not used. */
  readonly chainId: Felt;
  /** Accounts whose nonces are compared between nodes. */
  readonly accounts: readonly Felt[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause between two polls of all nodes, in milliseconds. @default 10_000 */
  readonly pollIntervalMs?: number;
  /**
   * Maximum distance between a node's head and the highest head, in blocks. A node with a greater
   * distance is behind.
   * @default 3
   */
  readonly maxLagBlocks?: number;
}

/** Minimum difference in score at which another node replaces a working node. */
const MARGIN = 0.25;

/**
 * Combines several nodes into one. All reads go to the same node, so that related data comes from
 * one view of the chain. Reads move to another node if the current node fails or if another node
 * has a much higher score. If the node does not respond to a read, the read is repeated on the next
 * node. A rejection is a response, so a rejected read is not repeated.
 *
 * A set of one node is never polled. A larger set is polled at intervals. The first read waits for
 * the first poll, so that no node of another chain is read.
 */
export class NodeSet extends StarknetNode implements NodeDirectory, SendingNodes {
  readonly #nodes: readonly WatchedNode[];
  readonly #poll: NodePoll;
  readonly #closing = new AbortController();
  #current: WatchedNode;
  #ready: Promise<void> | null = null;

  constructor(
    endpoints: readonly NodeEndpoint[],
    private readonly options: NodeSetOptions,
  ) {
    super();
    const { chainId, clock, maxLagBlocks = 3, accounts, logger } = options;
    this.#nodes = endpoints.map((endpoint) => new WatchedNode(endpoint, chainId, clock, logger));
    const [first] = this.#nodes;
    if (first === undefined) throw new Error('there is no node');
    this.#current = first;
    this.#poll = new NodePoll(this.#nodes, { accounts, maxLagBlocks });
  }

  async call<T>(call: NodeCall<T>): Promise<T> {
    return this.#read((node) => node.call(call));
  }

  async together<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>> {
    return this.#read((node) => node.together(calls));
  }

  status(): readonly NodeStatus[] {
    return this.#nodes.map((node) => node.status(node === this.#current));
  }

  nodeForSend(last: string | null): string {
    if (this.#current.name !== last) return this.#current.name;
    const [other] = this.#byScore().filter((node) => node !== this.#current && node.health.isUp);
    return (other ?? this.#current).name;
  }

  async sendTo(
    name: string,
    method: string,
    parameter: string,
    params: Uint8Array,
  ): Promise<RawAnswer> {
    const node = this.#nodes.find((known) => known.name === name);
    if (node === undefined) return { kind: 'failed', code: 'NODE_NOT_CONFIGURED' };
    return node.client.sendRaw(method, parameter, params);
  }

  /**
   * Returns the node with this name if it works and is not the node that reads use; null otherwise.
   * A node that is behind, or on an abandoned fork, provides no evidence about transactions that
   * were sent to it.
   */
  other(name: string): StarknetNode | null {
    const node = this.#nodes.find((known) => known.name === name);
    if (node === undefined || node === this.#current) return null;
    const { isUp, isBehind, isContradicted } = node.health;
    return isUp && !isBehind && !isContradicted ? node : null;
  }

  /**
   * Returns every working node that serves our chain. Returns all nodes if no node is known to
   * work.
   */
  working(): readonly StarknetNode[] {
    const up = this.#nodes.filter(({ health }) => health.isUp);
    return up.length > 0 ? up : this.#nodes;
  }

  /** Stops polling and closes idle connections. */
  close(): void {
    this.#closing.abort();
    for (const { client } of this.#nodes) client.close();
  }

  async #read<T>(query: (node: WatchedNode) => Promise<T>): Promise<T> {
    if (this.#nodes.length > 1) await this.#untilReady();
    let node = this.#current;
    const tried = new Set<WatchedNode>();
    let reason: unknown;
    for (;;) {
      try {
        const answer = await query(node);
        if (!this.#nodes.some(({ health }) => health.isUp)) node.revive();
        this.#choose();
        return answer;
      } catch (error) {
        if (!isOfTheNode(error)) throw error;
        tried.add(node);
        // If a single call failed, this error is preferred to the error of an unavailable node,
        // even if no other node responds. After an error of a single call, the caller can continue
        // its other reads.
        if (!isOfOneCall(reason)) reason = error;
        this.#choose();
        const next = [this.#current, ...this.#byScore()].find(
          (other) => !tried.has(other) && other.health.chainOk !== false,
        );
        if (next === undefined) throw reason;
        node = next;
      }
    }
  }

  async #untilReady(): Promise<void> {
    this.#ready ??= new Promise((resolve) => void this.#watch(resolve));
    return this.#ready;
  }

  async #watch(ready: () => void): Promise<void> {
    const { clock, logger, pollIntervalMs = 10_000 } = this.options;
    while (!this.#closing.signal.aborted) {
      await runIsolated(logger, 'a poll of the nodes', {}, () =>
        this.#poll.run(this.#current.name),
      );
      this.#choose();
      ready();
      await clock.sleep(pollIntervalMs, this.#closing.signal);
    }
  }

  #choose(): void {
    const [best = this.#current] = this.#byScore();
    const { health } = this.#current;
    if (best === this.#current) return;
    const isUsable = health.isUp && health.chainOk === true;
    if (isUsable && best.health.score - health.score < MARGIN) return;
    if (!isUsable && best.health.score === 0) return;
    this.options.logger.warn(
      { from: this.#current.name, to: best.name, code: health.lastErrorCode },
      'reads and sends go to another node',
    );
    this.#current = best;
  }

  /**
   * Returns the nodes by score, highest first. Nodes of equal score remain in the order of the
   * settings.
   */
  #byScore(): readonly WatchedNode[] {
    return this.#nodes.toSorted((a, b) => b.health.score - a.health.score);
  }
}
