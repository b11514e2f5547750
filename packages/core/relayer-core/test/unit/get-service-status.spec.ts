import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@sotto/kernel';
import {
  GetServiceStatus,
  digestOf,
  statusTypedData,
  type MoneyEntry,
  type SignedServiceStatus,
  type Verdict,
} from '../../src/index.js';
import { FakeTypedDataSigner } from '../../src/testing/index.js';
import { serviceFigures } from '../../src/status/domain/service-figures.js';
import { LIMITS, anEntry } from '../support/guard-world.js';
import { anEstimateWorld, usdcPool } from '../support/estimate-world.js';
import { NOW_MS, policy, pool } from '../support/world.js';

const STEP_MS = 600_000;

function aStatusWorld() {
  const world = anEstimateWorld();
  const { clock, listPools, guarding } = world;
  const signer = new FakeTypedDataSigner();
  const fine: Verdict = { asOfMs: 1, reasons: [], pools: [], warnings: [] };
  const judged = { verdict: fine };
  /** Functions that each end a timeout of the service under test. */
  const waits = new Set<() => void>();
  const endWaits = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const wake of waits) wake();
  };
  const patient: Clock = {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        waits.add(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  /**
   * Only the service status reads this history, because the list of pools has a separate time
   * limit.
   */
  const money: ConstructorParameters<typeof GetServiceStatus>[0]['money'] = {
    ended: (sinceMs, limit) => guarding.money.ended(sinceMs, limit),
  };
  const sources = {
    listPools,
    money,
    signer,
    clock: patient,
    build: { version: '0.1.0', commit: '0123abc' },
    verdict: { execute: async () => judged.verdict },
  };
  const subject = new GetServiceStatus(sources);
  const signedHolds = ({ status, ...signature }: SignedServiceStatus): boolean =>
    signer.verifies(
      statusTypedData({
        chainId: status.chainId,
        issuedAt: status.issuedAt,
        digest: digestOf(status),
      }),
      signature,
    );
  return { ...world, signer, judged, subject, signedHolds, endWaits, money };
}

const lasting = (seconds: number, changes: Partial<MoneyEntry> = {}): MoneyEntry => {
  const endedAtMs = NOW_MS - (NOW_MS % STEP_MS) - 1_000;
  return anEntry(pool, endedAtMs, { acceptedAtMs: endedAtMs - seconds * 1_000, ...changes });
};

describe('DescribeService', () => {
  it('reports the operations that each pool accepts, and signs the whole status', async () => {
    const { subject, signedHolds } = aStatusWorld();
    const signed = await subject.execute();
    const asOf = NOW_MS / 1_000;
    expect(signed.status).toEqual({
      version: 1,
      chainId: policy.chainId,
      relayer: policy.feeAddress,
      issuedAt: asOf,
      build: { version: '0.1.0', commit: '0123abc' },
      pools: [
        {
          key: pool.key,
          address: pool.address,
          token: 'WBTC',
          fee: { value: '562', asOf },
          accepting: { value: true, asOf },
          pausedFor: null,
          reason: null,
        },
        {
          key: usdcPool.key,
          address: usdcPool.address,
          token: 'USDC',
          fee: { value: '500000', asOf },
          accepting: { value: true, asOf },
          pausedFor: null,
          reason: null,
        },
      ],
      capacity: { value: true, asOf },
      success: { percent: null, windowSeconds: 86_400, asOf: asOf - (asOf % 600) },
      inclusion: {
        p50Seconds: null,
        p95Seconds: null,
        windowSeconds: 86_400,
        asOf: asOf - (asOf % 600),
      },
    });
    expect(signedHolds(signed)).toBe(true);
    expect(
      signedHolds({ ...signed, status: { ...signed.status, capacity: { value: false, asOf } } }),
    ).toBe(false);
  });

  it('the service status contains the reason why a pool accepts no withdrawals', async () => {
    const { subject, guarding, clock } = aStatusWorld();
    await guarding.control.pause(pool.key, 'upgrade');
    expect((await subject.execute()).status.pools).toMatchObject([
      { accepting: { value: false }, pausedFor: 'operator', reason: 'upgrade' },
      { accepting: { value: true }, pausedFor: null, reason: null },
    ]);
    await guarding.control.resume(pool.key);
    guarding.money.end(anEntry(pool, NOW_MS, { gasPaidFri: LIMITS.hourlyGasPerPoolFri }));
    clock.pass(60_000);
    expect((await subject.execute()).status.pools).toMatchObject([
      { accepting: { value: false }, pausedFor: 'budget' },
      {},
    ]);
  });

  it('O1 reports a pool as closed if no withdrawal can succeed, even if the pool’s circuit breaker accepts withdrawals', async () => {
    const { subject, judged } = aStatusWorld();
    const { key, address } = pool;
    judged.verdict = {
      ...judged.verdict,
      pools: [{ key, address, canWithdraw: false, reasons: [] }],
    };
    expect((await subject.execute()).status.pools).toMatchObject([
      { accepting: { value: false }, pausedFor: null },
      { accepting: { value: true } },
    ]);
  });

  it('returns the last signed status while the next status is being signed', async () => {
    const { subject, signer, clock, latestBlock } = aStatusWorld();
    await Promise.all(Array.from({ length: 50 }, async () => subject.execute()));
    expect(signer.signatures).toBe(1);
    clock.pass(5_000);
    latestBlock.failGasPrices();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 50 }, async () => subject.execute()),
    );
    expect(first?.status.issuedAt).toBe(NOW_MS / 1_000);
    expect(new Set(others).size).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(signer.signatures).toBe(2);
    expect((await subject.execute()).status.pools[0]?.fee.value).toBeNull();
  });

  it('never returns a service status that is older than a minute', async () => {
    const { subject, clock, signer } = aStatusWorld();
    await subject.execute();
    clock.step(3_600_000);
    expect((await subject.execute()).status.issuedAt).toBe(NOW_MS / 1_000);
    clock.step(-3_600_000);
    clock.pass(60_000);
    expect((await subject.execute()).status.issuedAt).toBe(NOW_MS / 1_000 + 60);
    signer.fail();
    clock.pass(60_000);
    await expect(subject.execute()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
  });

  it('reports unknown values as null if the store does not respond', async () => {
    const { subject, guarding, judged } = aStatusWorld();
    guarding.money.fail();
    const short = {
      code: 'LANES_SHORT_OF_FUNDS',
      component: 'lanes',
      details: {},
      sinceMs: 1,
    } as const;
    judged.verdict = { ...judged.verdict, reasons: [short] };
    const { status } = await subject.execute();
    expect(status.pools.map(({ accepting }) => accepting.value)).toEqual([null, null]);
    expect([status.capacity.value, status.success.percent]).toEqual([false, null]);
  });

  it('returns null or the last known success rate if the store responds too late', async () => {
    const { subject, money, clock, endWaits } = aStatusWorld();
    const late = Promise.withResolvers<readonly MoneyEntry[]>();
    const read = money.ended.bind(money);
    const success = async (): Promise<SignedServiceStatus['status']['success']> => {
      const [{ status }] = await Promise.all([subject.execute(), endWaits()]);
      return status.success;
    };
    money.ended = () => late.promise;
    expect(await success()).toMatchObject({ percent: null });
    late.resolve(Array.from({ length: 20 }, () => lasting(7)));
    await endWaits();
    clock.pass(60_000);
    const known = await success();
    expect(known).toMatchObject({ percent: 100 });
    money.ended = () => new Promise(() => undefined);
    clock.pass(STEP_MS);
    expect(await success()).toEqual(known);
    money.ended = read;
    clock.pass(STEP_MS);
    expect((await success()).asOf).toBeGreaterThan(known.asOf);
  });

  it('changes the success rate and the durations only at whole multiples of ten minutes', async () => {
    const { subject, guarding, clock } = aStatusWorld();
    const percent = async (): Promise<number | null> =>
      (await subject.execute()).status.success.percent;
    for (let run = 0; run < 20; run += 1) guarding.money.end(lasting(7));
    expect(await percent()).toBe(100);
    for (let run = 0; run < 20; run += 1)
      guarding.money.end(anEntry(pool, clock.nowMs(), { state: 'reverted' }));
    clock.pass(60_000);
    expect(await percent()).toBe(100);
    clock.pass(STEP_MS);
    expect(await percent()).toBe(50);
  });

  it('the service status contains nothing that identifies a user or an account: no balance, count, key or hash', async () => {
    const { subject, guarding } = aStatusWorld();
    for (let run = 0; run < 37; run += 1)
      guarding.money.end(lasting(11, { gasPaidFri: 123_456_789n }));
    const { status } = await subject.execute();
    const names = [...JSON.stringify(status).matchAll(/"(\w+)":/g)].map(([, name]) => name);
    const allowed =
      'version chainId relayer issuedAt build commit pools key address token fee value asOf accepting pausedFor reason capacity success percent windowSeconds inclusion p50Seconds p95Seconds';
    expect(names.filter((name) => !allowed.split(' ').includes(name ?? ''))).toEqual([]);
    expect(JSON.stringify(status)).not.toMatch(/37|123456789|entry-/);
  });
});

/**
 * Creates history entries. Each argument contains a number of entries, the changes of these
 * entries, and their duration in seconds.
 */
const entriesOf = (
  ...counts: readonly (readonly [number, Partial<MoneyEntry>, number?])[]
): readonly MoneyEntry[] =>
  counts.flatMap(([count, changes, seconds = 7]) =>
    Array.from({ length: count }, () => lasting(seconds, changes)),
  );

describe('figures of the service', () => {
  it('success rate and durations are null for fewer than twenty submissions', () => {
    expect(serviceFigures(entriesOf([19, {}]))).toEqual({
      successPercent: null,
      p50Seconds: null,
      p95Seconds: null,
    });
    expect(serviceFigures(entriesOf([20, {}]))).toEqual({
      successPercent: 100,
      p50Seconds: 10,
      p95Seconds: 10,
    });
    // Durations are computed from successful submissions only.
    expect(serviceFigures(entriesOf([19, {}], [30, { state: 'expired' }]))).toMatchObject({
      p50Seconds: null,
      p95Seconds: null,
    });
  });

  it('success rate and durations are rounded, so that a single user has no visible effect', () => {
    expect(serviceFigures(entriesOf([97, {}], [3, { state: 'reverted' }])).successPercent).toBe(95);
    expect(
      serviceFigures(entriesOf([95, {}], [3, { state: 'refused' }], [2, { state: 'expired' }]))
        .successPercent,
    ).toBe(95);
    expect(serviceFigures(entriesOf([94, {}], [6, { state: 'reverted' }])).successPercent).toBe(90);
    expect(serviceFigures(entriesOf([94, {}, 5], [6, {}, 41]))).toMatchObject({
      p50Seconds: 5,
      p95Seconds: 45,
    });
  });

  it('success rate and durations do not include batches', () => {
    expect(
      serviceFigures(entriesOf([20, {}], [80, { state: 'reverted', terms: null }])).successPercent,
    ).toBe(100);
  });
});
