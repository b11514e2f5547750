import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { ChainId, feltOrNull } from '@sotto/network-profile';

/** Addresses separated by commas, none of them twice. */
export const Addresses = z.string().transform((text, context): readonly Felt[] => {
  const parts = text.split(',');
  const known = parts.flatMap((part) => addressIn(part.trim()) ?? []);
  if (known.length === parts.length && new Set(known).size === known.length) return known;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses separated by commas, none of them twice',
  });
  return z.NEVER;
});

function addressIn(text: string): Felt | null {
  const felt = feltOrNull(text);
  return felt === '0x0' ? null : felt;
}

/** What an operator has looked at: the chain, and the nonce of each account on it. */
export interface AcceptedAccounts {
  readonly chainId: Felt;
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

const FORM =
  'must be <chain id>:<account>:<nonce>, separated by commas, as `npm run accept-ledger` prints it; true and false do not say what was looked at';
const NONCE = /^\d{1,20}$/;

/** `SN_MAIN:0x1a2b…:7,SN_MAIN:0x3c4d…:0`: one chain, each account once. */
export const AcceptedLedger = z.string().transform((text, context): AcceptedAccounts => {
  const parts = text.split(',');
  const accounts = parts.flatMap((part) => acceptedAccount(part.trim()) ?? []);
  const [first] = accounts;
  const ofOneChain = accounts.filter(({ chainId }) => chainId === first?.chainId);
  const nonces = new Map(ofOneChain.map(({ address, nonce }) => [address, nonce]));
  if (first !== undefined && nonces.size === parts.length)
    return { chainId: first.chainId, nonces };
  context.addIssue({ code: 'custom', message: FORM });
  return z.NEVER;
});

function acceptedAccount(
  text: string,
): { readonly chainId: Felt; readonly address: Felt; readonly nonce: bigint } | null {
  const [chain = '', account = '', nonce = '', ...more] = text.split(':');
  const chainId = ChainId.safeParse(chain);
  const address = addressIn(account);
  if (!chainId.success || address === null || !NONCE.test(nonce) || more.length > 0) return null;
  return { chainId: chainId.data, address, nonce: BigInt(nonce) };
}

/** The same the other way: what {@link AcceptedLedger} reads. */
export function acceptanceText({ chainId, nonces }: AcceptedAccounts): string {
  const chain = Buffer.from(chainId.slice(2), 'hex').toString('latin1');
  return [...nonces].map(([address, nonce]) => `${chain}:${address}:${nonce}`).join(',');
}
