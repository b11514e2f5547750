import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { hasNoEntrypoint } from './no-entrypoint.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { WireFelt } from './wire.js';

const ReturnedFelt = z.tuple([WireFelt]).transform(([value]) => value);

/** Asks contracts by the view `owner`, which OpenZeppelin's Ownable gives them. */
export class StarknetContractOwner {
  constructor(private readonly node: StarknetNode) {}

  /**
   * Null where the contract has no such view. Rejects with a `DomainError` when the node can't
   * answer or no contract stands there.
   */
  async ownerOf(contract: Felt): Promise<Felt | null> {
    try {
      return await callView(this.node, { contract, entrypoint: 'owner', result: ReturnedFelt });
    } catch (error) {
      if (hasNoEntrypoint(error)) return null;
      throw error;
    }
  }
}
