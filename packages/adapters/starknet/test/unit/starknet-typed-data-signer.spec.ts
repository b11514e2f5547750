import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { AccountKeyUnusable, HeldKeys, StarknetTypedDataSigner } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { feeQuoteTypedData, type FeeQuote } from '@sotto/relayer-core';
import { Signer } from 'starknet';

const ACCOUNT = {
  address: toFelt('0x5e1a7e2'),
  privateKey: '0x2d2c1b0a99887766554433221100ffeeddccbbaa998877665544332211000f1',
};
const QUOTE: FeeQuote = {
  id: 'Zq0_x4tq-ioPGnYvb8U8Sw0123456789abcdefghij',
  chainId: toFelt('0x534e5f4d41494e'),
  pool: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  relayer: toFelt('0xfee'),
  operation: 'withdraw',
  leafIndex: null,
  feeAmount: 2n ** 200n + 26n,
  expiresAtMs: 1_760_000_120_000,
};

const signerOf = (account: typeof ACCOUNT): StarknetTypedDataSigner =>
  new StarknetTypedDataSigner(new HeldKeys([account]), account.address);

describe('StarknetTypedDataSigner', () => {
  it('signs typed data exactly as starknet.js does', async () => {
    const signature = await new Signer(ACCOUNT.privateKey).signMessage(
      feeQuoteTypedData(QUOTE),
      ACCOUNT.address,
    );
    if (Array.isArray(signature)) throw new Error('a Stark key signs with r and s');
    const { signature: signed, signer } = await signerOf(ACCOUNT).sign(feeQuoteTypedData(QUOTE));
    expect(signed).toEqual([toFelt(signature.r), toFelt(signature.s)]);
    expect(signer).toBe(ACCOUNT.address);
  });

  it('an inspected or serialised typed-data signer does not contain its key', () => {
    const subject = signerOf(ACCOUNT);
    const shown = [
      JSON.stringify(subject),
      inspect(subject, { depth: 10, showHidden: true }),
    ].join();
    expect(shown).not.toContain(ACCOUNT.privateKey.slice(2));
    expect(shown).not.toContain(BigInt(ACCOUNT.privateKey).toString());
  });

  it.each(['0x0', '', '1', `0x${'f'.repeat(64)}`])(
    'rejects the invalid key %j, and the error does not contain the key',
    (privateKey) => {
      expect(() => signerOf({ ...ACCOUNT, privateKey })).toThrow(AccountKeyUnusable);
    },
  );
});
