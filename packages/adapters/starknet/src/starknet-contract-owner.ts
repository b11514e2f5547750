import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { hasNoEntrypoint } from './no-entrypoint.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { WireFelt } from './wire.js';

const ReturnedFelt = z.tuple([WireFelt]).transform(([value]) => value);

/** Reads the owner of a contract through the view `owner` of OpenZeppelin's Ownable. */
export class StarknetContractOwner {
  constructor(private readonly node: StarknetNode) {}

  /**
   * Returns null if the contract has no such view. Rejects with a `DomainError` if the node can't
   * answer or no contract is deployed at the address.
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
