import { NODE_DISAGREEMENTS, type NodeDisagreement } from '@sotto/facts';
import { isSharedFailure, type Clock, type Felt, type Logger } from '@sotto/kernel';
import type { NodeStatus } from '@sotto/relayer-core';
import type { NodeClient } from '../rpc/node-client.js';
import { isOfTheNode, NodeHealth } from './node-health.js';
import { StarknetNode, type NodeCall, type Results } from '../rpc/starknet-node.js';

/** Name and client of one node in a set of nodes. */
export interface NodeEndpoint {
  /** Name for logs, metrics and locks. Never the address, which may contain an access key. */
  readonly name: string;
  readonly client: NodeClient;
}

/** One node and its health, which is derived from its responses. */
export class WatchedNode extends StarknetNode {
  readonly name: string;
  readonly client: NodeClient;
  readonly health: NodeHealth;
  readonly #begun: Record<NodeDisagreement, number> = { head: 0, block: 0, nonce: 0 };

  constructor(
    { name, client }: NodeEndpoint,
    chainId: Felt,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    super();
    this.name = name;
    this.client = client;
    this.health = new NodeHealth(chainId, () => clock.monotonicMs());
  }

  async call<T>(call: NodeCall<T>): Promise<T> {
    const result = await this.#watched(() => this.client.call(call));
    this.#show(call, result);
    return result;
  }

  async together<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>> {
    const results = await this.#watched(() => this.client.together(calls));
    calls.forEach((call, index) => this.#show(call, results[index]));
    return results;
  }

  /**
   * Performs reads like {@link together}, and records their duration for the comparison of nodes.
   */
  async poll<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>> {
    const startMs = this.clock.monotonicMs();
    const results = await this.together(calls);
    const tookMs = this.clock.monotonicMs() - startMs;
    this.#reported(() => this.health.answeredPoll(tookMs));
    return results;
  }

  /** Marks the node as up. Called if the node responds although it was considered down. */
  revive(): void {
    this.#reported(() => this.health.revive());
  }

  status(isInUse: boolean): NodeStatus {
    const { isUp, score, head, headAgeMs, chainOk, lastErrorCode, disagreements } = this.health;
    return {
      name: this.name,
      up: isUp,
      score,
      isInUse,
      headBlock: head?.number ?? null,
      headAgeMs,
      chainOk,
      lastErrorCode,
      disagreements,
      disagreementsBegun: { ...this.#begun },
    };
  }

  /**
   * Sets the current disagreements of this node with other nodes. Each change is logged and counted
   * once.
   */
  disagrees(now: readonly NodeDisagreement[]): void {
    const before = this.health.disagreements;
    this.health.disagreements = now;
    for (const what of NODE_DISAGREEMENTS) {
      if (now.includes(what) === before.includes(what)) continue;
      const fields = { node: this.name, what, headBlock: this.health.head?.number ?? null };
      if (now.includes(what)) {
        this.#begun[what] += 1;
        this.logger.warn(fields, 'a node disagrees with the others');
      } else this.logger.info(fields, 'a node agrees with the others again');
    }
  }

  async #watched<T>(query: () => Promise<T>): Promise<T> {
    try {
      const answer = await query();
      this.health.answered();
      return answer;
    } catch (error) {
      if (isSharedFailure(error)) throw error;
      if (isOfTheNode(error)) this.#reported(() => this.health.failed(error));
      else this.health.answered();
      throw error;
    }
  }

  #show(call: NodeCall<unknown>, result: unknown): void {
    if (call.shows === undefined) return;
    const wasRefused = this.health.chainOk === false;
    this.health.note(call.shows(result));
    if (this.health.chainOk === false && !wasRefused)
      this.logger.error({ node: this.name }, 'a node serves another chain: it is not used');
  }

  #reported(change: () => void): void {
    const wasUp = this.health.isUp;
    change();
    const { isUp, lastErrorCode } = this.health;
    if (isUp === wasUp) return;
    const fields = { node: this.name, code: isUp ? null : lastErrorCode };
    if (isUp) this.logger.info(fields, 'a node answers');
    else this.logger.warn(fields, 'a node does not answer');
  }
}
