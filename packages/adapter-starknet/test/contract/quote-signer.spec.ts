import { NodeRefusedCall, StarknetQuoteSigner, selectorOf, type SigningAccount } from '@sotto/adapter-starknet';
import { verifyFeeQuote } from '@sotto/circuits';
import { feltToBigInt } from '@sotto/kernel';
import { feeQuoteTypedData, type SignedFeeQuote } from '@sotto/relayer-core';
import { describeQuoteSignerContract } from '@sotto/relayer-core/testing';
import { ec, typedData } from 'starknet';
import { z } from 'zod';
import { SandboxStack, laneAccounts } from '../support/sandbox-stack.js';

const [account] = laneAccounts;
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

describeQuoteSignerContract('Stark key, verified by its account on the chain', async () => {
  const stack = await SandboxStack.start();
  return {
    subject: new StarknetQuoteSigner(account),
    verifies: async (signed) => isValidSignature(stack, signed),
    stop: async () => stack.stop(),
  };
});

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

/** Short string `VALID`. */
const VALID = '0x56414c4944';

async function isValidSignature({ node }: SandboxStack, { signature, signer, ...quote }: SignedFeeQuote): Promise<boolean> {
  const hash = typedData.getMessageHash(feeQuoteTypedData(quote), signer);
  const calldata = [hash, '0x2', ...signature];
  const request = { contract_address: account.address, entry_point_selector: selectorOf('is_valid_signature'), calldata };
  try {
    const answer = await node.call({
      method: 'starknet_call',
      params: { request, block_id: 'latest' },
      result: z.tuple([z.string()]),
    });
    return answer[0] === VALID;
  } catch (error) {
    if (error instanceof NodeRefusedCall) return false;
    throw error;
  }
}

function publicKeyOf({ privateKey }: SigningAccount): Uint8Array {
  return ec.starkCurve.getPublicKey(privateKey.slice(2).padStart(64, '0'));
}
