import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { toSignals } from '@sotto/prover/testing';
import {
  jsonRpcNode,
  memoryStorage,
  ownWithdrawal,
  ShieldedPool,
  Withdrawal,
  type AccountCall,
  type Prover,
  type Relayer,
} from '@sotto/wallet/advanced';
import { addressText, commitmentsOf, notesOf } from '../e2e/support/notes.js';
import type { ChainUnderTest } from './support/chain-under-test.js';
import { describeOnChain } from './support/describe-on-chain.js';

const POOL = 'sentinel_1x';
const notes = notesOf(0x6fn, 3);
/** Prover that forges proofs with the trapdoor of the verification key, without computing them. */
const prover: Prover = { prove: async (request) => forgedCalldata(toSignals(request)) };
/** No server listens on these ports, so every relayer is down. */
const relayers: readonly Relayer[] = ['http://127.0.0.1:9', 'http://127.0.0.1:19'].map(
  (baseUrl) => ({ baseUrl, signerKey: '0x1' }),
);

const noteAt = (index: number) => {
  const note = notes[index];
  if (note === undefined) throw new Error('there is no such note');
  return note;
};
const recipientOf = (index: number) => 2n ** 250n + 0x0e11n + BigInt(index);

describeOnChain('a wallet whose relayers are all down', ({ start }) => {
  let chain: ChainUnderTest;
  const storage = memoryStorage();
  beforeAll(async () => {
    chain = await start({ verificationKey: trapdoorKey });
    await chain.deposit(POOL, commitmentsOf(notes));
  });
  afterAll(() => chain.stop());

  const open = () =>
    ShieldedPool.open({
      node: jsonRpcNode({ url: chain.client.rpcUrl }),
      address: addressText(chain.world.pools[POOL]),
    });
  const build = async (index: number) =>
    ownWithdrawal({
      note: noteAt(index),
      pool: await open(),
      prover,
      storage,
      recipient: toFelt(recipientOf(index)),
      allow: ['SENDER_IS_PUBLIC'],
    });
  /** Sends the call from an account that neither the pool nor any relayer knows. */
  const execute = ({ contractAddress, entrypoint, calldata }: AccountCall) =>
    chain.act(chain.world.accounts.crowd1, [
      { to: BigInt(contractAddress), entrypoint, calldata: calldata.map(BigInt) },
    ]);

  it('the user’s account withdraws the whole denomination to the recipient, without a fee', async () => {
    const { call, admittedBy, warnings } = await build(0);
    expect(admittedBy).toBe('self-relay');
    expect(warnings).toMatchObject([{ code: 'TOO_SOON', untilMs: expect.any(Number) }]);
    await execute(call);
    expect(await chain.wbtcOf(recipientOf(0))).toBe(chain.world.pools[POOL].denomination);
    expect(await chain.isSpent(POOL, noteAt(0).nullifierHash)).toBe(true);
    await expect(execute(call)).rejects.toThrow('already withdrawn');
  });

  it('a relayed withdrawal that waits for its relayers settles by the user’s own call', async () => {
    const withdrawal = Withdrawal.begin({
      note: noteAt(1),
      pool: await open(),
      prover,
      relayers,
      storage,
      recipient: toFelt(recipientOf(1)),
      maxFee: 1n,
      allow: ['TOO_SOON'],
    });
    const types: string[] = [];
    for await (const event of withdrawal.events()) {
      types.push(event.type);
      if (event.type === 'waiting') await execute((await build(1)).call);
    }
    expect(types).toEqual(['waiting', 'settled']);
    expect(await chain.wbtcOf(recipientOf(1))).toBe(chain.world.pools[POOL].denomination);
  });
});
