import { createConnection } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, toFelt } from '@sotto/kernel';
import { feeQuoteTypedData, depositConsentTypedData, type TypedData } from '@sotto/relayer-core';
import { hash } from 'starknet';
import {
  CHAIN_ID,
  ONE,
  POOL,
  ROUTER,
  STRANGER,
  STRK,
  SignerUnderTest,
  TWO,
  type Answer,
} from '../support/signer-under-test.js';

const selector = (name: string): string => toFelt(hash.getSelectorFromName(name));
const call = (to: string, entrypoint: string, calldata: readonly string[] = []): string[] => [
  to,
  selector(entrypoint),
  `0x${calldata.length.toString(16)}`,
  ...calldata,
];
const execute = (...calls: readonly string[][]): string[] => [
  `0x${calls.length.toString(16)}`,
  ...calls.flat(),
];
const WITHDRAW = call(POOL, 'withdraw', ['0x1', '0x2']);
const bound = (amount: string, price: string) => ({
  max_amount: amount,
  max_price_per_unit: price,
});
/** Resource bounds with a maximum cost of 100 fri. */
const CHEAP = {
  l2_gas: bound('0xa', '0xa'),
  l1_gas: bound('0x0', '0x0'),
  l1_data_gas: bound('0x0', '0x0'),
};

const TRANSACTION = {
  type: 'INVOKE',
  version: '0x3',
  sender_address: ONE.address as string,
  signature: [] as readonly string[],
  nonce: '0x1',
  resource_bounds: CHEAP,
  tip: '0x0',
  paymaster_data: [] as readonly string[],
  account_deployment_data: [] as readonly string[],
  nonce_data_availability_mode: 'L1',
  fee_data_availability_mode: 'L1',
  calldata: execute(WITHDRAW),
};
const withCalls = (...calls: readonly string[][]) => ({ calldata: execute(...calls) });
const ofTreasury = (...calls: readonly string[][]) => ({
  sender_address: TWO.address,
  ...withCalls(...calls),
});
const transfer = (to: string, amount: string, high = '0x0'): string[] =>
  call(STRK, 'transfer', [to, amount, high]);

const QUOTE = feeQuoteTypedData({
  id: 'quote',
  chainId: CHAIN_ID,
  pool: POOL,
  relayer: toFelt('0xfee'),
  feeAmount: 1n,
  expiresAtMs: 1_760_000_000_000,
});

const refusal = (answer: Answer): unknown => {
  expect(JSON.stringify(answer.body)).not.toContain('signature');
  return Object(answer.body).code;
};

const atPrice = (price: bigint) => ({
  resource_bounds: { ...CHEAP, l2_gas: bound('0xa', toFelt(price)) },
});

const approve = (spender: string) => ofTreasury(call(STRK, 'approve', [spender, '0x1', '0x0']));

describe('a service with arbitrary code', () => {
  let signer: SignerUnderTest;
  beforeEach(async () => {
    signer = await SignerUnderTest.start();
  });
  afterEach(() => signer.stop());

  const invoke = (changes: object = {}, others: object = {}): Promise<Answer> =>
    signer.post(
      '/v1/sign/invoke',
      JSON.stringify({
        chain_id: CHAIN_ID,
        transaction: { ...TRANSACTION, ...changes },
        ...others,
      }),
    );
  const say = (data: TypedData | object, account = ONE.address): Promise<Answer> =>
    signer.post('/v1/sign/message', JSON.stringify({ account, typed_data: data }));

  it('a compromised service gets signatures for the calls that the signer’s policy lists', async () => {
    const { status, body } = await invoke();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        hash: expect.stringMatching(/^0x/),
        signature: [expect.any(String), expect.any(String)],
      },
    });
    expect((await invoke(withCalls())).status).toBe(200);
    expect((await invoke(ofTreasury(transfer(ONE.address, '0x64')))).status).toBe(200);
    expect((await say(QUOTE)).status).toBe(200);
  });

  it.each([
    ['a transfer to a stranger', ofTreasury(transfer(STRANGER, '0x1')), 'ARGUMENT'],
    [
      'an approval of a stranger',
      ofTreasury(call(STRK, 'approve', [STRANGER, '0x1', '0x0'])),
      'ARGUMENT',
    ],
    ['a transfer of a relaying account', withCalls(transfer(ONE.address, '0x1')), 'CALL'],
    ['a transfer behind a withdrawal', withCalls(WITHDRAW, transfer(STRANGER, '0x1')), 'CALL'],
    [
      'a stranger behind a listed transfer',
      ofTreasury(transfer(ONE.address, '0x1'), transfer(STRANGER, '0x1')),
      'ARGUMENT',
    ],
    ['more than a transfer may be', ofTreasury(transfer(ONE.address, '0x65')), 'AMOUNT'],
    ['an amount in its high half', ofTreasury(transfer(ONE.address, '0x1', '0x1')), 'AMOUNT'],
    ['a half that is no half', ofTreasury(transfer(ONE.address, toFelt(2n ** 128n))), 'ARGUMENT'],
    [
      'a transfer with more felts',
      ofTreasury(call(STRK, 'transfer', [ONE.address, '0x1', '0x0', '0x0'])),
      'ARGUMENT',
    ],
    [
      'a transfer with fewer felts',
      ofTreasury(call(STRK, 'transfer', [ONE.address, '0x1'])),
      'ARGUMENT',
    ],
    ['a listed entry point of another contract', withCalls(call(STRANGER, 'withdraw')), 'CALL'],
    ['an upgrade of the account', withCalls(call(ONE.address, 'upgrade', ['0x1'])), 'CALL'],
    ['its own __execute__', withCalls(call(ONE.address, '__execute__', ['0x0'])), 'CALL'],
    ['another account', { sender_address: STRANGER }, 'ACCOUNT'],
    ['version 1', { version: '0x1' }, 'VERSION'],
    ['the version of a query', { version: '0x100000000000000000000000000000003' }, 'VERSION'],
    ['a deployment', { type: 'DEPLOY_ACCOUNT' }, 'VERSION'],
    ['a tip', { tip: '0x1' }, 'TIP'],
    ['a paymaster', { paymaster_data: ['0x1'] }, 'TERMS'],
    ['deployment data', { account_deployment_data: ['0x1'] }, 'TERMS'],
    ['a signature of its own', { signature: ['0x1', '0x2'] }, 'TERMS'],
    ['another mode of data', { fee_data_availability_mode: 'L2' }, 'TERMS'],
    [
      'a price above the bound',
      { resource_bounds: { ...CHEAP, l2_gas: bound('0x0', toFelt(100_000_000_001n)) } },
      'BOUNDS',
    ],
    [
      'an amount above the bound',
      { resource_bounds: { ...CHEAP, l1_gas: bound('0x101', '0x0') } },
      'BOUNDS',
    ],
    [
      'data gas above the bound',
      { resource_bounds: { ...CHEAP, l1_data_gas: bound('0x5001', '0x0') } },
      'BOUNDS',
    ],
    ['trailing calldata', { calldata: [...execute(WITHDRAW), '0x0'] }, 'CALLDATA'],
    [
      'calls that are not counted',
      { calldata: ['0x1', ...WITHDRAW, ...transfer(STRANGER, '0x1')] },
      'CALLDATA',
    ],
    ['calls that are not there', { calldata: ['0x2', ...WITHDRAW] }, 'CALLDATA'],
    [
      'a length that is too long',
      { calldata: ['0x1', POOL, selector('withdraw'), '0x2', '0x1'] },
      'CALLDATA',
    ],
    [
      'a length beyond any',
      { calldata: ['0x1', POOL, selector('withdraw'), toFelt(FIELD_PRIME - 1n)] },
      'CALLDATA',
    ],
    ['a number of calls beyond any', { calldata: [toFelt(2n ** 200n), ...WITHDRAW] }, 'CALLDATA'],
    ['no calldata at all', { calldata: [] }, 'CALLDATA'],
  ])(
    'a compromised service gets no signature for a transaction with %s',
    async (_, changes, code) => {
      expect(refusal(await invoke(changes))).toBe(`SIGNER_REFUSED_${code}`);
    },
  );

  it('a compromised service gets no signature for another chain', async () => {
    expect(refusal(await invoke({}, { chain_id: toFelt('0x534e5f4d41494e') }))).toBe(
      'SIGNER_REFUSED_CHAIN',
    );
  });

  it.each([
    ['a felt with a leading zero', { calldata: ['0x01', ...WITHDRAW] }],
    ['a felt in capitals', { calldata: execute(call('0x7A11', 'withdraw')) }],
    ['a felt in decimal', { calldata: ['1', ...WITHDRAW] }],
    [
      'the prime on top of a felt',
      { calldata: execute(call(`0x${(BigInt(POOL) + FIELD_PRIME).toString(16)}`, 'withdraw')) },
    ],
    ['a number for a felt', { calldata: [1, ...WITHDRAW] }],
    ['a nonce of no u64', { nonce: toFelt(2n ** 64n) }],
    ['a member besides', { hash: '0x1' }],
    ['an empty list of proof facts', { proof_facts: [] }],
    ['a proof', { proof: 'AAAA' }],
    ['bounds of a member less', { resource_bounds: { l2_gas: CHEAP.l2_gas } }],
  ])(
    'a compromised service gets no signature for an invalid transaction with %s',
    async (_, changes) => {
      expect(refusal(await invoke(changes))).toBe('SIGNER_REQUEST_INVALID');
    },
  );

  it.each([
    ['a hash', '/v1/sign/invoke', { account: ONE.address, hash: '0x1234' }],
    [
      'a hash beside',
      '/v1/sign/invoke',
      { chain_id: CHAIN_ID, transaction: TRANSACTION, hash: '0x1' },
    ],
    ['a hash as a message', '/v1/sign/message', { account: ONE.address, typed_data: '0x1234' }],
    ['no object', '/v1/sign/invoke', null],
  ])('a compromised service gets no signature for a request with %s', async (_, path, body) => {
    expect(refusal(await signer.post(path, JSON.stringify(body)))).toBe('SIGNER_REQUEST_INVALID');
  });

  it.each(['/v1/sign/hash', '/v1/sign', '/v2/sign/invoke', '/v1/sign/invoke/', '//v1/accounts'])(
    'the signer has no endpoint except the documented ones: %s',
    async (path) => {
      expect(refusal(await signer.post(path, '{}'))).toBe('SIGNER_NOT_FOUND');
    },
  );

  it('a compromised service gets no signature that permits others to execute calls of an account (SNIP-9)', async () => {
    const outside = {
      types: {
        StarknetDomain: QUOTE.types.StarknetDomain,
        OutsideExecution: [
          { name: 'Caller', type: 'ContractAddress' },
          { name: 'Nonce', type: 'felt' },
          { name: 'Execute After', type: 'u128' },
          { name: 'Execute Before', type: 'u128' },
          { name: 'Calls', type: 'Call*' },
        ],
        Call: [
          { name: 'To', type: 'ContractAddress' },
          { name: 'Selector', type: 'selector' },
          { name: 'Calldata', type: 'felt*' },
        ],
      },
      primaryType: 'OutsideExecution',
      domain: {
        name: 'Account.execute_from_outside',
        version: '2',
        chainId: CHAIN_ID,
        revision: '1',
      },
      message: {
        Caller: STRANGER,
        Nonce: '0x1',
        'Execute After': '0',
        'Execute Before': '9999999999',
        Calls: [{ To: STRK, Selector: selector('transfer'), Calldata: [STRANGER, '0x1', '0x0'] }],
      },
    };
    expect(refusal(await say(outside))).toBe('SIGNER_REFUSED_MESSAGE');
    // The message is rejected although its name is that of a kind that the signer signs.
    expect(refusal(await say({ ...outside, primaryType: 'FeeQuote' }))).toBe(
      'SIGNER_REFUSED_MESSAGE',
    );
    expect(
      refusal(
        await say({
          ...QUOTE,
          types: { ...QUOTE.types, FeeQuote: outside.types.OutsideExecution },
        }),
      ),
    ).toBe('SIGNER_REFUSED_MESSAGE');
  });

  it.each([
    ['a foreign domain', { domain: { ...QUOTE.domain, name: 'Other' } }],
    ['another version of the domain', { domain: { ...QUOTE.domain, version: '2' } }],
    ['another chain', { domain: { ...QUOTE.domain, chainId: toFelt('0x534e5f4d41494e') } }],
    ['another revision', { domain: { ...QUOTE.domain, revision: '0' } }],
    ['an additional type', { types: { ...QUOTE.types, More: [] } }],
    ['an additional field', { message: { ...QUOTE.message, more: '1' } }],
    ['a fee in hex', { message: { ...QUOTE.message, fee: { low: '0x1', high: '0' } } }],
    ['a pool with a leading zero', { message: { ...QUOTE.message, pool: '0x07a11' } }],
  ])('a compromised service gets no signature for a message with %s', async (_, changes) => {
    expect(refusal(await say({ ...QUOTE, ...changes }))).toBe('SIGNER_REFUSED_MESSAGE');
  });

  it('a compromised service gets no signature of a deposit consent', async () => {
    const consent = depositConsentTypedData({
      chainId: CHAIN_ID,
      pool: POOL,
      token: STRK,
      denomination: 1n,
      commitment: 1n,
      expiresAtMs: 1_760_000_000_000,
    });
    expect(refusal(await say(consent))).toBe('SIGNER_REFUSED_MESSAGE');
  });

  it('a compromised service gets no message signature of an account whose policy lists no messages', async () => {
    expect(refusal(await say(QUOTE, TWO.address))).toBe('SIGNER_REFUSED_MESSAGE');
  });

  it('concurrent requests get signatures only until the signer’s budget is spent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => invoke({ nonce: `0x${(index + 1).toString(16)}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusal(answer)).toBe('SIGNER_REFUSED_BUDGET');
  });

  it('the signer’s spent budget cannot be exceeded through another account, a no-op or a restart', async () => {
    for (let nonce = 1; nonce <= 10; nonce += 1) await invoke({ nonce: toFelt(BigInt(nonce)) });
    const beyond = [
      { nonce: '0xb' },
      { nonce: '0xb', ...withCalls() },
      { nonce: '0x1', ...ofTreasury(transfer(ONE.address, '0x1')) },
      { nonce: '0xb', resource_bounds: { ...CHEAP, l2_gas: bound('0x1', '0x1') } },
    ];
    for (const each of beyond) expect(refusal(await invoke(each))).toBe('SIGNER_REFUSED_BUDGET');
    await signer.restart();
    for (const each of beyond) expect(refusal(await invoke(each))).toBe('SIGNER_REFUSED_BUDGET');
  });

  it('repeated requests for the same nonce are charged to the signer’s budget once', async () => {
    for (let round = 0; round < 30; round += 1) expect((await invoke()).status).toBe(200);
    expect((await invoke(atPrice(100n))).status).toBe(200);
    // The charge of this nonce uses up the budget. The signer still signs this nonce again, also at
    // a lower price, but no other nonce.
    expect((await invoke(atPrice(50n))).status).toBe(200);
    expect(refusal(await invoke(atPrice(101n)))).toBe('SIGNER_REFUSED_BUDGET');
    expect(refusal(await invoke({ nonce: '0x2' }))).toBe('SIGNER_REFUSED_BUDGET');
  });

  it('the signer signs transfers of an ERC-20 token up to exactly the daily amount, in any number of transactions', async () => {
    const free = { resource_bounds: { ...CHEAP, l2_gas: bound('0x0', '0x0') } };
    const send = (nonce: string, ...amounts: readonly string[]) =>
      invoke({
        nonce,
        ...free,
        ...ofTreasury(...amounts.map((amount) => transfer(ONE.address, amount))),
      });
    expect((await send('0x1', '0x64', '0x64')).status).toBe(200);
    expect(refusal(await send('0x2', '0x33'))).toBe('SIGNER_REFUSED_BUDGET');
    expect((await send('0x2', '0x32')).status).toBe(200);
    expect(refusal(await send('0x3', '0x1'))).toBe('SIGNER_REFUSED_BUDGET');
    await signer.restart();
    expect(refusal(await send('0x3', '0x1'))).toBe('SIGNER_REFUSED_BUDGET');
  });

  it('the signer does not read a body that is too large', async () => {
    const huge = JSON.stringify({ chain_id: CHAIN_ID, more: 'x'.repeat(700_000) });
    expect(refusal(await signer.post('/v1/sign/invoke', huge))).toBe('SIGNER_BODY_TOO_LARGE');
    const long = await invoke({ calldata: Array.from({ length: 8_193 }, () => '0x0') });
    expect(refusal(long)).toBe('SIGNER_REQUEST_INVALID');
    const deep = await signer.post('/v1/sign/invoke', '['.repeat(300_000));
    expect(deep.body).toEqual({ code: 'SIGNER_REQUEST_INVALID' });
    expect((await invoke()).status).toBe(200);
  });

  it('invalid HTTP does not stop the signer', async () => {
    await new Promise<void>((resolve) => {
      const socket = createConnection(signer.socket, () =>
        socket.end('\u0000\u0001 garbage\r\n\r\n'),
      );
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await invoke()).status).toBe(200);
  });

  it('the signer’s database stores each signature in a row that cannot be changed or deleted', async () => {
    await invoke();
    await say(QUOTE);
    await invoke(withCalls(transfer(STRANGER, '0x1')));
    await signer.end();
    expect(linesOf(signer.bookPath)).toEqual([
      {
        kind: 'invoke',
        account: ONE.address,
        nonce: '1',
        what: `${POOL}.withdraw`,
        bound_fri: '100',
      },
      { kind: 'message', account: ONE.address, nonce: null, what: 'FeeQuote', bound_fri: '0' },
    ]);
  });

  it('the signer’s list of accounts reveals no private key', async () => {
    const { body } = await signer.post('/v1/accounts', '', 'GET');
    expect(JSON.stringify(body)).not.toContain(ONE.privateKey.slice(2));
    expect(Object(body).accounts).toHaveLength(2);
  });

  it('a compromised service can approve only the spenders that the signer’s policy lists', async () => {
    expect((await invoke(approve(ROUTER))).status).toBe(200);
    expect(refusal(await invoke(approve(POOL)))).toBe('SIGNER_REFUSED_ARGUMENT');
  });
});

function linesOf(path: string): unknown[] {
  const database = new DatabaseSync(path);
  try {
    for (const table of ['signatures', 'charges'])
      expect(() => database.exec(`delete from ${table}`)).toThrow('append-only');
    return database
      .prepare('select kind, account, nonce, what, bound_fri from signatures order by id')
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
