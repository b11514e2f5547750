import * as runner from '@jest/globals';
import { FakeTypedDataSigner, InMemoryQuoteStore } from '../../src/testing/index.js';
import {
  describeQuoteStoreContract,
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
} from '../../src/testing/contracts.js';

const stop = async (): Promise<void> => {};

describeQuoteStoreContract(runner, 'in memory', async () => {
  const subject = new InMemoryQuoteStore();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

const describeSigner = <Message extends object>(messages: SignedMessages<Message>): void =>
  describeTypedDataSignerContract(runner, 'fake', messages, async () => {
    const subject = new FakeTypedDataSigner();
    return {
      subject,
      verifies: async (message, signature) =>
        subject.verifies(messages.typedData(message), signature),
      stop,
    };
  });
describeSigner(QUOTES);
describeSigner(STATUS_DIGESTS);
