import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortStringFelt, signDepositConsent } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { sandboxWorld } from '@sotto/sandbox';
import {
  Deposit,
  ShieldedPool,
  Withdrawal,
  jsonRpcNode,
  memoryStorage,
  type DepositAccount,
  type DepositEvent,
  type Note,
  type Prover,
  type Relayer,
  type WithdrawalEvent,
} from '@sotto/wallet/advanced';
import { addressText, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, pools } = sandboxWorld;
const pool = pools.sentinel_1x;
const { depositor, recipient1, lane1 } = accounts;
const notes = notesOf(71n, 3);

const prover: Prover = {
  prove: async (request) => {
    const keys = await loadDevelopmentKeys();
    return withdrawalCalldata(await proveWithdrawal(request, keys), keys.verificationKey);
  },
};

describe('a wallet on the service', () => {
  let stack: Stack;
  let relayers: readonly Relayer[];
  const storage = memoryStorage();
  /** Reads the state of the pool from the chain again, as a newly opened wallet does. */
  const poolView = (): Promise<ShieldedPool> => {
    const node = jsonRpcNode({ url: String(stack.environment['STARKNET_RPC_URLS']) });
    return ShieldedPool.open({ node, address: addressText(pool) });
  };
  const account: DepositAccount = {
    address: toFelt(depositor.address),
    execute: async (calls) => {
      for (const { contractAddress, entrypoint, calldata } of calls)
        await stack.chain.act(
          depositor,
          { to: BigInt(contractAddress), entrypoint },
          calldata.map(BigInt),
        );
      return { transaction_hash: '0x1' };
    },
    signMessage: async ({ message: { commitment, expires_at } }) =>
      signDepositConsent(
        { address: toFelt(depositor.address), privateKey: toFelt(depositor.privateKey) },
        {
          chainId: shortStringFelt(sandboxWorld.chainId),
          pool: toFelt(pool.address),
          token: toFelt(pool.token),
          denomination: pool.denomination,
          commitment: BigInt(commitment.low) + (BigInt(commitment.high) << 128n),
          expiresAtMs: Number(expires_at) * 1_000,
        },
      ),
  };

  beforeAll(async () => {
    stack = await Stack.start({ deposit: async () => {} });
    await stack.service.ready();
    const [key = 0n] = await stack.chain.view(lane1.address, 'get_public_key');
    const signerKey = toFelt(key);
    relayers = [
      // No server listens on this port.
      { baseUrl: 'http://127.0.0.1:9', signerKey },
      { baseUrl: stack.service.url, signerKey },
    ];
  });
  afterAll(() => stack.stop());

  const deposit = async (note: Note): Promise<Deposit> =>
    Deposit.begin({
      note,
      pool: await poolView(),
      account,
      payment: { token: toFelt(pool.token), amount: pool.denomination },
      relayers,
      storage,
    });

  it('the wallet deposits notes until their batch is deployed, and each deposit is paid once', async () => {
    const before = await stack.chain.wbtcOf(depositor.address);
    const [last, ...others] = notes.toReversed();
    if (last === undefined) throw new Error('there are no notes');
    for (const note of others.toReversed())
      for await (const event of (await deposit(note)).events())
        if (event.type === 'deposited' || event.type === 'failed') break;
    const events: DepositEvent[] = [];
    for await (const event of (await deposit(last)).events()) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['approving', 'signing', 'posting', 'accepted', 'included', 'active']),
    );
    expect(events.at(-1)).toEqual({ type: 'active', leafIndex: 2, batch: { start: 0, size: 3 } });
    expect(before - (await stack.chain.wbtcOf(depositor.address))).toBe(3n * pool.denomination);
    expect(await Deposit.list(storage)).toHaveLength(3);
  });

  it('a withdrawal succeeds even if the wallet is closed after the relayer has accepted the withdrawal', async () => {
    const [, note] = notes;
    if (note === undefined) throw new Error('there are no notes');
    const withdrawal = Withdrawal.begin({
      note,
      recipient: toFelt(recipient1.address),
      maxFee: pool.denomination / 20n,
      allow: ['TOO_SOON'],
      pool: await poolView(),
      prover,
      relayers,
      storage,
    });
    for await (const event of withdrawal.events()) if (event.type === 'accepted') break;
    const [begun] = await Withdrawal.list(storage);
    expect(begun).toMatchObject({ state: 'open', transactionHash: null });
    const resumed = await Withdrawal.resume(storage, begun?.id ?? '', {
      note,
      pool: await poolView(),
      prover,
      relayers,
    });
    const events: WithdrawalEvent[] = [];
    for await (const event of resumed.events()) events.push(event);
    expect(events.map(({ type }) => type)).not.toContain('proving');
    const { type, transactionHash }: { type?: string; transactionHash?: string } = Object(
      events.at(-1),
    );
    expect(type).toBe('settled');
    expect(await Withdrawal.list(storage)).toEqual([
      expect.objectContaining({ state: 'settled', transactionHash }),
    ]);
    const paid = await stack.chain.wbtcOf(recipient1.address);
    expect(paid).toBeGreaterThan((pool.denomination * 19n) / 20n - 1n);
    expect(paid).toBeLessThan(pool.denomination);
    expect(stack.chain.inclusions()).toHaveLength(4);
  });
});
