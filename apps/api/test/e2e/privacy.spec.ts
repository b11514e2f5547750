import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import {
  type Answer,
  eventually,
  Service,
  type WithdrawalBody,
  type WithdrawOptions,
} from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { TELLING, found, spellings } from './support/private-words.js';
import { PROGRAM } from './support/program.js';
import { rawHttp } from './support/raw-http.js';
import { Stack } from './support/stack.js';
import { bodyOf, good, malleated, proven, vector } from './support/withdrawals.js';

const { lane1, recipient2 } = sandboxWorld.accounts;

const ACCESS_KEY = 'marker-access-key';
const CALLER = {
  'user-agent': 'marker-agent/1.0',
  'x-forwarded-for': '203.0.113.77',
  forwarded: 'for=203.0.113.77',
  referer: 'https://marker-referer.example/',
  origin: 'https://marker-origin.example',
  cookie: 'session=marker-cookie',
  authorization: 'Bearer marker-bearer',
  'x-request-id': 'marker-request-id',
} as const;
const CALLER_MARKERS = ['marker-', '203.0.113.77'];

describe('private data', () => {
  let stack: Stack;
  let toOther: WithdrawalBody;
  const failures: Answer[] = [];
  const documents: Answer[] = [];
  let output = '';
  let markers: readonly string[];

  const withdraw = (
    body: WithdrawalBody,
    { headers = {}, ...options }: WithdrawOptions = {},
  ): Promise<Answer> =>
    stack.service.withdraw(body, { ...options, headers: { ...CALLER, ...headers } });
  const send = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    stack.service.request('/api/relayer/withdraw', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...CALLER, ...headers },
      body,
    });
  const settled = (location: string | null, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(location ?? '', CALLER);
      return Object(body).state === state;
    });
  async function fails(status: number, answer: Promise<Answer>): Promise<void> {
    const failure = await answer;
    expect({ status: failure.status, text: failure.text }).toEqual({
      status,
      text: expect.stringContaining('"code"'),
    });
    failures.push(failure);
  }

  beforeAll(async () => {
    toOther = await proven({ recipient: recipient2.address });
    const numbers = [
      BigInt(vector.recipient),
      recipient2.address,
      BigInt(vector.note.nullifierHash),
      lane1.privateKey,
    ];
    const words = [good, malleated, toOther].flatMap(({ calldata }) => calldata.map(BigInt));
    // The fee address is also in the calldata, but it is public: a rejection returns it to a caller
    // whose proof contains another fee address.
    const known = new Set(spellings(BigInt(vector.relayer)));
    markers = [...new Set([...numbers, ...words].flatMap(spellings))].filter(
      (marker) => !known.has(marker),
    );

    stack = await Stack.start({
      cadence: 'manual',
      nodePath: `/rpc?key=${ACCESS_KEY}`,
      env: { LOG_LEVEL: 'debug', TRUST_PROXY: '1', RETENTION_MS: '0' },
    });
    await stack.service.ready();
    await rejections();
    await nodeTroubles();
    await outcomes();
    for (const path of ['/openapi.json', '/health/live', '/health/ready'])
      documents.push(await stack.service.get(path, CALLER));
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    ({ output } = stack.service);
  });
  afterAll(() => stack.stop());

  async function rejections(): Promise<void> {
    const { recipient } = vector;
    const nullifier = toFelt(BigInt(vector.note.nullifierHash) % 2n ** 250n);
    await fails(404, withdraw({ ...good, poolAddress: recipient }));
    await fails(400, withdraw(bodyOf(good.calldata.slice(0, -1))));
    await fails(422, withdraw(await proven({ fee: 1n })));
    await fails(
      422,
      withdraw(
        bodyOf(
          good.calldata.toSpliced(
            38,
            2,
            ...u256ToHalves(recipient2.address).map((half) => toFelt(half)),
          ),
        ),
      ),
    );
    await fails(400, withdraw(bodyOf([...good.calldata, `${recipient}zz`])));
    await fails(
      400,
      withdraw(bodyOf([...good.calldata, `0xf${recipient.slice(2).padStart(64, '0')}`])),
    );
    await fails(400, send(JSON.stringify({ ...good, [recipient]: nullifier })));
    await fails(
      400,
      send(JSON.stringify({ poolAddress: { [recipient]: nullifier }, calldata: nullifier })),
    );
    await fails(400, send(`{"poolAddress": "${recipient}", "calldata": ["${nullifier}", `));
    await fails(400, send(JSON.stringify(good), { 'content-type': `text/${recipient}` }));
    await fails(
      400,
      send(JSON.stringify(good), { 'content-type': `application/json; charset=${recipient}` }),
    );
    await fails(413, send(recipient.repeat(5_000)));
    await fails(400, withdraw(good, { query: `?recipient=${recipient}` }));
    await fails(400, withdraw(good, { query: `?dryRun=${nullifier}` }));
    await fails(404, stack.service.get(`/${recipient}?nullifier=${nullifier}`, CALLER));
    await fails(
      404,
      stack.service.get(`/api/relayer/submissions/${recipient.slice(2, 60)}`, CALLER),
    );
    await fails(
      400,
      stack.service.get(`/api/relayer/submissions/${recipient}.${nullifier}`, CALLER),
    );
    await fails(
      405,
      stack.service.request(`/api/relayer/withdraw?${recipient}`, {
        method: 'DELETE',
        headers: CALLER,
      }),
    );
    const { status, body, head } = await rawHttp(
      stack.service.url,
      `${recipient} /${nullifier} HTTP/1.1\r\nUser-Agent: marker-agent\r\n\r\n`,
    );
    await fails(
      400,
      Promise.resolve({ status, text: body + head, body: null, headers: new Headers() }),
    );
  }

  /** Makes the node return parts of requests in its error texts. */
  async function nodeTroubles(): Promise<void> {
    const { control } = stack.chain;
    const data = { revert_error: `refused for ${vector.recipient}`, calldata: good.calldata };
    for (const code of [24, 40, -32_602]) {
      // The fault applies to several calls, because polls of the service also trigger it.
      control.addFault({
        method: 'starknet_call',
        fault: { kind: 'refuse', code, message: `no ${vector.recipient}`, data },
        times: 3,
      });
      const failure = await withdraw(good);
      // The expected status may differ: on a busy machine, another read of the same request may
      // fail with a timeout first.
      expect([422, 502, 503, 504]).toContain(failure.status);
      failures.push(failure);
      control.clearFaults();
    }
    control.addFault({
      method: 'starknet_addInvokeTransaction',
      fault: {
        kind: 'refuse',
        code: 55,
        message: vector.recipient,
        data: `refused ${vector.recipient} of ${good.calldata.slice(0, 40).join(' ')}`,
      },
    });
    await fails(422, withdraw(good));
  }

  /**
   * Settles one attempt as reverted. Then settles another attempt, which is UNKNOWN at first and
   * succeeds later.
   */
  async function outcomes(): Promise<void> {
    const { control } = stack.chain;
    const sent = (): Promise<bigint> =>
      eventually('the transaction to be sent', () => stack.chain.waiting()[0]);
    control.revertNext({ reason: 'staged', sender: lane1.address });
    const reverting = withdraw(good);
    await sent();
    stack.chain.preConfirm();
    const reverted = await reverting;
    expect(reverted.body).toMatchObject({ execution_status: 'REVERTED' });
    control.mine();
    await settled(reverted.headers.get('location'), 'reverted');

    const unknown = await withdraw(malleated, { headers: { prefer: 'respond-async' } });
    expect(unknown.body).toMatchObject({ execution_status: 'UNKNOWN' });
    await fails(409, withdraw(toOther));
    await sent();
    control.mine();
    await settled(unknown.headers.get('location'), 'succeeded');
    expect((await withdraw(good)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    await fails(409, withdraw(toOther));
    await withdraw(toOther, { query: '?dryRun=true' });
  }

  it('the search for private data finds private values that the test adds to the searched texts', () => {
    const requests = output.split('\n').filter((line) => line.includes('"message":"request"'));
    expect(requests.length).toBeGreaterThan(failures.length);
    expect(output).toContain('"message":"transaction sent"');
    expect(output).toContain('"message":"stopped"');
    expect(failures.length).toBeGreaterThan(20);
    const word = vector.calldata.findLast((felt) => BigInt(felt) >= TELLING);
    for (const planted of [
      String(BigInt(vector.recipient)),
      vector.recipient.toUpperCase(),
      word,
      'Marker-Agent',
    ]) {
      expect(found(`${output} ${planted}`, [...markers, ...CALLER_MARKERS])).not.toEqual([]);
    }
  });

  it('no output of the process contains private data', () => {
    expect(found(output, [...markers, ...CALLER_MARKERS])).toEqual([]);
    const lines = output.split('\n').filter((line) => line.includes('"message":"request"'));
    expect(lines.filter((line) => line.includes('127.0.0.1'))).toEqual([]);
  });

  it('no error response contains private data in its body or headers', () => {
    for (const { status, text, headers } of failures) {
      const leaked = found(`${text} ${JSON.stringify([...headers])}`, [
        ...markers,
        ...CALLER_MARKERS,
      ]);
      expect({ status, code: /"code":"(\w+)"/.exec(text)?.[1], leaked }).toMatchObject({
        leaked: [],
      });
    }
  });

  it('no public document contains private data', () => {
    for (const { text, headers } of documents) {
      expect(
        found(`${text} ${JSON.stringify([...headers])}`, [...markers, ...CALLER_MARKERS]),
      ).toEqual([]);
    }
  });

  it('a start that fails because of its configuration prints no private data', async () => {
    const failing = new Service({
      program: PROGRAM,
      env: {
        MODE: 'production',
        STARKNET_RPC_URLS: `ftp://node/${ACCESS_KEY}`,
        RELAY_ACCOUNTS: `[{"address": "0x1", "privateKey": "${toFelt(lane1.privateKey)}",]`,
        NETWORK_PROFILE: '/nowhere',
        FEE_ADDRESS: 'marker-fee-address',
      },
    });
    expect(await failing.ended).toEqual({ code: 1, signal: null });
    expect(failing.output).toMatch(/RELAY_ACCOUNTS/);
    expect(found(failing.output, [...spellings(lane1.privateKey), 'marker-'])).toEqual([]);
  });

  it('private data of a submission is redacted in the ledger’s files after its retention time; the records of the payment and its note remain', async () => {
    const privateParts = [
      BigInt(vector.recipient),
      ...good.calldata.map(BigInt),
      ...malleated.calldata.map(BigInt),
    ]
      .flatMap((value) => u256ToHalves(value))
      .filter((half) => half >= TELLING && !u256ToHalves(BigInt(vector.relayer)).includes(half))
      .filter((half) => !u256ToHalves(BigInt(vector.note.nullifierHash)).includes(half));
    const needles = [...new Set(privateParts)].flatMap((half) => {
      const digits = half.toString(16);
      // Packed felts and texts both store only a number's significant bytes.
      const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
      return [bytes, Buffer.from(digits)];
    });
    const left = (): number => {
      const names = readdirSync(stack.folder).filter((name) => name.startsWith('ledger.sqlite'));
      const files = names.map((name) => readFileSync(join(stack.folder, name)));
      return needles.filter((needle) => files.some((bytes) => bytes.includes(needle))).length;
    };
    expect(left()).toBeGreaterThan(1_000);

    await stack.restart();
    await eventually('the redaction', () =>
      stack.service.output.includes('private data of ended attempts wiped'),
    );
    expect(left()).toBe(0);
    expect(stack.ledger()).toMatchObject({
      attempts: [{ state: 'refused' }, { state: 'reverted' }, { state: 'succeeded' }],
      calldata: 0,
    });
    const again = await stack.service.withdraw(good);
    expect(again.body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });
});
