import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { depositBody } from '../e2e/support/deposits.js';
import type { ChainUnderTest } from './support/chain-under-test.js';
import { describeOnChain } from './support/describe-on-chain.js';
import { Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

const POOL = 'sentinel_1x';
const TOKEN = 'token-of-the-operator';

/**
 * Returns the profile of the chain with the guard contract added. The guard also runs before every
 * deposit.
 */
function guardedProfile({ profile, world }: ChainUnderTest): object {
  const pools: readonly object[] = Object(profile).pools;
  const { address, classHash } = world.guard;
  return {
    ...profile,
    guard: { address: toFelt(address), classHash: toFelt(classHash) },
    pools: pools.map((pool) => ({ ...pool, hashesBeforePayment: true })),
  };
}

describeOnChain('T8 the guard', (node) => {
  const deposits = anyLeaves(6);
  const withdrawals = new ForgedWithdrawals(deposits, 400n);
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start, {
      deposits: { [POOL]: deposits },
      verificationKey: trapdoorKey,
      profile: guardedProfile,
      env: { OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }) },
    });
    await eventually('the guard to be read', () =>
      site.service.output.includes('has the pinned class'),
    );
  });
  afterAll(() => site.stop());

  const pool = () => site.chain.world.pools[POOL];
  const withdraw = (index: number) =>
    site.service.withdraw(bodyFor(pool(), withdrawals.calldata(index)));
  const gasOf = async ({ body }: Answer): Promise<number> => {
    const { execution_resources: used } = await site.chain.client.accepted(
      String(Object(body).transaction_hash),
    );
    return used.l2_gas;
  };

  /**
   * Spends the note from another account in the same block as the service's transaction, so that
   * the service's transaction reverts.
   */
  async function spendMeanwhile(index: number): Promise<Answer> {
    await site.chain.hold();
    await site.chain.relayByAnother(pool().address, withdrawals.calldata(index));
    const location = await site.service.accepted(bodyFor(pool(), withdrawals.calldata(index)));
    await eventually('the transaction to be sent', async () => {
      const { transaction_hash: hash } = Object((await site.service.get(location)).body);
      return site.proxy.counters().takenTransactions[hash] === 1;
    });
    await site.chain.mine();
    await site.chain.release();
    await site.settled(location, 'reverted');
    return site.service.get(location);
  }

  it('T8: the guard contract makes a pool’s third revert cheaper than the first two reverts', async () => {
    const [first, second] = [await spendMeanwhile(0), await spendMeanwhile(1)];
    for (const { body } of [first, second])
      expect(Object(body).revert_reason).toContain('already withdrawn');
    await eventually('both reverts to be counted', async () => {
      const { body } = await site.service.get('/api/operator/status', {
        authorization: `Bearer ${TOKEN}`,
      });
      const listed: readonly { readonly key: string }[] = Object(body).pools;
      return Object(listed.find(({ key }) => key === POOL)).money?.reverted === 2;
    });
    const third = await spendMeanwhile(2);
    expect(Object(third.body).revert_reason).toBe('guard: differs');
    expect(await gasOf(third)).toBeLessThan((await gasOf(second)) / 2);
    const honest = await withdraw(3);
    expect(honest.body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('a service with a new ledger answers a repeated withdrawal with the outcome on chain', async () => {
    const { body: first } = await withdraw(3);
    await site.restart({ DATABASE_PATH: `${site.folder}/another.sqlite`, INSTANCE_ID: 'another' });
    await site.service.ready();
    const { status, body } = await withdraw(3);
    expect([status, body]).toEqual([200, first]);
    await eventually('the guard to be read again', () =>
      site.service.output.includes('has the pinned class'),
    );
    site.proxy.resetCounters();
  });

  it('the guard contract stops a relayed deposit whose allowance was revoked', async () => {
    const { accounts, chainId, tokens } = site.chain.world;
    const deposit = (commitment: bigint) =>
      site.service.post(
        '/api/relayer/deposit',
        depositBody(pool(), commitment, accounts.crowd1, { chain: chainId }),
      );
    expect((await deposit(77n)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    await site.chain.hold();
    await site.chain.act(accounts.crowd1, [
      {
        to: tokens.WBTC.address,
        entrypoint: 'approve',
        calldata: [pool().address, ...u256ToHalves(pool().denomination - 1n)],
      },
    ]);
    const requested = deposit(78n);
    await eventually('the deposit to be sent', async () => {
      const { takenTransactions } = site.proxy.counters();
      return Object.keys(takenTransactions).length === 2;
    });
    await site.chain.mine();
    await site.chain.release();
    const late = await requested;
    expect(Object(late.body)).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: 'guard: below',
    });
  });
});
