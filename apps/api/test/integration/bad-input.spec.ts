import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { retryOf } from '@sotto/facts';
import { FIELD_PRIME } from '@sotto/kernel';
import request, { type Response } from 'supertest';
import { z } from 'zod';
import { testApp, withServer, type TestApp } from './test-app.js';

const ErrorReply = z.strictObject({
  error: z.string().regex(/^[a-z].{5,}/i),
  code: z.string().regex(/^[A-Z_]+$/),
  retry: z.string(),
  requestId: z.uuid(),
  details: z.record(z.string(), z.unknown()).optional(),
  docs: z.string().regex(/^\/docs\/errors#[A-Z_]+$/),
});

const PATH = '/api/relayer/withdraw';
const good = { poolAddress: '0xaa1', calldata: ['0x1', '2'] };
const beyond = `0x${FIELD_PRIME.toString(16)}`;

describe('bad input', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await testApp();
  });

  const post = (
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
    path = PATH,
  ): PromiseLike<Response> =>
    request(test.app)
      .post(path)
      .set({ 'Content-Type': 'application/json', ...headers })
      .serialize((sent: unknown) => (typeof sent === 'string' ? sent : JSON.stringify(sent)))
      .send(body);

  const send = (body: unknown, path = PATH): PromiseLike<Response> =>
    post(JSON.stringify(body), {}, path);

  /**
   * Returns status and code of a rejection. @throws Error if the error body differs from the
   * documented format, or if a use case was called
   */
  function rejectionIn({
    status,
    body,
    headers,
  }: Response): readonly [status: number, code: string] {
    const { code, retry, requestId } = ErrorReply.parse(body);
    if (retry !== retryOf(code))
      throw new Error('the body names a retry other than the catalogue’s');
    if (requestId !== headers['x-request-id'])
      throw new Error('the body names a request other than the header’s');
    if (test.useCases.submitted.length + test.useCases.dryRuns.length > 0)
      throw new Error('a use case was called');
    return [status, code];
  }

  it.each([
    ['malformed JSON', '{"poolAddress": ', 'INVALID_JSON'],
    ['a JSON text that is no object', '"marker"', 'INVALID_JSON'],
    ['an empty body', '', 'INVALID_REQUEST'],
    ['null', 'null', 'INVALID_JSON'],
  ])('rejects a request whose body is %s', async (_name, body, code) => {
    expect(rejectionIn(await post(body))).toEqual([400, code]);
  });

  it.each([
    ['an array instead of the object', [], ['body']],
    ['no field', {}, ['body.poolAddress', 'body.calldata']],
    ['a pool address that is a number', { ...good, poolAddress: 1 }, ['body.poolAddress']],
    ['a pool address that is null', { ...good, poolAddress: null }, ['body.poolAddress']],
    ['calldata that is a string', { ...good, calldata: '0x1' }, ['body.calldata']],
    ['an element that is a number', { ...good, calldata: ['0x1', 2] }, ['body.calldata.1']],
    ['an element that is an object', { ...good, calldata: [{ length: 1 }] }, ['body.calldata.0']],
    ['no elements', { ...good, calldata: [] }, ['body.calldata']],
    [
      '5,001 felts',
      { ...good, calldata: Array.from({ length: 5_001 }, () => '0x1') },
      ['body.calldata'],
    ],
    ['an unknown field', { ...good, recipient: '0x1' }, ['body']],
    ['a text longer than any felt', { ...good, calldata: ['1'.repeat(78)] }, ['body.calldata.0']],
  ])(
    'rejects a body with %s and reports the path of the invalid field',
    async (_name, body, paths) => {
      const response = await send(body);
      expect(rejectionIn(response)).toEqual([400, 'INVALID_REQUEST']);
      expect(response.body.details.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
    },
  );

  it('reports at most ten invalid fields', async () => {
    const response = await send({ ...good, calldata: Array.from({ length: 4_000 }, () => 1) });
    expect(rejectionIn(response)).toEqual([400, 'INVALID_REQUEST']);
    expect(response.body.details.issues).toHaveLength(10);
  });

  it.each([
    ['a pool address that is no felt', { ...good, poolAddress: 'nope' }, 'body.poolAddress'],
    ['a pool address beyond the field', { ...good, poolAddress: beyond }, 'body.poolAddress'],
    ['an element beyond the field', { ...good, calldata: ['0x1', beyond] }, 'body.calldata.1'],
    [
      'a decimal element beyond the field',
      { ...good, calldata: [String(FIELD_PRIME)] },
      'body.calldata.0',
    ],
    ['an empty element', { ...good, calldata: ['0x1', '0x2', ''] }, 'body.calldata.2'],
    ['a negative element', { ...good, calldata: ['-1'] }, 'body.calldata.0'],
  ])(
    'rejects %s and reports the path of the invalid field, but not the field’s value',
    async (_name, body, path) => {
      const response = await send(body);
      expect(rejectionIn(response)).toEqual([400, 'INVALID_FELT']);
      expect(response.body.details).toEqual({ path });
    },
  );

  it('accepts calldata of 5,000 felts', async () => {
    const response = await send({ ...good, calldata: Array.from({ length: 5_000 }, () => '0x1') });
    expect(response.status).toBe(200);
    expect(test.useCases.submitted[0]?.calldata.length).toBe(5_000);
  });

  it('rejects a body of 300 KiB', async () => {
    const response = await post(
      JSON.stringify({ ...good, calldata: ['0x'.padEnd(300 * 1024, '1')] }),
    );
    expect(rejectionIn(response)).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('rejects a small compressed body that is too large after decompression', async () => {
    const bomb = gzipSync(JSON.stringify({ ...good, padding: ' '.repeat(2_000_000) }));
    expect(bomb.length).toBeLessThan(5_000);
    await withServer(test.app, async (url) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      const response = await fetch(`${url}${PATH}`, { method: 'POST', headers, body: bomb });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
    });
    expect(test.useCases.submitted).toEqual([]);
  });

  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another character set', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
    ['an unknown compression', { 'Content-Encoding': 'zstandard' }],
  ])('rejects a body sent as %s', async (_name, headers) => {
    expect(rejectionIn(await post(JSON.stringify(good), headers))).toEqual([
      400,
      'UNSUPPORTED_CONTENT_TYPE',
    ]);
  });

  it('rejects a request without a body', async () => {
    expect(rejectionIn(await request(test.app).post(PATH))).toEqual([
      400,
      'UNSUPPORTED_CONTENT_TYPE',
    ]);
  });

  it.each(['?dryRun=yes', '?dryRun=true&dryRun=false', '?dryrun=true', '?dryRun[a]=true'])(
    'rejects the query %s',
    async (query) => {
      expect(rejectionIn(await send(good, `${PATH}${query}`))).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it.each(['/', '/api', '/api/relayer/withdraw/more', '/api/relayer/submissions', '/admin'])(
    'answers 404 for the unknown path %s',
    async (path) => {
      expect(rejectionIn(await request(test.app).get(path))).toEqual([404, 'ROUTE_NOT_FOUND']);
    },
  );

  it.each([
    '/HEALTH/LIVE',
    '/Health/ready',
    '/API/relayer/pools',
    '/api/relayer/Pools',
    '/API/operator/status',
    '/STATUS',
    '/Docs',
    '/docs/Start.js',
  ])('S15 answers 404 for %s, because paths are case-sensitive', async (path) => {
    expect(rejectionIn(await request(test.app).get(path))).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it.each([
    '/health/live/',
    '/health/ready/',
    '/api/operator/status/',
    '/api/curator/',
    '/api/operator/pools/0xaa1/pause/',
  ])(
    'S15: answers 404 for %s, because certain paths are served only without a slash at the end',
    async (path) => {
      expect(rejectionIn(await request(test.app).get(path))).toEqual([404, 'ROUTE_NOT_FOUND']);
      expect(rejectionIn(await request(test.app).post(path).send({}))).toEqual([
        404,
        'ROUTE_NOT_FOUND',
      ]);
    },
  );

  it.each(['/api/relayer/pools/', '/api/staking/', '/status/', '/docs/errors/'])(
    'accepts a slash at the end of the path %s',
    async (path) => {
      expect((await request(test.app).get(path)).status).toBe(200);
    },
  );

  it('answers 404 for an unknown path without reading a large body', async () => {
    expect(rejectionIn(await post('x'.repeat(300 * 1024), {}, '/api/none'))).toEqual([
      404,
      'ROUTE_NOT_FOUND',
    ]);
  });

  it.each([
    ['GET', PATH, 'POST'],
    ['DELETE', PATH, 'POST'],
    ['PUT', '/health/live', 'GET, HEAD'],
    ['OPTIONS', '/api/relayer/submissions/abc', 'GET, HEAD'],
  ])(
    'the response to a request with a wrong method lists the allowed methods: %s %s',
    async (method, path, allow) => {
      const agent = request(test.app);
      const response = await (method === 'GET'
        ? agent.get(path)
        : method === 'PUT'
          ? agent.put(path)
          : method === 'DELETE'
            ? agent.delete(path)
            : agent.options(path));
      expect(rejectionIn(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers['allow']).toBe(allow);
    },
  );

  it('rejects a path with broken percent-encoding', async () => {
    expect(rejectionIn(await request(test.app).get('/api/relayer/submissions/%E0%A4%A'))).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
  });

  it('rejects a submission id that is too long', async () => {
    expect(
      rejectionIn(await request(test.app).get(`/api/relayer/submissions/${'a'.repeat(65)}`)),
    ).toEqual([400, 'INVALID_REQUEST']);
  });

  it('includes no part of a rejected body in responses or logs', async () => {
    const marker = '0xfeedfacefeedface';
    const bodies = [
      `{"poolAddress": "${marker}", `,
      JSON.stringify({ poolAddress: marker, calldata: [marker, 'zz'] }),
      JSON.stringify({ ...good, calldata: { [marker]: marker } }),
    ];
    for (const body of bodies) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(response.text).not.toContain('feedface');
    }
    expect(test.logged.length).toBe(bodies.length);
    expect(test.logged.join('')).not.toContain('feedface');
  });
});
