import {
  FakeTypedDataSigner,
  InMemoryQuoteStore,
  describeQuoteStoreContract,
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
} from '../../src/testing/index.js';

const stop = async (): Promise<void> => {};

describeQuoteStoreContract('in memory', async () => {
  const subject = new InMemoryQuoteStore();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

const describeSigner = <Message extends object>(messages: SignedMessages<Message>): void =>
  describeTypedDataSignerContract('fake', messages, async () => {
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
