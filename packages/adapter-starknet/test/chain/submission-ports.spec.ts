import { StarknetBroadcaster, StarknetChainReader, StarknetNonceHistory } from '@sotto/adapter-starknet';
import { describeBroadcasterContract, describeChainReaderContract, describeNonceHistoryContract } from '@sotto/submission-core/testing';
import { describeOnChain } from '../support/node-under-test.js';

const SEND = 'starknet_addInvokeTransaction';

describeOnChain((chain) => {
  const { mempool } = chain.capabilities;

  describeBroadcasterContract(
    chain.name,
    async () => {
      const stack = await chain.start();
      const [lane] = stack.lanes;
      const before = stack.counters().calls[SEND] ?? 0;
      let staged = 0;
      return {
        subject: new StarknetBroadcaster(stack.node),
        sign: async () => (await stack.signHarmless(lane)).bytes,
        stage: async (next) => {
          switch (next) {
            case 'answer_lost':
              return stack.addFault({ method: SEND, fault: { kind: 'accept-and-drop-answer' } });
            case 'html':
              return stack.addFault({ method: SEND, fault: { kind: 'html' } });
            case 'unreachable':
              return stack.breakDown();
            case 'refused_price':
              return stack.setGasPrices({ l2GasFri: 10n ** 12n });
            case 'refused_funds':
              return stack.impoverish(lane);
            case 'refused_call':
              return stack.useWrongKey(lane);
            case 'refused_nonce':
              await stack.takeNonce(lane);
              staged += 1;
          }
        },
        requests: async () => (stack.counters().calls[SEND] ?? 0) - before - staged,
        stop: async () => stack.stop(),
      };
    },
    { knowsDuplicates: mempool },
  );

  describeChainReaderContract(
    chain.name,
    async () => {
      const stack = await chain.start();
      return {
        subject: new StarknetChainReader(stack.node),
        accounts: stack.lanes,
        send: async (account, execution) =>
          stack.send(execution === 'SUCCEEDED' ? await stack.signHarmless(account) : await stack.signReverting(account)),
        preConfirm: async () => stack.preConfirm(),
        accept: async () => {
          await stack.mine();
        },
        setGasPrices: async (prices) => stack.setGasPrices(prices),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
    { hasMempool: mempool },
  );

  describeNonceHistoryContract(chain.name, async () => {
    const stack = await chain.start();
    return {
      subject: new StarknetNonceHistory(stack.node),
      accounts: stack.lanes,
      send: async (account) => stack.send(await stack.signHarmless(account)),
      preConfirm: async () => stack.preConfirm(),
      accept: async () => {
        await stack.mine();
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});
