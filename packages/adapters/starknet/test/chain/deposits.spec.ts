import {
  StarknetConsentCheck,
  StarknetDepositReader,
  StarknetPoolDeposits,
  UntrustedNode,
  shortStringFelt,
  signDepositConsent,
} from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { describeDepositsContract } from '@sotto/relayer-core/testing/contracts';
import { signingAccount } from '../support/chain-world.js';
import {
  describeOnChain,
  describePortsOnChain,
  type NodeUnderTest,
} from '../support/node-under-test.js';
import { V4_ENTRYPOINTS } from '../support/settings.js';

const LEAVES = [71n, (5n << 128n) + 72n, 73n];
const NEW = (6n << 128n) + 74n;

async function startedOn(chain: NodeUnderTest) {
  const stack = await chain.start();
  const { accounts, pools, tokens, chainId } = stack.world;
  const [pool, token] = [toFelt(pools.sentinel_1x.address), toFelt(tokens.WBTC.address)];
  const depositor = toFelt(accounts.crowd1.address);
  const hashes = [];
  for (const leaf of LEAVES) {
    const calldata = Felts.of([...u256ToHalves(leaf), accounts.crowd1.address]);
    hashes.push(await stack.send(await stack.sign(stack.lanes[0], pool, 'deposit', calldata)));
  }
  const approval = Felts.of([BigInt(pool), 20_000n, 0n]);
  const without = await stack.send(await stack.sign(depositor, token, 'approve', approval));
  await stack.mine();
  const consent = {
    chainId: shortStringFelt(chainId),
    pool,
    token,
    denomination: 20_000n,
    commitment: NEW,
    expiresAtMs: 1_792_000_000_000,
  };
  const reader = new StarknetDepositReader(stack.node, V4_ENTRYPOINTS);
  const question = { pool, token, commitment: NEW, depositor };
  const { depositorClass, lastRoot, balance } = await reader.depositFacts(question);
  const signature = Felts.parse(signDepositConsent(signingAccount(accounts.crowd1), consent));
  const signed = {
    consent,
    depositor,
    depositorClass: depositorClass ?? depositor,
    signature,
    isKnownClass: false,
  };
  const untrusted = new UntrustedNode([{ name: 'node', url: stack.url }], {
    inUse: () => 'node',
  });
  return {
    stack,
    untrusted,
    reader,
    question,
    hashes,
    without,
    signed,
    lastRoot,
    balance,
    depositorClass,
  };
}

describePortsOnChain((chain) => {
  describeDepositsContract(runner, chain.name, async () => {
    const { stack, untrusted, reader, question, hashes, without, signed, ...facts } =
      await startedOn(chain);
    const { lastRoot, balance, depositorClass } = facts;
    const [first, , third] = hashes;
    if (first === undefined || third === undefined) throw new Error('nothing was deposited');
    return {
      reader,
      question,
      facts: {
        denomination: 20_000n,
        nextIndex: 3,
        lastRoot,
        commitmentKnown: false,
        depositorClass,
        balance,
        allowance: 20_000n,
      },
      knownCommitment: LEAVES[1] ?? 0n,
      nowhere: toFelt('0xdead'),
      consents: new StarknetConsentCheck(stack.node, untrusted),
      signed,
      noAccount: question.token,
      deposits: new StarknetPoolDeposits(stack.node),
      landed: [
        { transactionHash: first, deposit: { commitment: 71n, leafIndex: 0, batch: null } },
        {
          transactionHash: third,
          deposit: { commitment: 73n, leafIndex: 2, batch: { id: 0, start: 0, size: 3 } },
        },
      ],
      without,
      unknown: toFelt('0xdeadbeef'),
      breakDown: async () => stack.breakDown(),
      stop: async () => {
        untrusted.close();
        await stack.stop();
      },
    };
  });
});

describeOnChain((chain) => {
  describe('the reads of one deposit', () => {
    it('go out in one HTTP request, and show what the chain has', async () => {
      const { stack, reader, question, balance, lastRoot, depositorClass } = await startedOn(chain);
      try {
        expect([balance > 0n, lastRoot > 0n, depositorClass]).toEqual([
          true,
          true,
          expect.stringMatching(/^0x/),
        ]);
        stack.resetCounters();
        await reader.depositFacts(question);
        expect(stack.counters().httpRequests).toBe(1);
      } finally {
        await stack.stop();
      }
    });

    it('takes 1 for an answer only from the classes that are known to give it', async () => {
      const { stack, untrusted, signed } = await startedOn(chain);
      try {
        const legacy = new StarknetConsentCheck(stack.node, untrusted, [signed.depositorClass]);
        expect(await legacy.isGiven(signed)).toBe(false);
      } finally {
        untrusted.close();
        await stack.stop();
      }
    });

    it('T10 reads class and signature of a known account at one block, and calls no account of another class', async () => {
      const { stack, untrusted, signed } = await startedOn(chain);
      try {
        const consents = new StarknetConsentCheck(stack.node, untrusted);
        const known = { ...signed, isKnownClass: true };
        expect(await consents.isGiven(known)).toBe(true);
        expect(await consents.isGiven({ ...known, signature: Felts.of([1n, 2n]) })).toBe(false);
        stack.resetCounters();
        const replaced = { ...known, depositorClass: toFelt('0xc1a55') };
        await expect(consents.isGiven(replaced)).rejects.toMatchObject({
          code: 'DEPOSIT_SIGNATURE_UNCHECKED',
        });
        expect(stack.counters().calls['starknet_call'] ?? 0).toBe(0);
      } finally {
        untrusted.close();
        await stack.stop();
      }
    });
  });
});
