import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { CODES_OF, ERRORS, type ErrorCode, type ErrorKind } from '@sotto/facts';
import { InFlight, LargeBodies } from '@sotto/http-server';
import { DomainError, type ErrorDetails } from '@sotto/kernel';
import { FeeTooLow } from '@sotto/relayer-core';
import request, { type Response } from 'supertest';
import { succeeded } from './answers-fixture.js';
import { API_KEY, builds, executes, rpc } from './paymaster-requests.js';
import { testApp, withServer, type TestApp } from './test-app.js';

const MIB = 1_024 * 1_024;

class Staged extends DomainError {
  readonly kind: ErrorKind;

  constructor(
    readonly code: ErrorCode,
    details: ErrorDetails = {},
  ) {
    super('Staged.', { details, retryAfterSeconds: 7 });
    this.kind = ERRORS[code].kind;
  }
}

const post = ({ app }: TestApp, body: object | string): PromiseLike<Response> =>
  request(app)
    .post('/paymaster')
    .set({ 'Content-Type': 'application/json', 'x-paymaster-api-key': API_KEY })
    .send(body);

/** Returns the response to an execution whose use case fails. */
async function failedWith(failure: Error, body: object = executes()): Promise<Response> {
  const test = await testApp();
  test.useCases.answer = async () => {
    throw failure;
  };
  test.useCases.privateActions.quote = async () => {
    throw failure;
  };
  return post(test, body);
}

/** Codes of SNIP-29 by code of the catalogue. All other codes have 163. */
const MAPPED: Partial<Readonly<Record<ErrorCode, readonly [number, string]>>> = {
  POOL_NOT_SUPPORTED: [161, 'PRIVACY_POOL_NOT_WHITELISTED'],
  FEE_TOKEN_NOT_SERVED: [151, 'TOKEN_NOT_SUPPORTED'],
  PRIVATE_ACTION_FEE_MISSING: [165, 'MISSING_FEE_TRANSFER_TO'],
  FEE_TOO_LOW: [154, 'MAX_AMOUNT_TOO_LOW'],
  PRIVATE_ACTIONS_UNREADABLE: [166, 'CALLDATA_PARSING'],
  PROOF_MISSING: [168, 'PRIVACY_PROOF_MISSING'],
  INVOKED_CONTRACT_NOT_ALLOWED: [164, 'INVOKE_ACTION_NOT_ALLOWED'],
  DEPOSITOR_NOT_ALLOWED: [164, 'INVOKE_ACTION_NOT_ALLOWED'],
  OUTSIDE_EXECUTION_INVALID: [164, 'INVOKE_ACTION_NOT_ALLOWED'],
  PROOF_FACTS_UNREADABLE: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PROOF_FACTS_MISMATCH: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PROOF_OF_ANOTHER_NETWORK: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PROOF_TOO_YOUNG: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PROOF_EXPIRED: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PROOF_BASE_BLOCK_UNKNOWN: [156, 'TRANSACTION_EXECUTION_ERROR'],
  POOL_VERSION_MISMATCH: [156, 'TRANSACTION_EXECUTION_ERROR'],
  PRIVATE_ACTIONS_APPLIED: [156, 'TRANSACTION_EXECUTION_ERROR'],
  SIMULATION_REVERTED: [156, 'TRANSACTION_EXECUTION_ERROR'],
  SUBMISSION_REFUSED: [156, 'TRANSACTION_EXECUTION_ERROR'],
  SUBMISSION_EXPIRED: [156, 'TRANSACTION_EXECUTION_ERROR'],
};

describe('errors of POST /paymaster', () => {
  it.each([...new Set([...CODES_OF.privateAction, ...CODES_OF.privateActionQuote])])(
    'a use case that fails with %s gets the error object of SNIP-29',
    async (code) => {
      const [rpcCode, name] = MAPPED[code] ?? [163, 'UNKNOWN_ERROR'];
      const text = `${code}: Staged. ${ERRORS[code].remedy}`;
      for (const body of [executes(), builds()]) {
        const { status, body: answer, headers } = await failedWith(new Staged(code), body);
        expect(status).toBe(code === 'QUEUE_FULL' ? 503 : 200);
        expect(headers['retry-after']).toBe('7');
        expect(answer).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: rpcCode,
            message: `An error occurred (${name})`,
            data: rpcCode === 156 ? { execution_error: text } : text,
          },
        });
      }
    },
  );

  it('an error object contains the details of its error', async () => {
    const { body } = await failedWith(new Staged('SIMULATION_REVERTED', { reason: 'PAUSED' }));
    expect(body.error.data.execution_error).toContain('details: {"reason":"PAUSED"}');
  });

  it('a fee that does not cover the pool’s fee has another code if a sponsor pays the gas', async () => {
    const failure = new FeeTooLow({ details: { offered: '1', required: '2' } });
    const inMode = async (mode: object): Promise<number> =>
      (await failedWith(failure, executes({}, { fee_mode: mode }))).body.error.code;
    expect(await inMode({ mode: 'default', gas_token: '0x1' })).toBe(154);
    expect(await inMode({ mode: 'sponsored_private', pool_fee_token: '0x1' })).toBe(167);
  });

  it('a defect is reported without its text', async () => {
    const { status, body, text } = await failedWith(new Error('marker'));
    expect([status, body.error.code]).toEqual([200, 163]);
    expect(body.error.data).toMatch(/^INTERNAL: /);
    expect(text).not.toContain('marker');
  });

  it.each([
    ['a text that is no JSON', '{ no JSON', 'application/json', -32_700, 'INVALID_JSON'],
    ['another content type', '{}', 'text/plain', -32_600, 'UNSUPPORTED_CONTENT_TYPE'],
  ])('%s gets an error object without an id', async (_name, text, type, code, named) => {
    const { app } = await testApp();
    const { status, body } = await request(app)
      .post('/paymaster')
      .set('Content-Type', type)
      .send(text);
    expect([status, body.id, body.error.code]).toEqual([200, null, code]);
    expect(body.error.data).toMatch(new RegExp(`^${named}: `));
  });

  it('a header that is too long is rejected by its name', async () => {
    const { app } = await testApp();
    const { body } = await request(app)
      .post('/paymaster')
      .set('x-paymaster-api-key', 'x'.repeat(257))
      .send(rpc('paymaster_isAvailable'));
    expect([body.error.code, body.error.data]).toEqual([
      -32_602,
      expect.stringContaining('headers.x-paymaster-api-key'),
    ]);
  });

  it('neither responses nor the log contain keys, calldata, facts or proofs', async () => {
    const test = await testApp();
    const secret = {
      apply_actions_call: { to: '0xaa1', selector: '0xfa15e', calldata: ['0xca11da7a'] },
      proof: 'cHJvb2Ytc2VjcmV0',
      proof_facts: ['0xfac75'],
    };
    const bodies = [
      executes(secret),
      executes({ ...secret, proof: `${secret.proof} ` }),
      executes({ ...secret, proof_facts: ['0xfac75', '07'] }),
      executes({ ...secret, [API_KEY]: 1 }),
    ];
    for (const body of bodies)
      expect((await post(test, body)).text).not.toMatch(/ca11da7a|fac75|cHJvb2Yt|marker-key/);
    test.useCases.answer = async () => {
      throw new Staged('LEDGER_UNAVAILABLE');
    };
    await post(test, executes());
    expect(test.logged.join('')).toContain('paymaster_executeTransaction');
    expect(test.logged.join('')).not.toMatch(/ca11da7a|fac75|cHJvb2Yt|c3R3bw|marker-key/);
  });
});

describe('limits of POST /paymaster', () => {
  const limits = { reads: 1_000, quotes: 1_000, submissions: 1_000 };
  const limited = (perMinute: object) =>
    testApp({ app: { rateLimits: { perMinute: { ...limits, ...perMinute }, maxClients: 9 } } });

  it.each([
    ['reads', rpc('paymaster_isAvailable')],
    ['quotes', builds()],
    ['submissions', executes()],
  ])('a request above the limit of %s gets 429 with a retry delay', async (group, body) => {
    const test = await limited({ [group]: 1 });
    expect((await post(test, body)).status).toBe(200);
    const { status, body: answer, headers } = await post(test, body);
    expect([status, answer.error.code]).toEqual([429, 163]);
    expect(answer.error.data).toMatch(/^RATE_LIMITED: /);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const other = group === 'reads' ? 429 : 200;
    expect((await post(test, rpc('paymaster_health'))).status).toBe(other);
  });

  it('executions and other submissions share a limit', async () => {
    const test = await limited({ submissions: 1 });
    expect((await post(test, executes())).status).toBe(200);
    const withdrawal = { poolAddress: '1', calldata: ['1'] };
    expect((await request(test.app).post('/api/relayer/withdraw').send(withdrawal)).status).toBe(
      429,
    );
  });

  it('executions use slots of the requests in flight, and reads do not', async () => {
    const inFlight = new InFlight({ inAll: 2, perClient: 9 });
    const test = await testApp({ app: { inFlight, trustedProxies: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    test.useCases.answer = async () => {
      await promise;
      return succeeded;
    };
    await withServer(test.app, async (url) => {
      const send = (from: string, body: object) =>
        fetch(`${url}/paymaster`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
          body: JSON.stringify(body),
        });
      const first = [send('203.0.113.1', executes()), send('198.51.100.1', executes())];
      while (inFlight.counts().requests < 2) await new Promise((next) => setTimeout(next, 10));
      const refused = await send('192.0.2.1', executes());
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      const { id, error } = Object(await refused.json());
      expect([id, error.code, error.data]).toEqual([
        1,
        163,
        expect.stringMatching(/^OVERLOADED: /),
      ]);
      expect((await send('192.0.2.1', rpc('paymaster_isAvailable'))).status).toBe(200);
      resolve();
      expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    });
  });

  const oversized = executes({ proof: 'A'.repeat(4 * MIB) });
  it('a body above 4 MiB gets 413 before it is parsed, also without a known size', async () => {
    const { app, useCases } = await testApp();
    await withServer(app, async (url) => {
      const send = (
        body: NonNullable<RequestInit['body']>,
        headers: object = {},
      ): Promise<globalThis.Response> =>
        fetch(`${url}/paymaster`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          duplex: 'half',
        });
      const text = JSON.stringify(oversized);
      const unreadable = ' '.repeat(4 * MIB + 1);
      const answers = [
        await send(text),
        await send(unreadable),
        await send(new Blob([text]).stream()),
        await send(gzipSync(unreadable), { 'content-encoding': 'gzip' }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(413);
        const { id, error } = Object(await answer.json());
        expect([id, error.code]).toEqual([null, -32_600]);
        expect(error.data).toContain('"limitBytes":4194304');
      }
    });
    expect(useCases.privateActions.submitted).toEqual([]);
  });

  it('many callers with large bodies at once use only the budget, and others are served', async () => {
    const largeBodies = new LargeBodies(16 * MIB);
    const test = await testApp({ app: { largeBodies, trustedProxies: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    test.useCases.answer = async () => {
      await promise;
      return succeeded;
    };
    const text = JSON.stringify(executes({ proof: 'A'.repeat(3 * MIB) }));
    let highest = 0;
    await withServer(test.app, async (url) => {
      const send = async (from: string, body: string): Promise<number> =>
        (
          await fetch(`${url}/paymaster`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
            body,
          })
        ).status;
      const sent = Array.from({ length: 40 }, async (_, index) => {
        // The connection of an evicted body is closed, maybe before the response is read.
        const status = await send(`203.0.${index % 2}.${index}`, text).catch(() => 503);
        highest = Math.max(highest, largeBodies.heldBytes);
        return status;
      });
      const { submitted } = test.useCases.privateActions;
      while (submitted.length < 2) await new Promise((next) => setTimeout(next, 10));
      const honest = send('198.51.100.7', JSON.stringify(executes()));
      const isServed = () => submitted.some(({ caller }) => caller?.name === '198.51.100.7');
      while (!isServed()) await new Promise((next) => setTimeout(next, 10));
      resolve();
      expect(await honest).toBe(200);
      const statuses = await Promise.all(sent);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
      expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
      expect(statuses.filter((status) => status !== 200).length).toBeGreaterThan(20);
    });
    expect(highest).toBeLessThanOrEqual(16 * MIB);
    expect(largeBodies.heldBytes).toBe(0);
  });
});
