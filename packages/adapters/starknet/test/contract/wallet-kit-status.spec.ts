import { describe, expect, it } from '@jest/globals';
import { HeldKeys, StarknetTypedDataSigner, type SigningAccount } from '@sotto/adapter-starknet';
import { verifyServiceStatus } from '@sotto/wallet/advanced';
import { toFelt } from '@sotto/kernel';
import { digestOf, statusTypedData } from '@sotto/relayer-core';
import { ec } from 'starknet';

const account: SigningAccount = {
  address: toFelt('0x5e1a7e2'),
  privateKey: '0x1234567890abcdef1234567890abcdef',
};
const signerPublicKey = ec.starkCurve.getStarkKey(account.privateKey);

describe('the wallet kit', () => {
  const status = {
    version: 1,
    chainId: toFelt('0x534e5f5345504f4c4941'),
    issuedAt: 1_760_000_000,
    pools: [
      {
        key: 'sentinel_1x',
        reason: 'naïve "quotes" \u2028 and \\',
        fee: { value: null, asOf: 1_760_000_000 },
      },
    ],
    capacity: { value: true, asOf: 1_760_000_000 },
  };
  const nowMs = (status.issuedAt + 60) * 1_000;
  const signed = async () => ({
    status,
    ...(await new StarknetTypedDataSigner(new HeldKeys([account]), account.address).sign(
      statusTypedData({
        chainId: status.chainId,
        issuedAt: status.issuedAt,
        digest: digestOf(status),
      }),
    )),
  });

  it('the wallet kit accepts a signed service status whose fields are in any order', async () => {
    expect(await verifyServiceStatus(await signed(), { signerPublicKey, nowMs })).toBe('valid');
    const shuffled = Object.fromEntries(Object.entries(status).toReversed());
    const reordered = {
      ...(await signed()),
      status: { ...shuffled, chainId: status.chainId, issuedAt: status.issuedAt },
    };
    expect(await verifyServiceStatus(reordered, { signerPublicKey, nowMs })).toBe('valid');
  });

  it('the wallet kit rejects a service status that is older than the maximum age', async () => {
    expect(
      await verifyServiceStatus(await signed(), { signerPublicKey, nowMs, maxAgeSeconds: 60 }),
    ).toBe('valid');
    await expect(
      verifyServiceStatus(await signed(), { signerPublicKey, nowMs, maxAgeSeconds: 59 }),
    ).rejects.toMatchObject({ code: 'STATUS_OUTDATED' });
  });

  it.each([
    ['another value', { capacity: { value: false, asOf: 1_760_000_000 } }],
    ['a later moment', { issuedAt: status.issuedAt + 1 }],
    ['one field more', { more: null }],
    ['another chain', { chainId: '0x1' }],
    ['no moment', { issuedAt: undefined }],
  ])(
    'the wallet kit rejects a service status that was changed after signing: %s',
    async (_, changes) => {
      const forged = { ...(await signed()), status: { ...status, ...changes } };
      await expect(
        verifyServiceStatus(Object(forged), { signerPublicKey, nowMs }),
      ).rejects.toMatchObject({ code: 'SIGNATURE_FORGED' });
    },
  );

  it('the wallet kit rejects a service status with the signature of another key than the service’s key', async () => {
    await expect(
      verifyServiceStatus(await signed(), {
        signerPublicKey: ec.starkCurve.getStarkKey('0x2'),
        nowMs,
      }),
    ).rejects.toMatchObject({ code: 'SIGNATURE_FORGED' });
  });
});
