import {
  StarknetPoolReader,
  UntrustedNode,
  shortStringFelt,
  signDepositConsent,
} from '@sotto/adapter-starknet';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { signingAccount } from './chain-world.js';
import type { NodeUnderTest } from './node-under-test.js';
import { V4_ENTRYPOINTS } from './settings.js';

/** Commitments of the deposits. The third commitment completes a batch. */
export const LEAVES = [71n, (5n << 128n) + 72n, 73n];
const NEW = (6n << 128n) + 74n;

/**
 * Starts a chain with three deposits that a relayer sent. A depositor has approved and signed a
 * fourth deposit, which is not sent yet.
 */
export async function startedOn(chain: NodeUnderTest) {
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
  const reader = new StarknetPoolReader(stack.node, V4_ENTRYPOINTS);
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
    breakDown: async () => stack.breakDown(),
    stop: async () => {
      untrusted.close();
      await stack.stop();
    },
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
