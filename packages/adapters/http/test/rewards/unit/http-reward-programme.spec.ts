import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpRewardProgramme } from '@sotto/adapter-http/rewards';
import { toFelt } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import type { RewardsApi, RewardsFault, Sandbox } from '@sotto/sandbox';
import { PARTNER, PRIME, startRewards } from '../support/sandbox.js';

const SECRET = 'marker-secret';
const MISMATCH = 'data.assets';

describe('HttpRewardProgramme', () => {
  let sandbox: Sandbox;
  let api: RewardsApi;
  let subject: HttpRewardProgramme;

  beforeEach(async () => {
    sandbox = await startRewards();
    api = sandbox.control.rewards;
    subject = connected();
  });
  const connected = (timeoutMs = 60_000): HttpRewardProgramme =>
    new HttpRewardProgramme({
      url: sandbox.rewardsUrl,
      timeoutMs,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
      headers: { 'X-Api-Key': SECRET },
    });
  afterEach(async () => {
    subject.close();
    await sandbox.stop();
  });

  it.each([
    [{ value: 5n, decimals: 2 }, 50_000_000_000_000_000n],
    [{ value: 5n, decimals: 0 }, 5_000_000_000_000_000_000n],
    [{ value: 1_999_999_999_999_999_999n, decimals: 36 }, 1n],
    [{ value: 0n, decimals: 18 }, 0n],
    [{ value: 1_000n, decimals: 0 }, 10n ** 21n],
  ])('converts the reward rate %p with its decimals', async (rate, aprE18) => {
    api.setBtcFiApr(BigInt(PRIME.pool), rate);
    expect(await subject.supplyAprE18(PRIME)).toBe(aprE18);
  });

  it('requests the reward rates of each pool in a separate request', async () => {
    await Promise.all([subject.supplyAprE18(PRIME), subject.supplyAprE18(PARTNER)]);
    expect(api.requests()).toBe(2);
  });

  it('retries a request for reward rates if the connection breaks or the server is busy', async () => {
    for (const fault of [{ kind: 'cut' }, { kind: 'html' }, { kind: 'rate-limited' }] as const) {
      api.addFault({ fault });
      expect(await subject.supplyAprE18(PARTNER)).toBe(45n * 10n ** 15n);
    }
    expect(api.requests()).toBe(6);
  });

  it.each<[string, RewardsFault, string]>([
    ['500', { kind: 'refuse', status: 500 }, 'REWARDS_UNAVAILABLE'],
    ['400', { kind: 'refuse', status: 400 }, 'REWARDS_UNAVAILABLE'],
    ['429', { kind: 'rate-limited', retryAfterSeconds: 30 }, 'REWARDS_UNAVAILABLE'],
    ['502 in HTML', { kind: 'html' }, 'REWARDS_UNAVAILABLE'],
    ['a broken connection', { kind: 'cut' }, 'REWARDS_UNAVAILABLE'],
    ['200 in HTML', { kind: 'html', status: 200 }, 'REWARDS_MALFORMED'],
    ['an answer that comes too late', { kind: 'late', delayMs: 20_000 }, 'REWARDS_TIMED_OUT'],
    [
      'an answer without an end',
      { kind: 'answer', body: 'x'.repeat(3 * 2 ** 20) },
      'REWARDS_MALFORMED',
    ],
  ])(
    'fails on %s of the rewards interface without repeating text of the response',
    async (_what, fault, code) => {
      api.addFault({ fault, times: 2 });
      if (code === 'REWARDS_TIMED_OUT') {
        subject.close();
        subject = connected(300);
      }
      const error = await failure(subject.supplyAprE18(PRIME));
      expect(error).toMatchObject({ code });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const hidden of [SECRET, sandbox.rewardsUrl, '<h1>'])
        expect(shown).not.toContain(hidden);
    },
  );

  it('fails for a pool that the rewards interface does not know', async () => {
    expect(await failure(subject.supplyAprE18({ ...PRIME, pool: toFelt('0xdead') }))).toMatchObject(
      {
        code: 'REWARDS_UNAVAILABLE',
        details: { status: 404 },
      },
    );
  });

  describe('answer of another form', () => {
    const stats = { btcFiSupplyApr: null };
    const asset = { address: PRIME.asset, stats };
    const answer = (changes: Readonly<Record<string, unknown>>): unknown => ({
      data: { id: PRIME.pool, assets: [asset], ...changes },
    });
    const withRate = (btcFiSupplyApr: unknown): unknown =>
      answer({ assets: [{ ...asset, stats: { btcFiSupplyApr } }] });

    it('accepts additional fields of the rewards response, and malformed entries of other assets', async () => {
      const other = { address: '0xe7', stats: { btcFiSupplyApr: 'soon' } };
      api.addFault({
        fault: {
          kind: 'answer',
          body: {
            ...Object(answer({ assets: [null, {}, other, { ...asset, risk: [] }] })),
            meta: 1,
          },
        },
      });
      expect(await subject.supplyAprE18(PRIME)).toBe(0n);
    });

    it.each([
      ['null', { btcFiSupplyApr: null }],
      ['a value of null', { btcFiSupplyApr: { value: null, decimals: 18 } }],
      ['an absent rate', {}],
    ])(
      'T17 returns a reward rate of 0 for %s, because the pool has no reward programme',
      async (_what, statistics) => {
        const body = answer({ assets: [{ ...asset, stats: statistics }] });
        api.addFault({ fault: { kind: 'answer', body } });
        expect(await subject.supplyAprE18(PRIME)).toBe(0n);
      },
    );

    it.each<[string, unknown, string]>([
      ['nothing', null, ''],
      ['a bare pool', { id: PRIME.pool, assets: [asset] }, 'data'],
      ['an error in 200', { message: SECRET }, 'data'],
      ['another pool', answer({ id: PARTNER.pool }), 'data.id'],
      ['no assets', answer({ assets: undefined }), 'data.assets'],
      ['an empty list of assets', answer({ assets: [] }), MISMATCH],
      ['another asset only', answer({ assets: [{ ...asset, address: '0xe7' }] }), MISMATCH],
      ['the asset twice', answer({ assets: [asset, asset] }), MISMATCH],
      [
        'a thousand assets',
        answer({ assets: Array.from({ length: 1_000 }, () => asset) }),
        'data.assets',
      ],
      ['no statistics', answer({ assets: [{ address: PRIME.asset }] }), 'stats'],
      ['a number in place of both', withRate(0.05), 'stats.btcFiSupplyApr'],
      ['a JSON number', withRate({ value: 50, decimals: 3 }), 'stats.btcFiSupplyApr.value'],
      ['a float', withRate({ value: '0.05', decimals: 18 }), 'stats.btcFiSupplyApr.value'],
      ['a negative rate', withRate({ value: '-5', decimals: 18 }), 'stats.btcFiSupplyApr.value'],
      [
        'an endless rate',
        withRate({ value: '9'.repeat(10_000), decimals: 18 }),
        'stats.btcFiSupplyApr.value',
      ],
      ['no decimals', withRate({ value: '5' }), 'stats.btcFiSupplyApr.decimals'],
      [
        'a million decimals',
        withRate({ value: '5', decimals: 1_000_000 }),
        'stats.btcFiSupplyApr.decimals',
      ],
      ['more than 100,000 %', withRate({ value: '1001', decimals: 0 }), 'stats.btcFiSupplyApr'],
    ])('rejects a rewards response with %s', async (_what, body, at) => {
      api.addFault({ fault: { kind: 'answer', body } });
      const error = await failure(subject.supplyAprE18(PRIME));
      expect(error).toMatchObject({ code: 'REWARDS_MALFORMED', details: { at } });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
    });
  });

  it('reveals no API key when the client of the rewards interface is printed', () => {
    expect(inspect(subject, { depth: 20, showHidden: true })).not.toContain(SECRET);
  });
});
