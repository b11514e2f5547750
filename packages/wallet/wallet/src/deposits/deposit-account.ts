import { feltOf, toHex } from '../fields.js';
import type { DepositTypedData } from './deposit-consent.js';

/** Call of a contract, in starknet.js' format. */
export interface AccountCall {
  contractAddress: string;
  entrypoint: string;
  calldata: string[];
}

/** Signature in a format that account libraries return: a list of felts, or r and s. */
export type AccountSignature =
  readonly (string | bigint | number)[] | { readonly r: bigint; readonly s: bigint };

/**
 * Account that pays a deposit. An `Account` or `WalletAccount` of starknet.js can be used directly;
 * any other account needs a small adapter.
 */
export interface DepositAccount {
  /** Address of the account as 0x hex. */
  readonly address: string;
  /**
   * Sends one transaction and resolves once it is sent. A rejection does not prove that no
   * transaction was sent: the deposit then reads allowance and nonce from the chain. Only a
   * rejection with code 113 (USER_REFUSED_OP of the wallet API) means that the owner declined.
   */
  execute(calls: AccountCall[]): Promise<{ readonly transaction_hash: string }>;
  /**
   * Signs SNIP-12 typed data. Rejects when the user declines. A signature that is lost has no
   * effect: no relayer has received it, and it expires.
   */
  signMessage(typedData: DepositTypedData): Promise<AccountSignature>;
}

const HALF = 1n << 128n;

/** Builds the call that approves exactly `amount` for the pool. */
export function approval(token: string, pool: string, amount: bigint): AccountCall {
  const halves = [amount % HALF, amount / HALF].map((half) => `0x${half.toString(16)}`);
  return { contractAddress: token, entrypoint: 'approve', calldata: [pool, ...halves] };
}

/**
 * Builds the call that revokes an approval. After a failed deposit, pass this call to
 * `account.execute([…])`.
 */
export function revocation(token: string, pool: string): AccountCall {
  return approval(token, pool, 0n);
}

/** Maximum number of felts in a signature, as the service accepts it. */
const MOST_FELTS = 64;
const HEX_HASH = /^0x[0-9a-f]{1,64}$/i;

/**
 * Converts a signature to the service's format: a list of 0x hex felts.
 * @throws Error if the account's answer is not a signature
 */
export function feltsOf(signature: AccountSignature): string[] {
  const felts = 'r' in signature ? [signature.r, signature.s] : [...signature];
  if (felts.length === 0 || felts.length > MOST_FELTS)
    throw new RangeError(`a signature has 1 to ${MOST_FELTS} felts`);
  return felts.map((part) => toHex(feltOf(BigInt(part), 'a part of a signature')));
}

/**
 * Parses the hash of a sent transaction.
 * @throws Error if the account's answer contains no transaction hash
 */
export function sentHash({
  transaction_hash: hash,
}: {
  readonly transaction_hash: unknown;
}): string {
  if (typeof hash !== 'string' || !HEX_HASH.test(hash))
    throw new TypeError('the account reported no transaction hash');
  return hash;
}
