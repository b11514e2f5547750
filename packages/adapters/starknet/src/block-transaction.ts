import { toFelt, type Felt } from '@sotto/kernel';
import { hash } from 'starknet';
import { z } from 'zod';
import { WireFelt, WireNumber, omittable } from './wire.js';

/**
 * Maximum number of transactions of a block. The protocol limit is far lower; a longer list is
 * rejected.
 */
export const MAX_TRANSACTIONS = 20_000;

/**
 * Fields of a transaction that determine the account whose nonce it consumed. Kinds of transactions
 * that consume no nonce have no sender.
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
 * Returns the account whose nonce a transaction consumed. A DEPLOY_ACCOUNT transaction consumes
 * nonce 0 and has no sender field; its address is computed from salt, class hash and constructor
 * calldata.
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
