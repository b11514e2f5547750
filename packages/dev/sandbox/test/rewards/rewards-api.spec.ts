import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '../../src/index.js';
import { startHarness, type Harness } from '../support/harness.js';
import { postJson } from '../support/rpc.js';

const { prime, partner_xbtc: partner } = sandboxWorld.lendingPools;
const hex = (value: bigint): string => `0x${value.toString(16)}`;

describe('the lending protocol’s HTTP interface', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await startHarness();
  });
  afterEach(async () => harness.stop());

  const get = async (path: string): Promise<Response> => fetch(`${harness.rewardsUrl}${path}`);
  const order = async (body: unknown): Promise<Response> =>
    postJson(`${harness.url}/control`, { action: 'rewards', order: body });

  it('the rewards API returns a pool, with or without leading zeros in its address', async () => {
    const expected = {
      id: '0x0451fe483d5921a2919ddd81d0de6696669bccdacd859f72a4fba7656b97c3b5',
      name: 'Prime',
      assets: [
        {
          address: '0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
          symbol: 'WBTC',
          decimals: 8,
          vToken: { address: '0x04ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56c' },
          stats: { btcFiSupplyApr: { value: '12000000000000000', decimals: 18 } },
        },
      ],
    };
    expect(await (await get(`/pools/${hex(prime.address)}`)).json()).toMatchObject({
      data: expected,
    });
    expect(
      await (await get(`/pools/${expected.id.toUpperCase().replace('0X', '0x')}`)).json(),
    ).toMatchObject({ data: expected });
  });

  it('the rewards API lists all lending pools', async () => {
    expect(await (await get('/pools')).json()).toMatchObject({
      data: [{ name: 'Prime' }, { name: 'Re7 xBTC' }],
    });
  });

  it.each(['/pools/0xdead', '/pools/prime', '/markets', '/'])(
    'the rewards API of the lending protocol returns 404 for %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('the rewards API returns the reward rate that a test sets, or no reward programme for a null rate', async () => {
    expect(
      (
        await order({
          action: 'setBtcFiApr',
          pool: hex(partner.address),
          rate: { value: '7', decimals: 2 },
        })
      ).status,
    ).toBe(200);
    const rate = async (): Promise<unknown> => (await get(`/pools/${hex(partner.address)}`)).json();
    expect(await rate()).toMatchObject({
      data: { assets: [{ stats: { btcFiSupplyApr: { value: '7', decimals: 2 } } }] },
    });
    await order({ action: 'setBtcFiApr', pool: hex(partner.address), rate: null });
    expect(await rate()).toMatchObject({ data: { assets: [{ stats: { btcFiSupplyApr: null } }] } });
    expect((await order({ action: 'setBtcFiApr', pool: '0xdead', rate: null })).status).toBe(400);
  });

  it('the rewards API responds normally after a fault was applied to the given number of requests', async () => {
    const strike = async (fault: unknown, times = 1): Promise<void> =>
      void (await order({ action: 'addFault', fault, times }));
    await strike({ kind: 'refuse', status: 500 }, 2);
    expect([
      (await get('/pools')).status,
      (await get('/pools')).status,
      (await get('/pools')).status,
    ]).toEqual([500, 500, 200]);
    await strike({ kind: 'rate-limited', retryAfterSeconds: 7 });
    const limited = await get('/pools');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    await strike({ kind: 'html' });
    expect([(await get('/pools')).status, harness.control.rewards.requests()]).toEqual([502, 5]);
    await strike({ kind: 'html', status: 200 });
    expect(await (await get('/pools')).text()).toContain('<html>');
    await strike({ kind: 'answer', body: { data: 1 } });
    expect(await (await get('/pools')).json()).toEqual({ data: 1 });
    await strike({ kind: 'cut' });
    await expect(get('/pools')).rejects.toThrow('fetch failed');
    await strike({ kind: 'late', delayMs: 50 });
    const sentAtMs = performance.now();
    expect((await get('/pools')).status).toBe(200);
    expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(45);
    await strike({ kind: 'cut' }, 9);
    await order({ action: 'clearFaults' });
    expect((await get('/pools')).status).toBe(200);
    expect(await (await order({ action: 'requests' })).json()).toEqual({ result: 10 });
  });
});
