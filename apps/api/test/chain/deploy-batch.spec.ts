import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { IN_A_BLOCK } from '../support/finality.js';
import { describeOnChain } from './support/describe-on-chain.js';
import { Site } from './support/site.js';
import { anyLeaves } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'sentinel_2x';

describeOnChain('a batch', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start);
    await site.chain.setAutoDeploy(POOL, false);
    await site.chain.deposit(POOL, anyLeaves(7));
  });
  afterAll(() => site.stop());

  const pool = () => site.chain.world.pools[POOL].address;
  const deploy = (body: { readonly count: number; readonly partial?: boolean }) =>
    site.client.POST('/api/relayer/deploy-batch', {
      body: { poolAddress: toFelt(pool()), ...body },
    });
  const count = async (view: string): Promise<number> =>
    Number((await site.chain.client.view(pool(), view))[0]);
  const counts = async () => [await count('undeployed_count'), await count('active_deposits')];
  const nonce = () => site.chain.client.nonceOf(site.chain.world.accounts.lane1.address);

  it.each([
    [3, false, [4, 3]],
    [1, true, [3, 4]],
    [2, true, [1, 6]],
  ])(
    'deploying a batch of %i deposits (partial: %p) moves these deposits from waiting to active',
    async (size, partial, after) => {
      const before = await nonce();
      const { data, response } = await deploy({ count: size, partial });
      expect([response.status, data]).toEqual([
        200,
        {
          transaction_hash: expect.stringMatching(/^0x[\da-f]+$/),
          execution_status: 'SUCCEEDED',
          revert_reason: null,
        },
      ]);
      expect(await counts()).toEqual(after);
      expect(await site.settled(response.headers.get('location'), 'succeeded')).toMatchObject({
        finality: IN_A_BLOCK,
      });
      expect(await site.chain.client.receiptOf(data?.transaction_hash ?? '')).toMatchObject({
        execution_status: 'SUCCEEDED',
      });
      expect(await nonce()).toBe(before + 1n);
    },
  );

  it.each([
    [{ count: 3 }, 422, 'BATCH_TOO_LARGE'],
    [{ count: 2, partial: true }, 422, 'BATCH_TOO_LARGE'],
    [{ count: 0, partial: true }, 400, 'BATCH_COUNT_INVALID'],
    [{ count: 4 }, 400, 'BATCH_COUNT_INVALID'],
  ])('rejects an invalid batch before any transaction is sent: %o', async (body, status, code) => {
    site.proxy.resetCounters();
    const { response, error } = await deploy(body);
    expect([response.status, error?.code]).toEqual([status, code]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
  });

  it('rejects a batch of a paused pool before any transaction is sent, and reports the contract’s revert reason', async () => {
    await site.chain.setPaused(pool(), true);
    site.proxy.resetCounters();
    const { response, error } = await deploy({ count: 1, partial: true });
    expect([response.status, error?.code, error?.details]).toEqual([
      422,
      'SIMULATION_REVERTED',
      expect.objectContaining({ reason: expect.stringContaining('paused') }),
    ]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    await site.chain.setPaused(pool(), false);
  });

  it('reports the revert reason of a batch that reverts between simulation and inclusion', async () => {
    site.proxy.addFault({ method: ADD, fault: { kind: 'arrive-late', delayMs: 4_000 } });
    const requested = deploy({ count: 1, partial: true });
    await site.proxyStruck('arrive-late', requested);
    await site.chain.setPaused(pool(), true);
    const { data } = await requested;
    expect(data).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('paused'),
    });
    await site.chain.setPaused(pool(), false);
    expect(await counts()).toEqual([1, 6]);
  });
});
