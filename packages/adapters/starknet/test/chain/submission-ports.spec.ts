import * as runner from '@jest/globals';
import {
  HeldKeys,
  StarknetAccountCheck,
  StarknetAccountHistory,
  StarknetBroadcaster,
  StarknetChainReader,
  StarknetNonceHistory,
  StarknetSnapshots,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import type { SignedTransaction } from '@sotto/submission-core';
import {
  describeAccountCheckContract,
  describeAccountHistoryContract,
  describeBroadcasterContract,
  describeChainReaderContract,
  describeNonceHistoryContract,
  describeSnapshotsContract,
} from '@sotto/submission-core/testing/contracts';
import { z } from 'zod';
import { signingAccount } from '../support/chain-world.js';
import { describePortsOnChain } from '../support/node-under-test.js';

const SEND = 'starknet_addInvokeTransaction';
const Block = z.object({ block_number: z.int(), block_hash: z.string(), timestamp: z.int() });

const nonceOf = ({ bytes }: SignedTransaction): bigint =>
  BigInt(JSON.parse(new TextDecoder().decode(bytes)).nonce);

describePortsOnChain((chain) => {
  const { mempool, renamesBlocks } = chain.capabilities;

  describeBroadcasterContract(
    runner,
    chain.name,
    async () => {
      const stack = await chain.start();
      const [lane] = stack.lanes;
      const before = stack.counters().calls[SEND] ?? 0;
      let staged = 0;
      // The service also reads the chain before it sends anything.
      await new StarknetSnapshots(stack.node).latest(null);
      return {
        subject: new StarknetBroadcaster(stack.sending),
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
              return stack.useWrongProof(lane);
            case 'refused_account':
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
    runner,
    chain.name,
    async () => {
      const stack = await chain.start();
      return {
        subject: new StarknetChainReader(stack.node, { l1MaxAgeMs: 0 }),
        chainId: shortStringFelt(stack.world.chainId),
        accounts: stack.lanes,
        send: async (account, execution) =>
          stack.send(
            execution === 'SUCCEEDED'
              ? await stack.signHarmless(account)
              : await stack.signReverting(account),
          ),
        preConfirm: async () => stack.preConfirm(),
        accept: async () => {
          await stack.mine();
        },
        rollback: async () => stack.rollback(1),
        acceptOnL1: async () => stack.acceptOnL1(),
        makeUnreadable: async (what) => stack.makeUnreadable(what),
        setGasPrices: async (prices) => stack.setGasPrices(prices),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
    { hasMempool: mempool, renamesBlocks },
  );

  describeNonceHistoryContract(runner, chain.name, async () => {
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

  describeSnapshotsContract(runner, chain.name, async () => {
    const stack = await chain.start();
    return {
      subject: new StarknetSnapshots(stack.node),
      mine: async () => {
        await stack.mine();
        const block = await stack.node.call({
          method: 'starknet_getBlockWithTxHashes',
          params: { block_id: 'latest' },
          result: Block,
        });
        return {
          number: block.block_number,
          hash: toFelt(block.block_hash),
          timestamp: block.timestamp,
        };
      },
      rollback: async () => stack.rollback(1),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });

  describeAccountHistoryContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const strk = toFelt(stack.world.tokens.STRK.address);
    let amount = 1n;
    return {
      subject: new StarknetAccountHistory(stack.node, {
        entrypoints: ['approve', 'transfer'],
        concurrency: 2,
      }),
      reader: new StarknetChainReader(stack.node),
      accounts: stack.lanes,
      include: async (account, execution) => {
        amount += 1n;
        // One call reverts, because it transfers more than the total supply. The other call
        // succeeds: it grants an allowance to the account 0x1.
        const target = { to: strk, entrypoint: execution === 'SUCCEEDED' ? 'approve' : 'transfer' };
        const calldata = Felts.of(
          execution === 'SUCCEEDED' ? [1n, amount, 0n] : [1n, amount, 2n ** 100n],
        );
        const signed = await stack.sign(account, target.to, target.entrypoint, calldata);
        const hash = await stack.send(signed);
        await stack.mine();
        return { hash, nonce: nonceOf(signed), target, calldata };
      },
      includeNoop: async (account) => {
        const hash = await stack.send(await stack.signNoop(account));
        await stack.mine();
        return hash;
      },
      preConfirm: async (account) => {
        const hash = await stack.send(await stack.signHarmless(account));
        await stack.preConfirm();
        return hash;
      },
      rollback: async () => stack.rollback(1),
      passTime: async (seconds) => stack.passTime(seconds),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });

  describeAccountCheckContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const { accounts, tokens } = stack.world;
    const { privateKey, address } = signingAccount(accounts.lane1);
    const broken = {
      NOT_DEPLOYED: toFelt('0xdead'),
      NO_ACCOUNT_CLASS: toFelt(tokens.STRK.address),
      WRONG_KEY: stack.lanes[1],
    };
    const held = [address, ...Object.values(broken)].map((each) => ({ address: each, privateKey }));
    return {
      subject: new StarknetAccountCheck(stack.node, new HeldKeys(held)),
      sound: address,
      broken,
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});
