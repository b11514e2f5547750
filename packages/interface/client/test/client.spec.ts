import { describe, expect, it } from '@jest/globals';
import { createSottoClient } from '../src/index.js';
import { answering, failure, json } from './answers.js';

const baseUrl = 'https://relayer.example';

describe('the client', () => {
  it('the client sends path, query, header and body parameters as the route definition requires', async () => {
    const service = answering(
      json({ denomination: '20000' }),
      json({ execution_status: 'UNKNOWN' }, 202),
    );
    const client = createSottoClient({ baseUrl, fetch: service.fetch });
    const status = await client.GET('/api/relayer/pool-status', {
      params: { query: { pool: '0x1a' } },
    });
    expect(status.data).toEqual({ denomination: '20000' });

    const body = { poolAddress: '0x1a', count: 3 };
    await client.POST('/api/relayer/deploy-batch', { body, headers: { prefer: 'respond-async' } });
    const [read, sent] = service.requests;
    expect([read?.method, read?.url]).toEqual([
      'GET',
      `${baseUrl}/api/relayer/pool-status?pool=0x1a`,
    ]);
    expect([sent?.method, sent?.url]).toEqual(['POST', `${baseUrl}/api/relayer/deploy-batch`]);
    expect(sent?.headers.get('prefer')).toBe('respond-async');
    expect(sent?.headers.get('content-type')).toBe('application/json');
    expect(await sent?.json()).toEqual(body);
  });

  it('the client returns the body of an error response together with its status', async () => {
    const client = createSottoClient({ baseUrl, fetch: answering(json(failure, 404)).fetch });
    const { data, error, response } = await client.GET('/api/relayer/submissions/{id}', {
      params: { path: { id: 'abc' } },
    });
    expect({ data, error, status: response.status }).toEqual({
      data: undefined,
      error: failure,
      status: 404,
    });
  });

  it('the client rejects wrong paths, parameters and reply fields at compile time', () => {
    const client = createSottoClient({ baseUrl });
    const ask = async (): Promise<void> => {
      // @ts-expect-error a path that the service does not have
      await client.GET('/api/relayer/withdrawals');
      // @ts-expect-error the count is a number
      await client.POST('/api/relayer/deploy-batch', { body: { poolAddress: '0x1a', count: '3' } });
      const { data } = await client.GET('/api/relayer/fee-estimate');
      // @ts-expect-error amounts in sats are numbers
      const fee: string | undefined = data?.feeSats;
      expect(fee).toBeUndefined();
    };
    expect(ask).toBeInstanceOf(Function);
  });
});
