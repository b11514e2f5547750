import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  startSigner,
  withdrawalPolicy,
  type Child,
  type KeyedAccount,
  type Variables,
} from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { pool } from './withdrawals.js';

const { accounts, chainId } = sandboxWorld;

/** Signing policy for the withdrawals of one account. */
export const policyFor = (address: bigint) => withdrawalPolicy({ chainId, pool }, [address]);

interface SignerOptions {
  /** @default the sandbox's first lane */
  readonly account?: KeyedAccount;
  readonly policy?: object;
  readonly env?: Variables;
  readonly destination?: number;
}

/**
 * Starts the built signer, with its socket, ledger and policy in the folder.
 * @param options if a policy is given, it replaces the policy in the folder
 */
export function signerProcess(
  folder: string,
  { account = accounts.lane1, policy, ...options }: SignerOptions = {},
): Child {
  const isThere = existsSync(join(folder, 'policy.json'));
  return startSigner({
    program: import.meta.resolve('@sotto/signer'),
    folder,
    accounts: [account],
    policy: policy ?? (isThere ? undefined : policyFor(account.address)),
    ...options,
  });
}
