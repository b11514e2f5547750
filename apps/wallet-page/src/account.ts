import type { DepositAccount } from '@sotto/wallet/advanced';
import { Account, RpcProvider } from 'starknet';
import type { DevelopmentSettings } from './settings.js';

const POLL_MS = 200;

/**
 * Creates the account that pays deposits. The page contains the private key of this account; a real
 * wallet uses its user's account.
 */
export function depositorOf({
  nodeUrl,
  depositor: { address, privateKey },
}: DevelopmentSettings): DepositAccount {
  const provider = new RpcProvider({ nodeUrl });
  const account = new Account({ provider, address, signer: privateKey, cairoVersion: '1' });
  return {
    address,
    execute: async (calls) => {
      const sent = await account.execute(calls, { tip: 0n });
      // Waits for the block with the approval. Otherwise the relayer might read the allowance
      // before it is set.
      try {
        await provider.waitForTransaction(sent.transaction_hash, { retryInterval: POLL_MS });
      } catch {
        // The transaction is sent, whatever the node answers now. The deposit reads the allowance.
      }
      return sent;
    },
    signMessage: async (typedData) => {
      const { r, s } = signatureOf(await account.signMessage(typedData));
      return { r, s };
    },
  };
}

function signatureOf(signature: unknown): { readonly r: bigint; readonly s: bigint } {
  const { r, s }: { r?: unknown; s?: unknown } = Object(signature);
  if (typeof r !== 'bigint' || typeof s !== 'bigint')
    throw new Error('the account returned a signature of an unknown form');
  return { r, s };
}
