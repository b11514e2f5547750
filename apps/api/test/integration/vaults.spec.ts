import { beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { testApp, type TestApp } from './test-app.js';
import { vaultList } from './yields-fixture.js';

describe('GET /api/vaults', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await testApp();
  });
  const get = (): PromiseLike<Response> => request(test.app).get('/api/vaults');

  it('the vault list contains address, method, idle amount and last keeper run of each vault', async () => {
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=5');
    expect(body).toMatchObject({ block: 700_001, at: 1_760_000_000 });
    expect(body.vaults[0]).toMatchObject({
      id: 'sentinel',
      address: '0x5e1',
      method: 'deploy_to_lending',
      idle: '18446744073709551616',
      leverage: null,
    });
    expect(body.vaults[0].lastRun).toMatchObject({ lastLookAt: expect.any(Number), paused: null });
    expect(body.vaults[0].lastRun).not.toHaveProperty('details');
  });

  it('the vault list contains target, debt and health factor of a vault that borrows', async () => {
    const { body } = await get();
    expect(body.vaults[1]).toMatchObject({
      idle: '0',
      lastRun: null,
      leverage: {
        lastLookAt: 1_760_000_000,
        target: 3,
        leverage: 2.9985,
        collateral: '300000000',
        debt: '120000000000',
        health: 1.275,
        reason: 'AT_TARGET',
      },
    });
  });

  it('the vault list omits a vault’s leverage target while leverage rounds may still move the vault towards it', async () => {
    const poll = vaultList.vaults[1]?.leveraged?.lastPoll;
    const details = { ...poll?.report.details };
    for (const report of [
      { outcome: 'acted', submissionId: 'a', details },
      { outcome: 'skipped', reason: 'LIQUIDITY_MISSING', details, dueAtMs: null },
    ] as const) {
      test = await testApp();
      test.useCases.vaults = async () => ({
        ...vaultList,
        vaults: vaultList.vaults.map((vault) => ({
          ...vault,
          leveraged: {
            subject: vault.id,
            paused: null,
            lastPoll: { atMs: 1_760_000_000_000, sinceMs: 1_760_000_000_000, report },
            dueAtMs: null,
            lastActed: null,
          },
        })),
      });
      const { body, text } = await get();
      expect(body.vaults[1].leverage).toMatchObject({ target: null, debt: '120000000000' });
      expect(text).not.toContain('"3"');
    }
  });

  it('the vault list contains null for values that neither the node nor the keeper knows', async () => {
    test.useCases.vaults = async () => ({
      block: null,
      vaults: vaultList.vaults.map((vault) => ({
        ...vault,
        idleSats: null,
        curated: null,
        leveraged: null,
      })),
    });
    const { status, body } = await get();
    expect([status, body.block, body.at]).toEqual([200, null, null]);
    expect(body.vaults[1]).toMatchObject({
      idle: null,
      lastRun: null,
      leverage: { target: null, debt: null, health: null, lastLookAt: null },
    });
  });
});
