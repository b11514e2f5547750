import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, waitForSubmission, type SottoClient } from '@sotto/client';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { addressText } from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools } = sandboxWorld;
const pool = pools.sentinel_1x;
const poolAddress = addressText(pool);
/**
 * Number of deposits of the first tests: batches of 3, 5, 7 and 1, and two deposits that wait.
 * Later tests add their own deposits.
 */
const FIRST = 18;

const DAY_MS = 86_400_000;

const SUCCEEDED = {
  transaction_hash: expect.any(String),
  execution_status: 'SUCCEEDED',
  revert_reason: null,
};

describe('deploying batches', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    const deposits = commitments(1, FIRST);
    stack = await Stack.start({
      whole: true,
      deposit: (chain) => chain.depositInto(pool, deposits),
      genesis: { autoDeploy: false },
    });
    await stack.service.ready();
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  });
  afterAll(() => stack.stop());

  const deploy = (body: { readonly count: number; readonly partial?: boolean }, to = poolAddress) =>
    sotto.POST('/api/relayer/deploy-batch', { body: { poolAddress: to, ...body } });
  const counts = async (): Promise<readonly number[]> =>
    [
      await stack.chain.view(pool.address, 'undeployed_count'),
      await stack.chain.view(pool.address, 'active_deposits'),
    ].map(([count]) => Number(count));
  /** Expects that an action sends no transaction and therefore pays no gas. */
  const withoutGas = async <T>(action: () => Promise<T>): Promise<T> => {
    const before = [await stack.chain.lane(), stack.ledger().transactions.length];
    const result = await action();
    expect([await stack.chain.lane(), stack.ledger().transactions.length]).toEqual(before);
    return result;
  };

  it.each([
    [3, false, [15, 3]],
    [5, false, [10, 8]],
    [7, false, [3, 15]],
    [1, true, [2, 16]],
  ])(
    'deploying a batch of %i deposits (partial: %p) moves these deposits from waiting to active',
    async (count, partial, after) => {
      const { data, response } = await deploy({ count, partial });
      expect([response.status, data]).toEqual([200, SUCCEEDED]);
      expect(await counts()).toEqual(after);

      const location = response.headers.get('location');
      expect(await waitForSubmission(sotto, location)).toMatchObject({
        attempt: 1,
        execution_status: 'SUCCEEDED',
        code: null,
      });
      const inclusion = stack.chain.inclusions().at(-1);
      expect(inclusion).toMatchObject({ executionStatus: 'SUCCEEDED' });
      expect(data?.transaction_hash).toBe(`0x${inclusion?.hash.toString(16)}`);
    },
  );

  it.each([
    ['0', 0, 400, 'BATCH_COUNT_INVALID'],
    ['4', 4, 400, 'BATCH_COUNT_INVALID'],
    ['-1', -1, 400, 'BATCH_COUNT_INVALID'],
    ['1.5', 1.5, 400, 'INVALID_REQUEST'],
    ['"3"', '3', 400, 'INVALID_REQUEST'],
    ['null', null, 400, 'INVALID_REQUEST'],
    ['1e400', Number.POSITIVE_INFINITY, 400, 'INVALID_REQUEST'],
  ])(
    'rejects a batch with a count of %s before any gas is spent',
    async (_text, count, status, code) => {
      for (const partial of [false, true]) {
        // A partial batch may have four deposits, so only the request for a full batch is expected
        // to fail with this count.
        if (partial && count === 4) continue;
        const answer = await withoutGas(() =>
          stack.service.post('/api/relayer/deploy-batch', { poolAddress, count, partial }),
        );
        expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
      }
    },
  );

  it.each([
    { count: 3, partial: false },
    { count: 7, partial: false },
    { count: 3, partial: true },
    { count: 4, partial: true },
  ])('rejects a batch with more deposits than are waiting: %o', async (body) => {
    const { response, error } = await withoutGas(() => deploy(body));
    expect([response.status, error]).toEqual([
      422,
      {
        error: expect.any(String),
        code: 'BATCH_TOO_LARGE',
        retry: 'later',
        requestId: expect.any(String),
        docs: '/docs/errors#BATCH_TOO_LARGE',
        details: { undeployed: 2 },
      },
    ]);
  });

  it('rejects a batch of a pool that is not served', async () => {
    const { response, error } = await withoutGas(() =>
      deploy({ count: 3 }, addressText(sandboxWorld.tokens.WBTC)),
    );
    expect([response.status, error?.code]).toEqual([404, 'POOL_NOT_SUPPORTED']);
  });

  it('rejects a batch of a paused pool before any gas is spent', async () => {
    stack.chain.control.setStorage(pool.address, 'paused', 1n);
    const { response, error } = await withoutGas(() => deploy({ count: 1, partial: true }));
    expect([response.status, error?.code]).toEqual([422, 'SIMULATION_REVERTED']);
    stack.chain.control.setStorage(pool.address, 'paused', 0n);
  });

  it('merges equal concurrent batch requests into one batch', async () => {
    await stack.chain.depositInto(pool, commitments(FIRST + 1, 3));
    const paid = stack.chain.inclusions().length;
    const same = await Promise.all([
      deploy({ count: 3 }),
      deploy({ count: 3 }),
      deploy({ count: 3 }),
    ]);
    const locations = same.map(({ response }) => response.headers.get('location'));
    expect(new Set(locations).size).toBe(1);
    expect(same.map(({ data }) => data)).toEqual([same[0]?.data, same[0]?.data, same[0]?.data]);
    expect(same[0]?.data).toEqual(SUCCEEDED);
    expect(await counts()).toEqual([2, 19]);

    const others = await Promise.all([
      deploy({ count: 1, partial: true }),
      deploy({ count: 2, partial: true }),
    ]);
    // One of the two requests is executed first. The deposits that remain are then too few for the
    // batch of the second request.
    const outcomes = others.map(({ data, error }) => data?.execution_status ?? error?.code);
    expect([
      ['SUCCEEDED', 'BATCH_TOO_LARGE'],
      ['BATCH_TOO_LARGE', 'SUCCEEDED'],
    ]).toContainEqual(outcomes);
    expect(stack.chain.inclusions()).toHaveLength(paid + 2);
    expect(
      stack.chain.inclusions().every(({ executionStatus }) => executionStatus === 'SUCCEEDED'),
    ).toBe(true);
  });

  it('reports the revert reason of a batch', async () => {
    await stack.chain.depositInto(pool, commitments(FIRST + 4, 3));
    stack.chain.control.revertNext({
      reason: 'staged',
      sender: sandboxWorld.accounts.lane1.address,
    });
    const { data, response } = await deploy({ count: 3 });
    expect([response.status, data]).toEqual([
      200,
      {
        transaction_hash: expect.any(String),
        execution_status: 'REVERTED',
        revert_reason: expect.stringContaining('staged'),
      },
    ]);
    const location = response.headers.get('location') ?? '';
    await eventually(
      'the revert to be final',
      async () => Object((await stack.service.get(location)).body).state === 'reverted',
    );
    // The deposits still wait, so a batch with them can be requested again.
    expect((await deploy({ count: 3 })).data).toEqual(SUCCEEDED);
  });

  it('S6: a caller without authorization can deploy a small batch only when all its deposits are old enough', async () => {
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    await stack.restart({ PARTIAL_BATCHES: 'aged' });
    await stack.service.ready();
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
    const [before] = await counts();
    await stack.chain.depositInto(pool, commitments(FIRST + 7, 1));
    stack.chain.control.moveClock(DAY_MS);
    await stack.chain.depositInto(pool, commitments(FIRST + 8, 1));
    const waiting = (before ?? 0) + 2;
    for (const count of [1, waiting]) {
      const { response, error } = await withoutGas(() => deploy({ count, partial: true }));
      expect([response.status, error]).toMatchObject([
        422,
        { code: 'BATCH_TOO_YOUNG', details: { waiting, readyAt: expect.any(Number) } },
      ]);
    }

    stack.chain.control.moveClock(DAY_MS);
    stack.chain.control.mine();
    const { error } = await withoutGas(() => deploy({ count: 1, partial: true }));
    expect(error).toMatchObject({ code: 'BATCH_TOO_YOUNG', details: { waiting } });
    const { data } = await deploy({ count: waiting, partial: true });
    expect([data, (await counts())[0]]).toEqual([SUCCEEDED, 0]);
  });

  it('T13: a caller without authorization cannot leave a single deposit waiting alone', async () => {
    await stack.chain.depositInto(pool, commitments(FIRST + 9, 4));
    const split = await withoutGas(() => deploy({ count: 3 }));
    expect([split.response.status, split.error]).toMatchObject([
      422,
      { code: 'BATCH_SPLITS_CROWD', details: { waiting: 4, allowed: '' } },
    ]);
    stack.chain.control.moveClock(DAY_MS);
    stack.chain.control.mine();
    expect((await deploy({ count: 4, partial: true })).data).toEqual(SUCCEEDED);

    await stack.chain.depositInto(pool, commitments(FIRST + 13, 1));
    stack.chain.control.moveClock(DAY_MS);
    stack.chain.control.mine();
    const alone = await withoutGas(() => deploy({ count: 1, partial: true }));
    expect([alone.response.status, alone.error?.code]).toEqual([403, 'PARTIAL_BATCH_RESERVED']);
    expect((await counts())[0]).toBe(1);
  });

  it('T13: a caller without authorization cannot leave a deposit of the pre-confirmed block waiting alone', async () => {
    await stack.chain.depositInto(pool, commitments(FIRST + 14, 2));
    const [last] = commitments(FIRST + 16, 1);
    await stack.chain.preConfirmDeposit(pool, last ?? 0n);
    const split = await withoutGas(() => deploy({ count: 3 }));
    expect([split.response.status, split.error]).toMatchObject([
      422,
      { code: 'BATCH_SPLITS_CROWD', details: { waiting: 4, allowed: '' } },
    ]);
    stack.chain.control.mine();
    stack.chain.control.resume();
    expect((await counts())[0]).toBe(4);
  });
});

function commitments(first: number, count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(first + index));
}
