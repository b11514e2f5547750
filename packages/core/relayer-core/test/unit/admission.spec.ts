import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { DomainError, Felts } from '@sotto/kernel';
import { AdmissionChecks } from '../../src/relay/application/admission-checks.js';
import { withdrawalChecks } from '../../src/withdrawals/application/checks.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { mutations } from '../support/mutations.js';
import { NOW_MS, aWorld, policy, pool, poolState, quote, type World } from '../support/world.js';

async function rejectionOf(
  world: World,
  request: { poolAddress?: typeof pool.address; calldata?: typeof goodCalldata; quoteId?: string },
): Promise<DomainError> {
  try {
    await world.subject.execute({
      poolAddress: pool.address,
      calldata: goodCalldata,
      waitMs: 0,
      ...request,
    });
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('admission', () => {
  it('accepts a valid withdrawal request', async () => {
    const world = aWorld();
    await world.submit();
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it.each(mutations)('rejects `$what` with $code and submits nothing', async ({ code, make }) => {
    const world = aWorld();
    expect(await rejectionOf(world, make(world))).toMatchObject({ code });
    expect(world.submissions.accepted).toEqual([]);
  });

  it.each(mutations)(
    'the dry run reports `$what` as failed at $check and at no other check',
    async ({ check, code, inevitably = [], make }) => {
      const world = aWorld();
      const { admissible, checks } = await world.subject.dryRun({
        poolAddress: pool.address,
        calldata: goodCalldata,
        ...make(world),
      });
      expect(admissible).toBe(false);
      expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
        { check, code },
        ...inevitably,
      ]);
      expect(world.submissions.attempts).toEqual([]);
    },
  );

  it('the dry run reports every check of a valid request as passed, in order, and writes nothing', async () => {
    const world = aWorld();
    const { admissible, checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
    });
    expect(admissible).toBe(true);
    expect(checks.map(({ check, code, status }) => `${check} ${code} ${status}`)).toEqual([
      'pool_served POOL_NOT_SUPPORTED passed',
      'proof_layout PROOF_LAYOUT_INVALID passed',
      'public_inputs PUBLIC_INPUT_OUT_OF_RANGE passed',
      'relayer RELAYER_MISMATCH passed',
      'recipient RECIPIENT_INVALID passed',
      'queue QUEUE_FULL passed',
      'pool_open POOL_PAUSED passed',
      'budget BUDGET_EXHAUSTED passed',
      'quote QUOTE_UNKNOWN passed',
      'fee_payable WITHDRAWAL_UNPROFITABLE passed',
      'fee_covers_cost FEE_TOO_LOW passed',
      'fee_within_maximum FEE_ABOVE_POOL_MAXIMUM passed',
      'batch BATCH_OUT_OF_BOUNDS passed',
      'root_known ROOT_UNKNOWN passed',
      'nullifier_unspent NULLIFIER_SPENT passed',
      'not_in_ledger WITHDRAWAL_IN_PROGRESS passed',
      'pairing PROOF_INVALID passed',
      'simulation SIMULATION_REVERTED passed',
    ]);
    expect(world.submissions.attempts).toEqual([]);
  });

  it.each([
    [1, 'SMALL_CROWD'],
    [2, 'SMALL_CROWD'],
    [3, null],
    [7, null],
  ])(
    'S6: the dry run reports a crowd of %i deposits with the warning %s',
    async (batchSize, warning) => {
      const calldata = calldataWith({ batchSize: BigInt(batchSize) });
      expect(
        (await aWorld().subject.dryRun({ poolAddress: pool.address, calldata })).crowd,
      ).toEqual({ batchSize, warning });
    },
  );

  it('S6: the dry run reports no crowd if the request can’t be parsed', async () => {
    expect(
      await aWorld().subject.dryRun({
        poolAddress: pool.address,
        calldata: goodCalldata.slice(0, 40),
      }),
    ).not.toHaveProperty('crowd');
  });

  it('every admission check except `not_in_ledger` has a test request that fails it', async () => {
    const { checks } = await aWorld().subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
    });
    const mutated = new Set(mutations.map(({ check }) => check));
    expect(checks.map(({ check }) => check).filter((check) => !mutated.has(check))).toEqual([
      'not_in_ledger',
    ]);
  });

  it('returns the error of the first failing check, even if later checks also fail', async () => {
    const world = aWorld();
    const calldata = calldataWith({ fee: 1n, batchSize: 0n, root: 9n });
    world.verifier.accept(proofOf(calldata));
    expect(await rejectionOf(world, { calldata })).toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '1', required: '21' },
    });
    const { checks } = await world.subject.dryRun({ poolAddress: pool.address, calldata });
    expect(checks.filter(({ status }) => status === 'failed').map(({ code }) => code)).toEqual([
      'FEE_TOO_LOW',
      'BATCH_OUT_OF_BOUNDS',
      'ROOT_UNKNOWN',
    ]);
  });

  it('accepts a withdrawal fee that equals the cost, and a fee that equals the pool’s maximum fee', async () => {
    for (const fee of [21n, 1_000n]) {
      const world = aWorld();
      const calldata = calldataWith({ fee });
      world.verifier.accept(proofOf(calldata));
      await world.submit(calldata);
      expect(world.submissions.accepted.map(({ terms }) => terms?.feeAmount)).toEqual([fee]);
    }
  });

  it('accepts a withdrawal fee if the cost of the withdrawal equals the pool’s maximum fee', async () => {
    const world = aWorld();
    world.pools.set(pool.address, { ...poolState, maxFee: 21n });
    const calldata = calldataWith({ fee: 21n });
    world.verifier.accept(proofOf(calldata));
    await world.submit(calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('rejects a request if any admission check was left out', () => {
    const admission = new AdmissionChecks(withdrawalChecks(policy));
    expect(admission.rejection({})).toBeNull();
    expect(() => admission.admit({ pairingHolds: { known: true, value: true } })).toThrow(
      /left out.*simulation/,
    );
  });

  it('rejects a withdrawal as unprofitable if its cost is above the pool’s maximum fee', async () => {
    const world = aWorld();
    world.latestBlock.setGasPrices({
      l2GasFri: 8_000_000_000_000n,
      l1GasFri: 1n,
      l1DataGasFri: 1n,
    });
    expect(await rejectionOf(world, {})).toMatchObject({
      code: 'WITHDRAWAL_UNPROFITABLE',
      kind: 'unavailable',
      details: { cost: '20755', maximum: '1000' },
    });
  });

  it('reads the pool, the gas prices and the market prices concurrently before the simulation', async () => {
    const world = aWorld();
    await world.submit();
    expect(world.log.ports()).toEqual(['facts', 'gas', 'prices', 'simulation']);
    const ticks = world.log.calls.map(({ tick }) => tick);
    expect(new Set(ticks.slice(0, 3)).size).toBe(1);
  });

  it('S11: rejects an invalid proof with PROOF_INVALID without any request to the node', async () => {
    const world = aWorld();
    for (const calldata of [
      calldataWith({ recipient: accountAddress(5n) }),
      calldataWith({ fee: 1n, root: 9n }),
    ]) {
      expect(await rejectionOf(world, { calldata })).toMatchObject({ code: 'PROOF_INVALID' });
      const { checks } = await world.subject.dryRun({ poolAddress: pool.address, calldata });
      expect(checks.filter(({ status }) => status === 'failed').map(({ code }) => code)).toEqual([
        'PROOF_INVALID',
      ]);
    }
    expect(world.log.ports()).toEqual([]);
  });

  it('S11: sends no request to the node while the pairing of the proof can’t be checked', async () => {
    const world = aWorld();
    world.verifier.fail();
    expect(await rejectionOf(world, {})).toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(world.log.ports()).toEqual([]);
  });

  it('S11: records neither success nor failure of a node that was not queried', async () => {
    const world = aWorld();
    await world.guarding.controls.upstreamFailed(pool.address, NOW_MS, 0);
    await rejectionOf(world, { calldata: calldataWith({ recipient: accountAddress(5n) }) });
    expect(await world.guarding.controls.all()).toMatchObject([{ upstream: { failures: 1 } }]);
  });

  it('a request with invalid parameters causes no proof check and no read', async () => {
    const world = aWorld();
    await rejectionOf(world, { calldata: calldataWith({ relayer: 1n }) });
    await rejectionOf(world, { calldata: goodCalldata.slice(0, 7) });
    expect(world.verifier.checks).toBe(0);
    expect(world.log.calls).toEqual([]);
  });

  it.each<readonly [string, (world: World) => void]>([
    ['pool reads', (world) => world.pools.failReads()],
    ['gas prices', (world) => world.latestBlock.failGasPrices()],
    ['the simulation', (world) => world.simulator.fail()],
    ['the proof verifier', (world) => world.verifier.fail()],
    ['the ledger', (world) => world.submissions.fail()],
    ['the quote book', (world) => world.quoteStore.fail()],
    ['the money book', (world) => world.guarding.money.fail()],
    ['the pool controls', (world) => world.guarding.controls.fail()],
  ])('rethrows an error of %s and submits nothing', async (_, fail) => {
    const world = aWorld();
    world.quoteStore.put(quote);
    fail(world);
    expect(await rejectionOf(world, { quoteId: quote.id })).toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
    expect(world.submissions.accepted).toEqual([]);
  });

  it('rejects with PRICE_UNAVAILABLE instead of using another price if a price is missing', async () => {
    const world = aWorld();
    world.prices.fail();
    expect(await rejectionOf(world, {})).toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      kind: 'unavailable',
    });
  });

  it('the dry run reports a check whose read failed as skipped, never as passed', async () => {
    const world = aWorld();
    world.latestBlock.failGasPrices();
    const { admissible, checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
    });
    expect(admissible).toBe(false);
    expect(checks.filter(({ status }) => status === 'skipped')).toEqual([
      {
        check: 'fee_payable',
        code: 'WITHDRAWAL_UNPROFITABLE',
        status: 'skipped',
        detail: 'FAKE_UPSTREAM_DOWN',
      },
      {
        check: 'fee_covers_cost',
        code: 'FEE_TOO_LOW',
        status: 'skipped',
        detail: 'FAKE_UPSTREAM_DOWN',
      },
      { check: 'simulation', code: 'SIMULATION_REVERTED', status: 'skipped' },
    ]);
  });

  it.each([
    ['fee of 1', { fee: 1n }, {}, 'FEE_TOO_LOW', 1],
    ['root that is unknown', {}, { knownRoots: [] }, 'ROOT_UNKNOWN', 1],
    [
      'spent nullifier',
      {},
      { spentNullifiers: [BigInt(vector.publicInputs[1] ?? 0)] },
      'NULLIFIER_SPENT',
      100,
    ],
  ] as const)(
    'T9: rejects a request with a %s before the simulation, even after 100 repeats',
    async (_what, changes, state, code, reads) => {
      const world = aWorld();
      const calldata = calldataWith(changes);
      world.verifier.accept(proofOf(calldata));
      world.pools.set(pool.address, { ...poolState, ...state });
      for (let count = 0; count < 100; count += 1)
        await expect(world.submit(calldata)).rejects.toMatchObject({ code });
      expect(world.simulator.simulated).toEqual([]);
      // The spending transaction is searched again for each request, so the rejection of a spent
      // note is not cached.
      expect(world.log.ports()).toHaveLength(3 * reads);
    },
  );

  it.each([
    ['fee of 1', { fee: 1n }, 'FEE_TOO_LOW', 3],
    ['call that reverts', {}, 'SIMULATION_REVERTED', 4],
  ] as const)(
    'T9: reads the chain only once for 100 requests with a %s and different hints',
    async (_what, changes, code, reads) => {
      const world = aWorld();
      const calldata = calldataWith(changes);
      world.verifier.accept(proofOf(calldata));
      world.simulator.revert('no');
      const felts = Array.from({ length: calldata.length - 1 }, (_, at) => calldata.at(at));
      for (let hint = 1n; hint <= 100n; hint += 1n)
        await expect(world.submit(Felts.of([...felts, hint]))).rejects.toMatchObject({ code });
      expect(world.log.ports()).toHaveLength(reads);
    },
  );

  it('T9: simulates a reverted statement’s proof again for another caller', async () => {
    const world = aWorld();
    world.simulator.revert('no');
    await expect(world.submit()).rejects.toMatchObject({ code: 'SIMULATION_REVERTED' });
    const requested = {
      poolAddress: pool.address,
      calldata: goodCalldata,
      caller: { name: 'alice', networks: [] },
      waitMs: 0,
    };
    await expect(world.subject.execute(requested)).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
    });
    expect(world.simulator.simulated).toHaveLength(2);
  });

  it('T9: caches a rejection for requests with the same statement until the next block', async () => {
    const world = aWorld();
    world.pools.set(pool.address, { ...poolState, knownRoots: [] });
    await expect(world.submit()).rejects.toMatchObject({ code: 'ROOT_UNKNOWN' });
    world.pools.set(pool.address, poolState);
    await expect(world.submit()).rejects.toMatchObject({ code: 'ROOT_UNKNOWN' });
    const other = calldataWith({ recipient: accountAddress(5n) });
    world.verifier.accept(proofOf(other));
    await world.submit(other);
    world.latestBlock.mine();
    await expect(world.submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('the dry run checks the fee against the cost even if the pool can’t be read', async () => {
    const world = aWorld();
    world.pools.failReads();
    const { checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
    });
    expect(checks.find(({ check }) => check === 'fee_covers_cost')).toMatchObject({
      status: 'passed',
    });
  });

  it('rethrows an unexpected error of a port unchanged', async () => {
    const world = aWorld();
    const bug = new TypeError('no such thing');
    world.simulator.revert('any', () => {
      throw bug;
    });
    await expect(world.submit()).rejects.toBe(bug);
  });
});
