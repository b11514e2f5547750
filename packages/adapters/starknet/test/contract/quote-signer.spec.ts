import { StarknetQuoteSigner, type SigningAccount } from '@sotto/adapter-starknet';
import { verifyFeeQuote } from '@sotto/circuits';
import { feltToBigInt } from '@sotto/kernel';
import { feeQuoteTypedData } from '@sotto/relayer-core';
import { describeQuoteSignerContract } from '@sotto/relayer-core/testing';
import { sandboxWorld } from '@sotto/sandbox';
import { ec, typedData } from 'starknet';
import { signingAccount } from '../support/chain-world.js';

const account = signingAccount(sandboxWorld.accounts.lane1);
const stop = async (): Promise<void> => {};

describeQuoteSignerContract('Stark key, verified by starknet.js', async () => ({
  subject: new StarknetQuoteSigner(account),
  verifies: async ({ signature: [r, s], signer, ...quote }) => {
    const hash = typedData.getMessageHash(feeQuoteTypedData(quote), signer);
    const signature = new ec.starkCurve.Signature(feltToBigInt(r), feltToBigInt(s));
    return ec.starkCurve.verify(signature, hash, publicKeyOf(account));
  },
  stop,
}));

describeQuoteSignerContract('Stark key, verified by the wallet kit', async () => {
  const signerPublicKey = ec.starkCurve.getStarkKey(account.privateKey);
  return {
    subject: new StarknetQuoteSigner(account),
    verifies: async ({ id: quoteId, feeAmount, expiresAtMs, ...rest }) => {
      const quote = { ...rest, quoteId, fee: String(feeAmount), expiresAt: expiresAtMs / 1_000 };
      return verifyFeeQuote(quote, { signerPublicKey, nowMs: expiresAtMs - 1 }) === 'valid';
    },
    stop,
  };
});

function publicKeyOf({ privateKey }: SigningAccount): Uint8Array {
  return ec.starkCurve.getPublicKey(privateKey.slice(2).padStart(64, '0'));
}
