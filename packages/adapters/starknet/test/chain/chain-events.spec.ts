import { setTimeout as sleep } from 'node:timers/promises';
import * as runner from '@jest/globals';
import { shortStringFelt, StarknetChainEvents } from '@sotto/adapter-starknet';
import { silentLogger, systemClock } from '@sotto/kernel';
import { describeChainEventsContract } from '@sotto/submission-core/testing/contracts';
import { CuttableRelay } from '../support/cuttable-relay.js';
import { describeOnChain } from '../support/node-under-test.js';

describeOnChain((chain) => {
  describeChainEventsContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const relay = await CuttableRelay.before(stack.wsUrl);
    const [lane, stranger] = stack.lanes;
    const events = new StarknetChainEvents([{ name: 'node', url: relay.url }], {
      chainId: shortStringFelt(stack.world.chainId),
      clock: systemClock,
      logger: silentLogger,
      firstRetryMs: 1,
    });
    const isConnected = (): boolean => events.status().every((node) => node.isConnected);
    return {
      events,
      lane,
      stranger,
      include: async (account) => {
        await stack.send(await stack.signHarmless(account));
        await stack.preConfirm();
      },
      closeBlock: async () => void (await stack.mine()),
      rollBack: async () => stack.rollback(1),
      interrupt: async () => {
        relay.cut();
        while (isConnected()) await sleep(1);
        while (!isConnected()) await sleep(1);
      },
      stop: async () => {
        await relay.stop();
        await stack.stop();
      },
    };
  });
});
