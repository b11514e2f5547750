import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { GetOperatorSeries, type MoneyEntry } from '../../src/index.js';
import { InMemorySettlementHistory } from '../../src/testing/index.js';

const MINUTE_MS = 60_000;
const SPAN = { bucketMs: MINUTE_MS, buckets: 3 };
/** Time that is half a minute after the start of the last bucket. */
const NOW_MS = 1_000 * MINUTE_MS + 30_000;
const SINCE_MS = 998 * MINUTE_MS;
const POOL = toFelt('0xb7c');

const POOLS = [
  {
    key: 'one',
    address: POOL,
    kind: 'withdraw',
    token: { symbol: 'WBTC', address: toFelt('0x3fe2b'), decimals: 8 },
    batchSizes: [3],
  },
] as const;

/** Terms with a fee of 0.0001 WBTC, which is worth 20 STRK at these prices. */
const TERMS = {
  feeAmount: 10_000n,
  feeToken: toFelt('0x3fe2b'),
  feeTokenUsdE8: 100_000n * 10n ** 8n,
  strkUsdE8: 10n ** 8n / 2n,
  costFri: 10n ** 18n,
};

let serial = 0;
const ended = (changes: Partial<MoneyEntry>): MoneyEntry => {
  serial += 1;
  return {
    id: `id-${serial}`,
    key: `key-${serial}`,
    kind: 'withdraw',
    subject: POOL,
    role: 'relay',
    state: 'succeeded',
    terms: TERMS,
    revertReason: null,
    gasPaidFri: 10n ** 18n,
    acceptedAtMs: NOW_MS - 1_000,
    endedAtMs: NOW_MS,
    ...changes,
  };
};
const live = (acceptedAtMs: number, key = 'live') =>
  ({
    key,
    kind: 'withdraw',
    subject: POOL,
    role: 'relay',
    isWaiting: true,
    acceptedAtMs,
    costFri: null,
  }) as const;

describe('series for operators', () => {
  let history: InMemorySettlementHistory;
  const seriesOf = (maxEntries?: number) =>
    new GetOperatorSeries(history, new ManualClock(NOW_MS), POOLS, maxEntries).execute(SPAN);
  beforeEach(() => {
    history = new InMemorySettlementHistory();
  });

  it('the operator series consists of whole buckets, and only the last bucket is still incomplete', async () => {
    const { sinceMs, series, isComplete } = await seriesOf();
    expect([sinceMs, isComplete]).toEqual([SINCE_MS, true]);
    expect(series).toEqual(
      [0, 1, 2].map((index) => ({
        atMs: SINCE_MS + index * MINUTE_MS,
        accepted: 0,
        succeeded: 0,
        reverted: 0,
        unsent: 0,
        latencyMs: null,
        queue: 0,
      })),
    );
  });

  it('the operator series counts each acceptance and each outcome in the bucket of its time', async () => {
    const [first, second, third] = [0, 1, 2].map((i) => SINCE_MS + i * MINUTE_MS + 5_000);
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    history.end(ended({ acceptedAtMs: first, endedAtMs: first + 2_000 }));
    history.end(ended({ acceptedAtMs: first, endedAtMs: second, state: 'reverted' }));
    history.end(ended({ acceptedAtMs: second, endedAtMs: second + 1, state: 'refused' }));
    history.end(ended({ acceptedAtMs: second, endedAtMs: third, state: 'expired' }));
    const { series } = await seriesOf();
    expect(
      series.map(({ accepted, succeeded, reverted, unsent }) => [
        accepted,
        succeeded,
        reverted,
        unsent,
      ]),
    ).toEqual([
      [2, 1, 0, 0],
      [2, 0, 1, 1],
      [0, 0, 0, 1],
    ]);
    expect(series.map(({ latencyMs }) => latencyMs)).toEqual([
      { p50: 2_000, p95: 2_000 },
      { p50: MINUTE_MS, p95: MINUTE_MS },
      null,
    ]);
  });

  it('returns the queue length at the end of each bucket, including attempts accepted before the first bucket', async () => {
    history.begin(live(SINCE_MS - 3_600_000));
    history.end(ended({ acceptedAtMs: SINCE_MS - 1, endedAtMs: SINCE_MS + MINUTE_MS }));
    history.begin(live(SINCE_MS + 2 * MINUTE_MS, 'another'));
    expect((await seriesOf()).series.map(({ queue }) => queue)).toEqual([2, 1, 2]);
  });

  it('counts an attempt only once if it ends between the two reads of the series', async () => {
    const entry = ended({ key: 'live', acceptedAtMs: SINCE_MS + 1 });
    history = new (class extends InMemorySettlementHistory {
      override async live() {
        const seen = await super.live();
        this.end(entry);
        return seen;
      }
    })();
    history.begin(live(entry.acceptedAtMs));
    const { series } = await seriesOf();
    expect(series.map(({ accepted, succeeded, queue }) => [accepted, succeeded, queue])).toEqual([
      [1, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
    ]);
  });

  it('counts an attempt with an end time in the future in the last bucket', async () => {
    history.end(ended({ acceptedAtMs: NOW_MS + 1, endedAtMs: NOW_MS + 10 * MINUTE_MS }));
    expect((await seriesOf()).series.at(-1)).toMatchObject({ accepted: 1, succeeded: 1, queue: 0 });
  });

  it('returns the income and the cost of each pool in fri; amounts of other contracts are not included', async () => {
    history.end(ended({ endedAtMs: SINCE_MS }));
    history.end(ended({ endedAtMs: SINCE_MS, state: 'reverted' }));
    history.end(ended({ subject: toFelt('0x2') }));
    const [money] = (await seriesOf()).pools;
    expect(money?.earnedFri).toEqual([20n * 10n ** 18n, 0n, 0n]);
    expect(money?.paidFri).toEqual([2n * 10n ** 18n, 0n, 0n]);
  });

  it('reports the series as incomplete if there are more ended attempts than the read limit', async () => {
    for (let index = 0; index < 5; index += 1)
      history.end(ended({ endedAtMs: SINCE_MS + index * 30_000, acceptedAtMs: SINCE_MS }));
    const { series, isComplete } = await seriesOf(3);
    expect(isComplete).toBe(false);
    expect(series.map(({ succeeded }) => succeeded)).toEqual([0, 2, 1]);
  });

  it('the operator series rejects with the error of the store', async () => {
    history.fail();
    await expect(seriesOf()).rejects.toThrow('the store is down');
  });
});
