import { beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { testApp, type TestApp } from './test-app.js';

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

describe('GET /api/bridge/routes', () => {
  it('lists the pairs of chains and ERC-20 tokens with bridge quotes, once for each direction', async () => {
    const { body, headers } = await request(test.app).get('/api/bridge/routes');
    const STRK = { chain: 'starknet', token: 'STRK', decimals: 18 };
    expect(body.routes).toContainEqual({
      direction: 'in',
      from: { chain: 'solana', token: 'SOL', decimals: 9 },
      to: STRK,
    });
    expect(body.routes).toContainEqual({
      direction: 'out',
      from: STRK,
      to: { chain: 'ethereum', token: 'WBTC', decimals: 8 },
    });
    expect(headers['cache-control']).toBe('public, max-age=300');
    for (const { from, to } of body.routes) {
      const pair = {
        from_chain: from.chain,
        from_token: from.token,
        to_chain: to.chain,
        to_token: to.token,
      };
      const { status: code, body: terms } = await request(test.app)
        .post('/api/bridge/quote')
        .send({
          ...pair,
          amount: String(10n ** BigInt(from.decimals)),
          dry_run: true,
        });
      expect([code, terms.estimated_output]).toEqual([
        200,
        expect.stringContaining(` ${to.token}`),
      ]);
    }
  });
});
