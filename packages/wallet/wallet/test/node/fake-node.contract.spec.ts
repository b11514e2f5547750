import * as runner from '@jest/globals';

import { FakeNode, FakePoolContract as FakePool } from '../../src/testing/index.js';
import { describeNodeReaderContract } from '../../src/testing/contracts.js';

describeNodeReaderContract(runner, 'fake', async () => {
  const node = new FakeNode('0x1234');
  const pool = new FakePool(node, '0xabc');
  let waiting = 0;
  return {
    subject: node,
    chainId: '0x1234',
    pool: pool.address,
    account: '0xacc',
    deposit: async (commitments) => {
      const events = commitments.flatMap((commitment) => {
        waiting = (waiting + 1) % 3;
        const deposit = pool.deposit(commitment);
        return waiting === 0 ? [deposit, pool.deployBatch(3)] : [deposit];
      });
      node.mine(events, ['0xacc']);
    },
    mine: async (blocks) => {
      for (let mined = 0; mined < blocks; mined += 1) node.mine();
    },
    rollback: async (blocks) => node.rollback(blocks),
    breakDown: async () => node.breakDown(),
    stop: async () => {},
  };
});
