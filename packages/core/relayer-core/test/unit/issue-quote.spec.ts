import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { feeQuoteTypedData, type FeeQuote } from '../../src/index.js';
import { QUOTE_LIMITS, anEstimateWorld, usdcPool, wbtcStatus } from '../support/estimate-world.js';
import { NOW_MS, policy, pool, quote } from '../support/world.js';

/** Returns the code of the error, or `given` if a quote was issued. */
const codeOf = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => 'given',
    (error: unknown) => Object(error).code,
  );

describe('IssueQuote', () => {
  it('issues a signed quote of the estimated fee that is valid for two minutes', async () => {
    const { issueQuote, signer, quoteStore } = anEstimateWorld();
    const { quote: signed, estimate } = await issueQuote.execute({ poolAddress: pool.address });
    const promised: FeeQuote = {
      id: 'quote-a',
      chainId: policy.chainId,
      pool: pool.address,
      relayer: policy.feeAddress,
      operation: 'withdraw',
      leafIndex: null,
      feeAmount: 562n,
      expiresAtMs: NOW_MS + 120_000,
    };
    expect(signed).toMatchObject(promised);
    expect(signer.verifies(feeQuoteTypedData(signed), signed)).toBe(true);
    expect(estimate).toMatchObject({
      feeAmount: 562n,
      costAmount: 468n,
      pool: { maxFee: 1_000n, denomination: 20_000n },
    });
    expect(await quoteStore.find('quote-a')).toEqual(promised);
  });

  it('issues each quote with a unique id and with an amount in the unit of the pool’s token', async () => {
    const { issueQuote } = anEstimateWorld();
    await issueQuote.execute({ poolAddress: pool.address });
    const { quote: second } = await issueQuote.execute({ poolAddress: usdcPool.address });
    expect(second).toMatchObject({ id: 'quote-b', pool: usdcPool.address, feeAmount: 500_000n });
  });

  it('a quote never expires later than its issue time plus its period of validity', async () => {
    const { issueQuote, clock } = anEstimateWorld();
    clock.pass(1_999);
    const { quote: signed } = await issueQuote.execute({ poolAddress: pool.address });
    expect(signed.expiresAtMs).toBe(NOW_MS + 121_000);
  });

  it('issues no quote if the pool’s maximum fee is below the cost', async () => {
    const { latestBlock, issueQuote, statuses, quoteStore } = anEstimateWorld();
    statuses.setStatus(pool.address, { ...wbtcStatus, maxFee: 467n });
    await expect(issueQuote.execute({ poolAddress: pool.address })).rejects.toMatchObject({
      code: 'WITHDRAWAL_UNPROFITABLE',
      details: { cost: '468', maximum: '467' },
    });
    expect(await quoteStore.find('quote-a')).toBeNull();
    statuses.setStatus(pool.address, { ...wbtcStatus, maxFee: 468n });
    latestBlock.mine();
    expect((await issueQuote.execute({ poolAddress: pool.address })).quote.feeAmount).toBe(468n);
  });

  it('S10: limits the number of unused quotes of each caller and of all callers', async () => {
    const { issueQuote, clock } = anEstimateWorld();
    const query = (name: string) =>
      issueQuote.execute({ poolAddress: pool.address, caller: { name, networks: [] } });
    for (let given = 0; given < QUOTE_LIMITS.perClient; given += 1) await query('greedy');
    await expect(query('greedy')).rejects.toMatchObject({
      code: 'TOO_MANY_QUOTES',
      kind: 'rate_limited',
      retryAfterSeconds: 240,
    });
    clock.pass(1_000);
    await query('other');
    expect(await codeOf(query('third'))).toBe('TOO_MANY_QUOTES');
    clock.pass(238_999);
    expect(await codeOf(query('third'))).toBe('TOO_MANY_QUOTES');
    clock.pass(1);
    expect(await codeOf(query('third'))).toBe('given');
  });

  it('S10 issues at most half of all quotes to one network, even if the limit per address is higher', async () => {
    const { issueQuote } = anEstimateWorld(undefined, undefined, undefined, {
      inAll: 100,
      perClient: 300,
    });
    const query = (address: string, network: string) =>
      codeOf(
        issueQuote.execute({
          poolAddress: pool.address,
          caller: { name: address, networks: [network] },
        }),
      );
    const codes: unknown[] = [];
    for (let request = 0; request < 200; request += 1)
      codes.push(await query(`203.0.113.${request % 50}`, '203.0.113.0/24'));
    expect(codes.filter((code) => code === 'given')).toHaveLength(50);
    expect(await query('198.51.100.9', '198.51.100.0/24')).toBe('given');
  });

  it('S10 does not count a quote that could not be issued', async () => {
    const { issueQuote, signer } = anEstimateWorld();
    signer.fail();
    for (let tries = 0; tries < 9; tries += 1)
      await expect(issueQuote.execute({ poolAddress: pool.address })).rejects.toMatchObject({
        code: 'FAKE_UPSTREAM_DOWN',
      });
    signer.fail(null);
    expect((await issueQuote.execute({ poolAddress: pool.address })).quote.feeAmount).toBe(562n);
  });

  it('rejects the request if the quote can’t be signed or stored', async () => {
    const { issueQuote, signer, quoteStore } = anEstimateWorld();
    signer.fail();
    await expect(issueQuote.execute({ poolAddress: pool.address })).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
    signer.fail(null);
    quoteStore.fail();
    await expect(issueQuote.execute({ poolAddress: pool.address })).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it('rejects a pool that the service does not serve', async () => {
    await expect(
      anEstimateWorld().issueQuote.execute({ poolAddress: toFelt('0x1') }),
    ).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });
});

describe('the typed data of a quote', () => {
  it('the typed data of a quote conforms to SNIP-12', () => {
    expect(feeQuoteTypedData({ ...quote, feeAmount: 2n ** 128n + 26n })).toEqual({
      types: {
        StarknetDomain: [
          { name: 'name', type: 'shortstring' },
          { name: 'version', type: 'shortstring' },
          { name: 'chainId', type: 'shortstring' },
          { name: 'revision', type: 'shortstring' },
        ],
        FeeQuote: [
          { name: 'id', type: 'string' },
          { name: 'pool', type: 'ContractAddress' },
          { name: 'relayer', type: 'ContractAddress' },
          { name: 'fee', type: 'u256' },
          { name: 'expires_at', type: 'timestamp' },
        ],
      },
      primaryType: 'FeeQuote',
      domain: { name: 'Sotto', version: '1', chainId: '0x534e5f5345504f4c4941', revision: '1' },
      message: {
        id: 'quote-1',
        pool: pool.address,
        relayer: policy.feeAddress,
        fee: { low: '26', high: '1' },
        expires_at: '1760000120',
      },
    });
  });

  it('a quote’s typed data cannot have an expiry time that is not a whole second', () => {
    for (const expiresAtMs of [quote.expiresAtMs + 1, quote.expiresAtMs - 999, 0.5, Number.NaN]) {
      expect(() => feeQuoteTypedData({ ...quote, expiresAtMs })).toThrow(RangeError);
    }
  });
});
