import type { Felt } from '@sotto/kernel';
import type { NodeHealthCheck } from '@sotto/submission-core';
import { z } from 'zod';
import type { NodeClient } from './rpc/node-client.js';
import { BlockNumber, WireFelt } from './wire.js';

const SpecVersion = z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[0-9A-Za-z.-]{1,32})?$/);

/** What a node says of itself. */
export interface NodeFacts {
  readonly chainId: Felt;
  /** Of the JSON-RPC specification, for example `0.10.2`. */
  readonly specVersion: string;
  readonly blockNumber: number;
}

/**
 * Asks, in one request, whether the node answers and for which chain: for start-up and readiness.
 */
export class StarknetNodeHealthCheck implements NodeHealthCheck {
  constructor(private readonly node: NodeClient) {}

  /** @throws a `DomainError` when the node can't answer */
  async probe(): Promise<NodeFacts> {
    const [chainId, specVersion, blockNumber] = await Promise.all([
      this.node.call({ method: 'starknet_chainId', params: {}, result: WireFelt }),
      this.node.call({ method: 'starknet_specVersion', params: {}, result: SpecVersion }),
      this.node.call({ method: 'starknet_blockNumber', params: {}, result: BlockNumber }),
    ]);
    return { chainId, specVersion, blockNumber };
  }
}
