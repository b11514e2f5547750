import type { DepositTypedData } from './deposit-consent.js';

/** A call of a contract, in the shape of starknet.js. */
export interface DepositCall {
  contractAddress: string;
  entrypoint: string;
  calldata: string[];
}

/** A signature as accounts give it: felts, or r and s. */
export type AccountSignature =
  readonly (string | bigint | number)[] | { readonly r: bigint; readonly s: bigint };

/**
 * The account that pays a deposit: an `Account` or `WalletAccount` of starknet.js is one, and a few
 * lines make one of anything else.
 */
export interface DepositAccount {
  /** 0x hex. */
  readonly address: string;
  /**
   * Resolves when the transaction is sent. Rejects only where nothing was sent, as when the user
   * says no: what fails after that is no reason to reject, the deposit waits for the allowance.
   */
  execute(calls: DepositCall[]): Promise<{ readonly transaction_hash: string }>;
  /** Signs SNIP-12 typed data. Rejects when the user says no. */
  signMessage(typedData: DepositTypedData): Promise<AccountSignature>;
}

const HALF = 1n << 128n;

/** Lets the pool take the amount, and no more than that. */
export function approval(token: string, pool: string, amount: bigint): DepositCall {
  const halves = [amount % HALF, amount / HALF].map((half) => `0x${half.toString(16)}`);
  return { contractAddress: token, entrypoint: 'approve', calldata: [pool, ...halves] };
}

/** Takes an approval back: for `account.execute([…])` after a deposit that has failed. */
export function revocation(token: string, pool: string): DepositCall {
  return approval(token, pool, 0n);
}

/** A signature as the service takes it: 0x hex. */
export function feltsOf(signature: AccountSignature): string[] {
  const felts = 'r' in signature ? [signature.r, signature.s] : signature;
  return felts.map((part) => `0x${BigInt(part).toString(16)}`);
}
