import {
  FakeQuoteSigner,
  InMemoryQuoteStore,
  describeQuoteStoreContract,
  describeQuoteSignerContract,
} from '../../src/testing/index.js';

const stop = async (): Promise<void> => {};

describeQuoteStoreContract('in memory', async () => {
  const subject = new InMemoryQuoteStore();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeQuoteSignerContract('fake', async () => {
  const subject = new FakeQuoteSigner();
  return { subject, verifies: async (signed) => subject.verifies(signed), stop };
});
