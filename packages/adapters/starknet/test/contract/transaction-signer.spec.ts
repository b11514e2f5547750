import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { describeTransactionSignerContract } from '@sotto/submission-core/testing/contracts';
import { signerOf } from '../support/chain-stack.js';
import { lanesOf } from '../support/chain-world.js';

describeTransactionSignerContract(runner, 'Stark keys', async () => {
  const subject = signerOf(sandboxWorld);
  return {
    subject,
    accounts: lanesOf(sandboxWorld),
    unknownAccount: toFelt('0xbad'),
    stop: async () => subject.close(),
  };
});
