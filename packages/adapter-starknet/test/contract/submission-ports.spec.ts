import { StarknetBroadcaster, StarknetChainReader, StarknetNonceHistory } from '@sotto/adapter-starknet';
import { Felts, feltToBigInt, toFelt } from '@sotto/kernel';
import {
  describeBroadcasterContract,
  describeChainReaderContract,
  describeNonceHistoryContract,
  describeTransactionSignerContract,
} from '@sotto/submission-core/testing';
import { SandboxStack, newSigner } from '../support/sandbox-stack.js';

const [LANE] = SandboxStack.lanes;
const SEND = 'starknet_addInvokeTransaction';

describeBroadcasterContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  const { control } = stack;
  return {
    subject: new StarknetBroadcaster(stack.node),
    sign: async () => (await stack.signHarmless(LANE)).bytes,
    stage: async (next) => {
      switch (next) {
        case 'answer_lost':
          return control.addFault({ method: SEND, fault: { kind: 'accept-and-drop-answer' } });
        case 'html':
          return control.addFault({ method: SEND, fault: { kind: 'html' } });
        case 'unreachable':
          return stack.breakDown();
        case 'refused_price':
          control.setGasPrices({ l2Gas: 10n ** 12n });
          control.mine();
          return;
        case 'refused_funds':
          return stack.setBalance(LANE, 1n);
        case 'refused_call':
          return stack.changeKey(LANE);
        case 'refused_nonce':
          control.takeNonce(feltToBigInt(LANE));
          control.mine();
      }
    },
    requests: async () => control.counters().calls[SEND] ?? 0,
    stop: async () => stack.stop(),
  };
});

describeChainReaderContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  return {
    subject: new StarknetChainReader(stack.node),
    accounts: SandboxStack.lanes,
    send: async (account, execution) =>
      stack.send(
        execution === 'SUCCEEDED'
          ? await stack.signHarmless(account)
          : await stack.sign(account, SandboxStack.pool, 'withdraw', Felts.of([1n, 1n])),
      ),
    preConfirm: async () => stack.preConfirm(),
    accept: async () => {
      stack.control.mine();
    },
    setGasPrices: async ({ l2GasFri, l1GasFri, l1DataGasFri }) => {
      stack.control.setGasPrices({ l2Gas: l2GasFri, l1Gas: l1GasFri, l1DataGas: l1DataGasFri });
      stack.control.mine();
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeNonceHistoryContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  return {
    subject: new StarknetNonceHistory(stack.node),
    accounts: SandboxStack.lanes,
    send: async (account) => stack.send(await stack.signHarmless(account)),
    preConfirm: async () => stack.preConfirm(),
    accept: async () => {
      stack.control.mine();
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeTransactionSignerContract('Stark keys', async () => {
  const subject = newSigner();
  return { subject, accounts: SandboxStack.lanes, stranger: toFelt('0xbad'), stop: async () => subject.close() };
});
