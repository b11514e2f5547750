import { describe, expect, it } from '@jest/globals';
import { signDepositConsent, type SigningAccount } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { depositConsentTypedData as serviceTypedData } from '@sotto/relayer-core';
import { depositConsentTypedData } from '@sotto/wallet/advanced';
import { assert, bigInt, nat, property } from 'fast-check';
import { Signer } from 'starknet';

const account: SigningAccount = {
  address: toFelt('0x5e1a7e2'),
  privateKey: '0x1234567890abcdef1234567890abcdef',
};
const felts = bigInt({ min: 1n, max: 2n ** 251n - 1n });
const numbers = bigInt({ min: 0n, max: 2n ** 256n - 1n });

describe('consent of the wallet kit', () => {
  it('the deposit consent that the wallet kit makes equals the deposit consent that the service verifies', () => {
    assert(
      property(felts, felts, felts, numbers, numbers, nat(), (chain, pool, token, a, c, s) => {
        const ours = { chainId: toFelt(chain), pool: toFelt(pool), token: toFelt(token) };
        expect(
          depositConsentTypedData({ ...ours, amount: a, commitment: c, expiresAt: s }),
        ).toEqual(
          serviceTypedData({ ...ours, denomination: a, commitment: c, expiresAtMs: s * 1_000 }),
        );
      }),
    );
  });

  it('the wallet kit’s deposit consent accepts addresses in any notation', () => {
    const consent = { chainId: '0x01', amount: 1n, commitment: 2n, expiresAt: 3 };
    expect(
      depositConsentTypedData({ ...consent, pool: '0x00Ab', token: '0X0c'.toLowerCase() }),
    ).toMatchObject({ domain: { chainId: '0x1' }, message: { pool: '0xab', token: '0xc' } });
  });

  it('the service accepts the wallet kit’s deposit consent if a starknet.js account has signed it', async () => {
    const terms = { chainId: toFelt('0x534e'), pool: toFelt('0xa'), token: toFelt('0xb') };
    const typedData = depositConsentTypedData({
      ...terms,
      amount: 20_000n,
      commitment: 2n ** 250n,
      expiresAt: 1_760_000_000,
    });
    const signature = await new Signer(account.privateKey).signMessage(typedData, account.address);
    const { r, s }: { r?: bigint; s?: bigint } = Object(signature);
    expect([r, s].map((part) => toFelt(part ?? 0n))).toEqual(
      signDepositConsent(account, {
        ...terms,
        denomination: 20_000n,
        commitment: 2n ** 250n,
        expiresAtMs: 1_760_000_000_000,
      }),
    );
  });
});
