import * as runner from '@jest/globals';
import { FakeBridgeProtocol, InMemoryTransferStore } from '../../src/testing/index.js';
import {
  describeBridgeProtocolContract,
  describeTransferStoreContract,
} from '../../src/testing/contracts.js';

const stop = async (): Promise<void> => {};

describeTransferStoreContract(runner, 'in memory', async () => {
  const subject = new InMemoryTransferStore();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeBridgeProtocolContract(runner, 'fake', async () => {
  const subject = new FakeBridgeProtocol();
  return {
    subject,
    unknownId: 'fake-transfer-0',
    async stage(state) {
      if (state === 'no_route' || state === 'recipient_refused') subject.refuse({ kind: state });
      else if (state === 'amount_too_low') subject.refuse({ kind: state, minimum: 1n });
      else if (state === 'unknown_word') subject.show('fake-transfer-1', { next: 'processing' });
      else if (state !== 'working') subject.fail();
    },
    deposit: async (transactionId) => subject.deposit(transactionId, '0xdeb0'),
    finishStep: async (transactionId) => subject.finishStep(transactionId),
    failStep: async (transactionId) => subject.show(transactionId, { next: 'failed' }),
    refund: async (transactionId) => subject.show(transactionId, { refunded: true }),
    stop,
  };
});
