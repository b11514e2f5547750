import * as runner from '@jest/globals';
import {
  RemoteKeys,
  StarknetAccountSigner,
  StarknetTypedDataSigner,
} from '@sotto/adapter-starknet';
import { feltToBigInt, toFelt } from '@sotto/kernel';
import {
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
} from '@sotto/relayer-core/testing/contracts';
import { describeTransactionSignerContract } from '@sotto/submission-core/testing/contracts';
import { ec, typedData } from 'starknet';
import type { PolicyFile } from '../../src/policy/policy.js';
import { BOUNDS, CHAIN_ID, ONE, POOL, SignerUnderTest, TWO } from '../support/signer-under-test.js';

const RICH = { perHourFri: '9'.repeat(30), perDayFri: '9'.repeat(30) };
const policyOf = (chainId: string): PolicyFile => ({
  version: 1,
  chainId,
  budget: RICH,
  accounts: [ONE, TWO].map(({ address }) => ({
    address,
    messages: ['FeeQuote', 'ServiceStatus'],
    calls: [{ contract: POOL, entrypoint: 'withdraw', opaque: true }],
    bounds: { ...BOUNDS, maxTipFri: '1' },
  })),
});
const TIMEOUT_MS = 60_000;

describeTransactionSignerContract(runner, 'keys of a signer', async () => {
  const signer = await SignerUnderTest.start({ policy: policyOf('SN_TEST') });
  const keys = new RemoteKeys({
    url: signer.url,
    tls: null,
    timeoutMs: TIMEOUT_MS,
    chainId: CHAIN_ID,
  });
  const subject = new StarknetAccountSigner({ chainId: CHAIN_ID, keys });
  return {
    subject,
    accounts: [ONE.address, TWO.address],
    unknownAccount: toFelt('0xbad'),
    stop: async () => {
      await subject.close();
      keys.close();
      await signer.stop();
    },
  };
});

const publicKey = ec.starkCurve.getPublicKey(ONE.privateKey.slice(2).padStart(64, '0'));
const describeMessages = <Message extends object>(messages: SignedMessages<Message>): void =>
  describeTypedDataSignerContract(runner, 'key of a signer', messages, async () => {
    // Chain id in the messages of this suite.
    const chainId = toFelt('0x534e5f5345504f4c4941');
    const signer = await SignerUnderTest.start({ policy: policyOf('SN_SEPOLIA') });
    const keys = new RemoteKeys({ url: signer.url, tls: null, timeoutMs: TIMEOUT_MS, chainId });
    return {
      subject: new StarknetTypedDataSigner(keys, ONE.address),
      verifies: async (message, { signature: [r, s], signer: account }) => {
        const hash = typedData.getMessageHash(messages.typedData(message), account);
        const signature = new ec.starkCurve.Signature(feltToBigInt(r), feltToBigInt(s));
        return ec.starkCurve.verify(signature, hash, publicKey);
      },
      stop: async () => {
        keys.close();
        await signer.stop();
      },
    };
  });
describeMessages(QUOTES);
describeMessages(STATUS_DIGESTS);
