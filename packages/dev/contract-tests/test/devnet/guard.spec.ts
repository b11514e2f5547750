import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { GuardCalls, selectorOf } from '@sotto/adapter-starknet';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { loadWithdrawalVector } from '@sotto/prover/node';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain, type ContractCall } from '../support/devnet-chain.js';
import { DENOMINATION, PoolOnDevnet } from '../support/pool-on-devnet.js';

const vector = await loadWithdrawalVector();
const leaves = vector.leaves.map(BigInt);
const proof = vector.calldata.map(BigInt);
const [root = 0n] = vector.publicInputs.map(BigInt);

const SUCCEEDED = { revertReason: undefined };
const reverts = (text: string) => ({ revertReason: expect.stringContaining(`('${text}')`) });

describeOnDevnet('guard', () => {
  let chain: DevnetChain;
  let guard: bigint;
  beforeAll(async () => {
    chain = await DevnetChain.start();
    guard = await chain.deploy('Guard', {});
  });
  afterAll(() => chain.stop());

  /** Returns the calls of a transaction, including guard calls, as the service sends them. */
  const guarded = (pool: PoolOnDevnet, entrypoint: string, felts: readonly bigint[]) => {
    const guards = new GuardCalls({
      guard: toFelt(guard),
      entrypoints: { isKnownRoot: 'is_known_root', isSpent: 'is_spent' },
      swapPool: null,
      depositTokens: new Map([[toFelt(pool.address), toFelt(pool.token)]]),
    });
    const target = { to: toFelt(pool.address), entrypoint };
    const calldata = Felts.of(felts);
    const leading =
      guards.beforeWithdrawal(target, calldata) ??
      guards.beforeDeposit(target, calldata, DENOMINATION);
    if (leading === null) throw new Error('the call has no guard');
    const first: ContractCall = {
      contract: guard,
      entrypoint: leading.target.entrypoint,
      calldata: leading.calldata.toHex().map(BigInt),
    };
    return [first, { contract: pool.address, entrypoint, calldata: felts }] as const;
  };
  const poolWith = async (commitments: readonly bigint[]): Promise<PoolOnDevnet> => {
    const pool = await PoolOnDevnet.deploy(chain);
    await pool.depositAll(commitments);
    return pool;
  };

  it('T8: the guard contract reverts a second withdrawal of the same note at a low cost', async () => {
    const pool = await poolWith(leaves);
    const passed = await chain.send(...guarded(pool, 'withdraw', proof));
    expect(passed).toMatchObject(SUCCEEDED);
    expect(await pool.counts()).toEqual([1n, 5n, 6n * DENOMINATION]);

    const plain = await pool.withdraw(proof);
    expect(plain).toMatchObject(reverts('already withdrawn'));
    const early = await chain.send(...guarded(pool, 'withdraw', proof));
    expect(early).toMatchObject(reverts('guard: differs'));
    expect(early.l2Gas).toBeLessThan(plain.l2Gas / 3);
  });

  it('T8: the guard contract reverts a withdrawal with an unknown root before verifying the proof', async () => {
    const pool = await poolWith([]);
    expect(await pool.says('is_known_root', root)).toBe(false);
    const plain = await pool.withdraw(proof);
    const early = await chain.send(...guarded(pool, 'withdraw', proof));
    expect(early).toMatchObject(reverts('guard: differs'));
    expect(early.l2Gas).toBeLessThan(plain.l2Gas / 3);
  });

  it('T8: the guard contract reverts a deposit without allowance before the pool computes tree hashes', async () => {
    const pool = await poolWith([]);
    const deposit = [5n, 0n, chain.owner];
    expect(await chain.send(...guarded(pool, 'deposit', deposit))).toMatchObject(SUCCEEDED);
    await chain.send({
      contract: pool.token,
      entrypoint: 'approve',
      calldata: [pool.address, ...u256ToHalves(DENOMINATION - 1n)],
    });
    const plain = await pool.deposit(6n);
    const early = await chain.send(...guarded(pool, 'deposit', [6n, 0n, chain.owner]));
    expect(plain.revertReason).toBeDefined();
    expect(early).toMatchObject(reverts('guard: below'));
    expect(early.l2Gas).toBeLessThan(plain.l2Gas / 10);
  });

  it('the guard’s assert_floors compares u256 values with a minimum, and assert_views compares complete view results', async () => {
    const { token } = await poolWith([]);
    const view = (...felts: readonly bigint[]): ContractCall => ({
      contract: guard,
      entrypoint: 'assert_views',
      calldata: [1n, token, BigInt(selectorOf('decimals')), 0n, ...felts],
    });
    const floor = (name: string, ...least: readonly bigint[]): ContractCall => ({
      contract: guard,
      entrypoint: 'assert_floors',
      calldata: [1n, token, BigInt(selectorOf(name)), 1n, chain.owner, ...least],
    });
    expect(await chain.send(view(1n, 8n))).toMatchObject(SUCCEEDED);
    for (const expected of [[1n, 9n], [0n], [2n, 8n, 0n]])
      expect(await chain.send(view(...expected))).toMatchObject(reverts('guard: differs'));
    const held = u256ToHalves(100n * DENOMINATION);
    expect(await chain.send(floor('balanceOf', ...held))).toMatchObject(SUCCEEDED);
    expect(await chain.send(floor('balanceOf', 0n, 1n))).toMatchObject(reverts('guard: below'));
    expect(
      await chain.send(floor('balanceOf', ...u256ToHalves(100n * DENOMINATION + 1n))),
    ).toMatchObject(reverts('guard: below'));
  });

  it('calls through the guard contract do not have the rights of the account that calls the guard contract', async () => {
    const pool = await poolWith([]);
    const before = await pool.balanceOf(chain.owner);
    const transfer = [pool.token, BigInt(selectorOf('transfer')), 3n, guard, 1n, 0n, 0n];
    const outcome = await chain.send({
      contract: guard,
      entrypoint: 'assert_views',
      calldata: [1n, ...transfer],
    });
    expect(outcome.revertReason).toBeDefined();
    expect(await pool.balanceOf(chain.owner)).toBe(before);
  });
});
