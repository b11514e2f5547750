import * as runner from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { SimulatedCall } from '../../src/index.js';
import { describeCallSimulatorContract } from '../../src/testing/contracts.js';
import { FakeCallSimulator } from '../../src/testing/index.js';

const POOL = toFelt('0x9001');

function call(entrypoint: string): SimulatedCall {
  return { to: POOL, entrypoint, calldata: Felts.of([1n]) };
}

describeCallSimulatorContract(runner, 'fake', async () => {
  const account = toFelt('0xacc');
  const missing = toFelt('0xdead');
  const subject = new FakeCallSimulator([missing]);
  subject.revert('unknown root', ({ entrypoint }) => entrypoint === 'broken');
  subject.revert(
    'not relayer',
    ({ entrypoint, as }) => entrypoint === 'deploy_batch' && as !== account,
  );
  return {
    subject,
    succeeds: call('withdraw'),
    reverts: { call: call('broken'), reason: 'unknown root' },
    restricted: { call: call('deploy_batch'), account, rejection: 'not relayer' },
    noContract: missing,
    transact: async () => {},
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
