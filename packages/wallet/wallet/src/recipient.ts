import { WalletError } from './errors.js';
import { STARKNET_FIELD } from './fields.js';

/**
 * Smallest plausible Starknet address. Addresses are hashes of 251 bits, so an address below this
 * value is very unlikely.
 */
const SMALLEST_ADDRESS = 2n ** 160n;

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Parses the recipient of a withdrawal.
 * @param contracts 0x hex addresses of contracts that can't return a payment
 * @throws WalletError RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE
 */
export function parseRecipient(recipient: string, contracts: readonly string[]): bigint {
  if (!HEX.test(recipient) || BigInt(recipient) === 0n || BigInt(recipient) >= STARKNET_FIELD)
    throw new WalletError('RECIPIENT_MALFORMED', 'the recipient is no Starknet address');
  checkRecipient(BigInt(recipient), contracts);
  return BigInt(recipient);
}

/**
 * Rejects recipients that could not spend the payment, such as a contract that can't return it.
 * @param contracts 0x hex addresses of contracts that can't return a payment
 * @throws WalletError RECIPIENT_UNSPENDABLE
 */
export function checkRecipient(recipient: bigint, contracts: readonly string[]): void {
  if (
    recipient >= SMALLEST_ADDRESS &&
    !contracts.some((contract) => BigInt(contract) === recipient)
  )
    return;
  throw new WalletError(
    'RECIPIENT_UNSPENDABLE',
    'the recipient must be the address of a Starknet account: a pool or a token keeps all payments to it, and a value below 2^160 is an address of another chain',
  );
}
