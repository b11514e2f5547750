import type { Felt } from '@sotto/kernel';
import type { NodeHealthCheck } from '@sotto/submission-core';
import { z } from 'zod';
import { CHAIN_ID } from './chain-id.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { BlockNumber } from './wire.js';

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
  constructor(private readonly node: StarknetNode) {}

  /** @throws a `DomainError` when the node can't answer */
  async probe(): Promise<NodeFacts> {
    const [chainId, specVersion, blockNumber] = await Promise.all([
      this.node.call(CHAIN_ID),
      this.node.call({ method: 'starknet_specVersion', params: {}, result: SpecVersion }),
      this.node.call({ method: 'starknet_blockNumber', params: {}, result: BlockNumber }),
    ]);
    return { chainId, specVersion, blockNumber };
  }
}
