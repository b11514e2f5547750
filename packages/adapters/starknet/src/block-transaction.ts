import { toFelt, type Felt } from '@sotto/kernel';
import { hash } from 'starknet';
import { z } from 'zod';
import { WireFelt, WireNumber, omittable } from './wire.js';

/**
 * Protocol limit of transactions in a block is far lower; a node that answers more is not believed.
 */
export const MAX_TRANSACTIONS = 20_000;

/**
 * Of a transaction only what says whose nonce it consumed. Kinds that consume none have no sender.
 */
export const SentTransaction = z.object({
  sender_address: omittable(WireFelt),
  nonce: omittable(WireNumber),
  type: z.string(),
  contract_address_salt: omittable(WireFelt),
  class_hash: omittable(WireFelt),
  constructor_calldata: omittable(z.array(WireFelt)),
});
export type SentTransaction = z.infer<typeof SentTransaction>;

/**
 * The deployment of an account consumes its nonce 0 and names the account only by what its address
 * is computed from.
 */
export function senderOf(transaction: SentTransaction): Felt | undefined {
  const {
    sender_address: sender,
    type,
    contract_address_salt: salt,
    class_hash: classHash,
    constructor_calldata: calldata,
  } = transaction;
  if (sender !== undefined || type !== 'DEPLOY_ACCOUNT') return sender;
  if (salt === undefined || classHash === undefined || calldata === undefined) return undefined;
  return toFelt(hash.calculateContractAddressFromHash(salt, classHash, calldata, 0));
}
