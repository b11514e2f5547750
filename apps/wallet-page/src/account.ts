import type { DepositAccount } from '@sotto/wallet';
import { Account, RpcProvider } from 'starknet';
import type { DevelopmentSettings } from './settings.js';

const POLL_MS = 200;

/** The account that pays, with its key in the page. A real wallet asks its user's. */
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
      // The relayer would look for an allowance that the chain does not show yet.
      try {
        await provider.waitForTransaction(sent.transaction_hash, { retryInterval: POLL_MS });
      } catch {
        // It is sent, whatever the node says now: the deposit waits for the allowance itself.
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
    throw new Error('the account signs in another way than this page knows');
  return { r, s };
}
