import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortStringFelt, signDepositConsent } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { sandboxWorld } from '@sotto/sandbox';
import {
  createWallet,
  memoryStorage,
  type DepositAccount,
  type Prover,
  type Relayer,
  type Wallet,
} from '@sotto/wallet';
import { addressText } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, pools } = sandboxWorld;
const pool = pools.sentinel_1x;
const { depositor, recipient1, lane1 } = accounts;

const prover: Prover = {
  prove: async (request) => {
    const keys = await loadDevelopmentKeys();
    return withdrawalCalldata(await proveWithdrawal(request, keys), keys.verificationKey);
  },
};

describe('two tabs of a wallet on the service', () => {
  let stack: Stack;
  let relayers: readonly Relayer[];
  const storage = memoryStorage();
  let tabs: readonly Wallet[] = [];
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
    const open = (): Promise<Wallet> =>
      createWallet({
        seed: Uint8Array.from({ length: 32 }, (_, index) => index + 1),
        node: String(stack.environment['STARKNET_RPC_URLS']),
        relayers,
        pools: [{ address: addressText(pool), token: toFelt(pool.token) }],
        storage,
        prover,
        account,
      });
    tabs = [await open(), await open()];
  });
  afterAll(async () => {
    for (const tab of tabs) tab.close();
    await stack.stop();
  });

  it('two tabs deposit three notes at once, and a cancelled deposit uses up no index', async () => {
    const before = await stack.chain.wbtcOf(depositor.address);
    const [one, other] = tabs;
    if (one === undefined || other === undefined) throw new Error('there are no tabs');
    const cancelled = one.deposit(addressText(pool));
    expect(await cancelled.cancel()).toBe(true);
    await expect(cancelled.result).rejects.toMatchObject({ code: 'CANCELLED' });
    const deposits = [one, other, one].map((tab) => tab.deposit(addressText(pool)).result);
    const results = await Promise.all(deposits);
    expect(new Set(results.map(({ commitment }) => commitment)).size).toBe(3);
    expect(before - (await stack.chain.wbtcOf(depositor.address))).toBe(3n * pool.denomination);
    expect(await storage.read((await storage.keys('sotto/used-notes/'))[0] ?? '')).toBe('3');
  });

  it('two tabs pay two notes to one recipient only once, and report the amount of the chain', async () => {
    const [one, other] = tabs;
    const [first, second] = (await one?.notes()) ?? [];
    if (first === undefined || second === undefined) throw new Error('there are no notes');
    const to = toFelt(recipient1.address);
    const terms = { maxFee: pool.denomination / 20n, allow: ['TOO_SOON'] } as const;
    const ends = await Promise.allSettled([
      one?.withdraw(first, to, terms).result,
      other?.withdraw(second, to.replace('0x', '0x0').toUpperCase().replace('0X', '0x'), terms)
        .result,
    ]);
    const paid = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused).toMatchObject([{ code: 'RECIPIENT_REUSED' }]);
    expect(paid).toMatchObject([{ amount: await stack.chain.wbtcOf(recipient1.address) }]);
    expect((paid[0]?.amount ?? 0n) + (paid[0]?.fee ?? 0n)).toBe(pool.denomination);
  });
});
