import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { retryOf } from '@sotto/facts';
import { FIELD_PRIME, toFelt, u256ToHalves } from '@sotto/kernel';
import type { Answer } from '@sotto/process-kit';
import { isEmpty } from './support/ledger.js';
import { rawHttp } from './support/raw-http.js';
import { Stack } from './support/stack.js';
import { good, vector } from './support/withdrawals.js';

const PATH = '/api/relayer/withdraw';
/** Order of BN254's scalar field. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Index of the first public input, after the length felt. The seven inputs have two felts each. */
const FIRST_INPUT = 34;
const INPUTS = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const;

interface Failure {
  readonly status: number;
  readonly code: unknown;
  /** Names of those parts of the response that violate the common format of failures. */
  readonly wrong: readonly string[];
}
const refused = (status: number, code: string): Failure => ({ status, code, wrong: [] });

describe('bad input', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.stop());

  const post = (
    body: string,
    headers: Readonly<Record<string, string>> = {},
    path = PATH,
  ): Promise<Answer> =>
    stack.service.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const send = (body: unknown): Promise<Answer> => post(JSON.stringify(body));

  const invalid = refused(400, 'INVALID_REQUEST');

  /**
   * Parses a failure and checks it against the rules for all failures: the format is fixed, the
   * response repeats no part of the request, and the request writes nothing to the ledger.
   */
  function failureOf({ status, body, headers, text }: Answer): Failure {
    const { error, code, retry, requestId, docs, ...rest }: Readonly<Record<string, unknown>> =
      Object(body);
    const checks: Readonly<Record<string, boolean>> = {
      'content type': headers.get('content-type') === 'application/json; charset=utf-8',
      sentence: /^[\w’' ,.;:/-]{10,200}$/.test(String(error)),
      'request id': typeof requestId === 'string' && requestId === headers.get('x-request-id'),
      docs: docs === `/docs/errors#${String(code)}`,
      retry: retry === retryOf(String(code)),
      fields: Object.keys(rest).every((name) => name === 'details'),
      length: text.length < 4_000,
      ledger: isEmpty(stack.ledger()),
    };
    return {
      status,
      code,
      wrong: Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name])),
    };
  }

  it.each([
    ['an object that is cut off', '{"poolAddress": "0x1", "calldata": ["0x1"'],
    ['a trailing comma', '{"poolAddress": "0x1", "calldata": ["0x1"],}'],
    ['single quotes', "{'poolAddress': '0x1'}"],
    ['two objects', '{} {}'],
    ['a NUL in a string', '{"poolAddress": "\u0000", "calldata": []}'],
    ['a number alone', '12'],
  ])('rejects a body that is not JSON: %s', async (_what, body) => {
    expect(failureOf(await post(body))).toEqual(refused(400, 'INVALID_JSON'));
  });

  it.each([
    ['nothing at all', ''],
    ['an array in place of the object', []],
    ['no fields', {}],
    ['a number as the pool', { ...good, poolAddress: 1 }],
    ['null as the pool', { ...good, poolAddress: null }],
    ['a text as the calldata', { ...good, calldata: '0x1' }],
    ['an object with a length as the calldata', { ...good, calldata: { length: 2020 } }],
    ['numbers as felts', { ...good, calldata: [1, 2, 3] }],
    ['null among the felts', { ...good, calldata: ['0x1', null] }],
    ['no felts', { ...good, calldata: [] }],
    ['5,001 felts', { ...good, calldata: Array.from({ length: 5_001 }, () => '0x1') }],
    ['a felt of 10,000 digits', { ...good, calldata: ['1'.repeat(10_000)] }],
    ['an unknown field', { ...good, recipient: '0x1' }],
    ['a field in another spelling', { pool_address: good.poolAddress, calldata: good.calldata }],
  ])('rejects a body that does not match its schema: %s', async (_what, body) => {
    const answer = await (body === '' ? post('') : send(body));
    expect(failureOf(answer)).toEqual(invalid);
    expect(Object(answer.body).details.issues[0]).toEqual({
      path: expect.stringMatching(/^body/),
      message: expect.any(String),
    });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'rejects a body that contains a field with the name "%s"',
    async (name) => {
      const rest = JSON.stringify(good).slice(1);
      expect(
        failureOf(await post(`{"${name}": {"poolAddress": "0x1", "dryRun": true}, ${rest}`)),
      ).toEqual(invalid);
      expect(Object.prototype).not.toHaveProperty('dryRun');
    },
  );

  it('the last value is used if a JSON body contains the same key twice', async () => {
    const calldata = JSON.stringify(good.calldata);
    const pools = (...[first, last]: readonly [string, string]): string =>
      `{"poolAddress": "${first}", "poolAddress": "${last}", "calldata": ${calldata}}`;
    expect(failureOf(await post(pools(good.poolAddress, '0x1')))).toEqual(
      refused(404, 'POOL_NOT_SUPPORTED'),
    );
    const { body } = await post(pools('0x1', good.poolAddress), {}, `${PATH}?dryRun=true`);
    expect(body).toMatchObject({ admissible: true });
  });

  it.each([
    ['arrays', '['.repeat(100_000), ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(40_000), `1${'}'.repeat(40_000)}`],
  ])(
    'the service rejects %s that are nested up to the size limit',
    async (_what, opening, closing) => {
      expect(
        failureOf(await post(`{"poolAddress": ${opening}${closing}, "calldata": ["0x1"]}`)),
      ).toEqual(invalid);
    },
  );

  it.each([
    ['the field prime itself', `0x${FIELD_PRIME.toString(16)}`],
    ['the field prime in decimal', String(FIELD_PRIME)],
    ['the largest of 256 bits', `0x${'f'.repeat(64)}`],
    ['an empty text', ''],
    ['a sign', '-1'],
    ['a fraction', '1.5'],
    ['an exponent', '1e3'],
    ['spaces', ' 0x1 '],
    ['hex without digits', '0x'],
    ['digits of another script', '١٢٣'],
  ])('rejects a text that is not a felt: %s', async (_what, felt) => {
    const inCalldata = await send({ ...good, calldata: vector.calldata.with(7, felt) });
    expect(failureOf(inCalldata)).toEqual(refused(400, 'INVALID_FELT'));
    expect(Object(inCalldata.body).details).toEqual({ path: 'body.calldata.7' });
    expect(failureOf(await send({ ...good, poolAddress: felt }))).toEqual(
      refused(400, 'INVALID_FELT'),
    );
  });

  it.each(INPUTS.map((name, index) => [name, index, vector.publicInputs[index] ?? '0'] as const))(
    'rejects a public input unless it is below the curve order r: "%s"',
    async (name, index, value) => {
      for (const beyond of [BigInt(value) + R, R, 2n ** 256n - 1n]) {
        const halves = u256ToHalves(beyond).map((half) => toFelt(half));
        const answer = await send({
          ...good,
          calldata: vector.calldata.toSpliced(FIRST_INPUT + 2 * index, 2, ...halves),
        });
        expect(failureOf(answer)).toEqual(refused(400, 'PUBLIC_INPUT_OUT_OF_RANGE'));
        expect(Object(answer.body).details).toEqual({ input: name });
      }
    },
  );

  it.each([
    [
      '300 KiB of calldata',
      JSON.stringify({
        ...good,
        calldata: Array.from({ length: 5_000 }, () => '0x'.padEnd(64, '0')),
      }),
    ],
    ['300 KiB of spaces', `${' '.repeat(300 * 1024)}${JSON.stringify(good)}`],
    ['300 KiB that are no JSON', 'x'.repeat(300 * 1024)],
  ])('rejects a body above the size limit: %s', async (_what, body) => {
    expect(failureOf(await post(body))).toEqual(refused(413, 'BODY_TOO_LARGE'));
  });

  it('rejects a body above the size limit even if the request does not state the length', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const { status, body } = await rawHttp(stack.service.url, `${head}${chunk.repeat(5)}0\r\n\r\n`);
    expect([status, JSON.parse(body)]).toEqual([
      413,
      expect.objectContaining({ code: 'BODY_TOO_LARGE' }),
    ]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'json',
  ])('rejects a body of another content type: %s', async (type) => {
    expect(failureOf(await post(JSON.stringify(good), { 'content-type': type }))).toEqual(
      refused(400, 'UNSUPPORTED_CONTENT_TYPE'),
    );
  });

  it.each([
    ['GET', '/wrong'],
    ['GET', '/api/relayer/withdrawals'],
    ['POST', '/api/relayer/withdraw/1'],
    ['GET', '/api/relayer/submissions/'],
    ['GET', '/api/../etc/passwd'],
    ['GET', '/.env'],
  ])('responds to an unknown path with ROUTE_NOT_FOUND: %s %s', async (method, path) => {
    expect(failureOf(await stack.service.request(path, { method }))).toEqual(
      refused(404, 'ROUTE_NOT_FOUND'),
    );
  });

  it.each([
    ['GET', PATH, 'POST'],
    ['PUT', PATH, 'POST'],
    ['DELETE', '/api/relayer/submissions/abc', 'GET, HEAD'],
    ['POST', '/health/ready', 'GET, HEAD'],
    ['PATCH', '/openapi.json', 'GET, HEAD'],
  ])(
    'responds to a wrong method with the allowed methods in the header Allow: %s %s',
    async (method, path, allow) => {
      const answer = await stack.service.request(path, { method });
      expect(failureOf(answer)).toEqual(refused(405, 'METHOD_NOT_ALLOWED'));
      expect(answer.headers.get('allow')).toBe(allow);
    },
  );

  it.each([
    [
      'an unknown id',
      '/api/relayer/submissions/AAAAAAAAAAAAAAAAAAAAAA',
      404,
      'SUBMISSION_NOT_FOUND',
    ],
    ['an id with other characters', '/api/relayer/submissions/a%27b', 400, 'INVALID_REQUEST'],
    [
      'an id that is too long',
      `/api/relayer/submissions/${'a'.repeat(65)}`,
      400,
      'INVALID_REQUEST',
    ],
    ['an id with a NUL', '/api/relayer/submissions/%00', 400, 'INVALID_REQUEST'],
    ['broken percent-encoding', '/api/relayer/submissions/%E0%A4%A', 400, 'INVALID_REQUEST'],
  ])(
    'a lookup of a submission by a wrong id fails with the error code for that mistake: %s',
    async (_what, path, status, code) => {
      expect(failureOf(await stack.service.get(path))).toEqual(refused(status, code));
    },
  );

  it.each([
    '?dryRun=1',
    '?dryRun=TRUE',
    '?dryRun=true&dryRun=true',
    '?dry_run=true',
    '?dryRun[]=true',
    '?__proto__[dryRun]=true',
  ])('rejects a request with the query %s', async (query) => {
    expect(failureOf(await stack.service.withdraw(good, { query }))).toEqual(invalid);
  });

  it.each([
    [
      'headers of 20 KiB',
      (): string =>
        `GET /health/live HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(20 * 1024)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a path of 20 KiB',
      (): string => `GET /${'a'.repeat(20 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['bytes that are no HTTP', (): string => 'hello\r\n\r\n', 400, 'MALFORMED_HTTP'],
    [
      'two lengths of one body',
      (): string =>
        `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
      'MALFORMED_HTTP',
    ],
    [
      'a length and chunks',
      (): string =>
        `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'MALFORMED_HTTP',
    ],
  ])(
    'responds to %s with an error body in the usual format',
    async (_what, bytes, status, code) => {
      const answer = await rawHttp(stack.service.url, bytes());
      expect({ status: answer.status, body: answer.body }).toEqual({
        status,
        body: expect.stringContaining(`"code":"${code}"`),
      });
      expect(JSON.parse(answer.body)).toEqual({
        code,
        error: expect.any(String),
        requestId: expect.any(String),
        retry: expect.any(String),
        docs: `/docs/errors#${code}`,
      });
      expect(answer.head).toMatch(/^content-type: application\/json/im);
    },
  );

  it('the service still works after all invalid requests', async () => {
    expect((await stack.service.get('/health/ready')).status).toBe(200);
    expect(stack.service.output).not.toMatch(/"level":"error"/);
    expect((await stack.service.withdraw(good)).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
  });
});
