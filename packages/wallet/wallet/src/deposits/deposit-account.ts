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
   * Sends one transaction and resolves when it is sent. Must reject only if no transaction was
   * sent, for example because the user declined. An implementation must not reject if the
   * transaction fails later, because the deposit polls the allowance.
   */
  execute(calls: AccountCall[]): Promise<{ readonly transaction_hash: string }>;
  /** Signs SNIP-12 typed data. Rejects when the user declines. */
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

/** Converts a signature to the service's format: a list of 0x hex felts. */
export function feltsOf(signature: AccountSignature): string[] {
  const felts = 'r' in signature ? [signature.r, signature.s] : signature;
  return felts.map((part) => `0x${BigInt(part).toString(16)}`);
}
