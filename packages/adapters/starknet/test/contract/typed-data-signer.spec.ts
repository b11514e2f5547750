import * as runner from '@jest/globals';
import { HeldKeys, StarknetTypedDataSigner } from '@sotto/adapter-starknet';
import { verifyFeeQuote } from '@sotto/wallet/advanced';
import { feltToBigInt } from '@sotto/kernel';
import {
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
} from '@sotto/relayer-core/testing/contracts';
import { sandboxWorld } from '@sotto/sandbox';
import { ec, typedData } from 'starknet';
import { signingAccount } from '../support/chain-world.js';

const account = signingAccount(sandboxWorld.accounts.lane1);
const publicKey = ec.starkCurve.getPublicKey(account.privateKey.slice(2).padStart(64, '0'));
const stop = async (): Promise<void> => {};

const describeWithStarknetJs = <Message extends object>(messages: SignedMessages<Message>): void =>
  describeTypedDataSignerContract(
    runner,
    'Stark key, verified by starknet.js',
    messages,
    async () => ({
      subject: new StarknetTypedDataSigner(new HeldKeys([account]), account.address),
      verifies: async (message, { signature: [r, s], signer }) => {
        const hash = typedData.getMessageHash(messages.typedData(message), signer);
        const signature = new ec.starkCurve.Signature(feltToBigInt(r), feltToBigInt(s));
        return ec.starkCurve.verify(signature, hash, publicKey);
      },
      stop,
    }),
  );
describeWithStarknetJs(QUOTES);
describeWithStarknetJs(STATUS_DIGESTS);

describeTypedDataSignerContract(
  runner,
  'Stark key, verified by the wallet kit',
  QUOTES,
  async () => {
    const signerPublicKey = ec.starkCurve.getStarkKey(account.privateKey);
    return {
      subject: new StarknetTypedDataSigner(new HeldKeys([account]), account.address),
      verifies: async ({ id: quoteId, feeAmount, expiresAtMs, ...rest }, signature) => {
        const fee = String(feeAmount);
        const quote = { ...rest, ...signature, quoteId, fee, expiresAt: expiresAtMs / 1_000 };
        try {
          verifyFeeQuote(quote, { signerPublicKey, nowMs: expiresAtMs - 1 });
          return true;
        } catch {
          return false;
        }
      },
      stop,
    };
  },
);
