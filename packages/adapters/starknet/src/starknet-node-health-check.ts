import type { Felt } from '@sotto/kernel';
import type { NodeHealthCheck } from '@sotto/submission-core';
import { z } from 'zod';
import { CHAIN_ID } from './chain-id.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { BlockNumber } from './wire.js';

const SpecVersion = z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[0-9A-Za-z.-]{1,32})?$/);

/** Facts that a node reports about its chain and version. */
export interface NodeFacts {
  readonly chainId: Felt;
  /** Version of the JSON-RPC specification, for example `0.10.2`. */
  readonly specVersion: string;
  readonly blockNumber: number;
}

/**
 * Checks in one request that the node responds, and reads its chain id. Used at start-up and for
 * readiness.
 */
export class StarknetNodeHealthCheck implements NodeHealthCheck {
  constructor(private readonly node: StarknetNode) {}

  /** @throws a `DomainError` if the node can't respond */
  async probe(): Promise<NodeFacts> {
    const [chainId, specVersion, blockNumber] = await Promise.all([
      this.node.call(CHAIN_ID),
      this.node.call({ method: 'starknet_specVersion', params: {}, result: SpecVersion }),
      this.node.call({ method: 'starknet_blockNumber', params: {}, result: BlockNumber }),
    ]);
    return { chainId, specVersion, blockNumber };
  }
}
