import type { Felt } from '@sotto/kernel';
import { Address, ChainId, feltOrNull, isSampleKey } from '@sotto/network-profile';
import { Secret, jsonText } from '@sotto/settings';
import type { AcceptedAccounts } from '@sotto/submission-core';
import { z } from 'zod';

/**
 * Order of the Stark curve; private keys are below it. Source: Starknet documentation, STARK curve.
 */
const STARK_CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** A private key of a Starknet account, in canonical form. */
const PrivateKey = z.string('must be a private key').transform((text, context): Felt => {
  const felt = feltOrNull(text);
  if (felt !== null && felt !== '0x0' && BigInt(felt) < STARK_CURVE_ORDER) return felt;
  context.addIssue({
    code: 'custom',
    message: "must be a private key: hex or decimal, above 0 and below the curve's order",
  });
  return z.NEVER;
});

const KeyedAccount = z
  .strictObject(
    { address: Address, privateKey: PrivateKey },
    // The names of wrong fields are not repeated: an operator may have written a key in the place
    // of a name.
    {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? 'must have no fields but address and privateKey'
          : 'must be an object',
    },
  )
  .transform(({ address, privateKey }) => ({
    address,
    privateKey: new Secret(privateKey),
    isSample: isSampleKey(privateKey),
  }));

/** An account that signs. */
export const SigningAccount = jsonText('{"address": "0x…", "privateKey": "0x…"}').pipe(
  KeyedAccount,
);

/** Accounts of one role. */
export const SigningAccounts = jsonText('[{"address": "0x…", "privateKey": "0x…"}]').pipe(
  z
    .array(KeyedAccount, 'must be an array of accounts')
    .min(1, 'must have at least one account')
    .max(50)
    .refine(
      (accounts) => new Set(accounts.map(({ address }) => address)).size === accounts.length,
      'an address stands here twice',
    ),
);

/** Reasons by pool, as JSON. */
export const PausedPools = z.string().transform((text, context): ReadonlyMap<string, string> => {
  try {
    const reasons = z
      .record(z.string().min(1).max(40), z.string().min(1).max(200))
      .parse(JSON.parse(text));
    return new Map(Object.entries(reasons));
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'must be JSON: {"pool key": "reason"}, reasons of at most 200 characters',
    });
    return z.NEVER;
  }
});

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
