import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SOLVER_STEPS, startSolver, type RunningSolver } from '../../src/index.js';
import { getJson, postJson } from '../support/json-http.js';

const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const STARKNET_ADDRESS = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
const START_MS = 1_800_000_000_000;

const specQuote = {
  from_chain: 'ethereum',
  from_token: 'ETH',
  to_chain: 'starknet',
  to_token: 'STRK',
  amount: '1000000000000000000',
  dry_run: false,
  recipient: STARKNET_ADDRESS,
};

const oneClickQuote = {
  dry: false,
  swapType: 'EXACT_INPUT',
  slippageTolerance: 100,
  originAsset: 'nep141:starknet.omft.near',
  depositType: 'ORIGIN_CHAIN',
  destinationAsset: 'nep141:sol.omft.near',
  amount: '1000000000000000000000',
  refundTo: STARKNET_ADDRESS,
  refundType: 'ORIGIN_CHAIN',
  recipient: 'So11111111111111111111111111111111111111112',
  recipientType: 'DESTINATION_CHAIN',
  deadline: '2027-01-15T09:00:00.000Z',
};

describe('the solver', () => {
  let nowMs: number;
  let solver: RunningSolver;
  beforeEach(async () => {
    nowMs = START_MS;
    solver = await startSolver({ nowMs: () => nowMs, stepMs: 1_000, refundMs: 10_000 });
  });
  afterEach(async () => {
    await solver.stop();
  });

  const quote = (changes: object = {}) =>
    postJson(`${solver.bridgeUrl}/quote`, { ...specQuote, ...changes });
  const order = async (): Promise<string> => (await quote()).body.transaction_id;
  const say = (body: object) => postJson(solver.controlUrl, body);
  const status = (id: string) => getJson(`${solver.bridgeUrl}/status?transaction_id=${id}`);
  const steps = async (id: string): Promise<string[]> =>
    (await status(id)).body.steps.map((step: { status: string }) => step.status);
  const orderOneClick = async (): Promise<string> =>
    (await postJson(`${solver.oneClickUrl}/v0/quote`, oneClickQuote)).body.quote.depositAddress;
  const oneClickWord = async (address: string): Promise<string> =>
    (await getJson(`${solver.oneClickUrl}/v0/status?depositAddress=${address}`)).body.status;

  it('the solver returns a deposit address with a quote unless the request is a dry run', async () => {
    const real = await quote();
    expect(real).toMatchObject({
      status: 200,
      body: {
        transaction_id: expect.any(String),
        deposit_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        estimated_output: '69558.139534883720930232 STRK',
        route: [{ step: 'swap', dex: 'sandbox-dex' }, { step: 'bridge' }, { step: 'swap' }],
        fees: { bridge_fee: '0.3%', gas_estimate: '0.0001 ETH', swap_fees: '0.1%' },
      },
    });
    const dry = await quote({ dry_run: true, recipient: undefined });
    expect(dry).toMatchObject({
      status: 200,
      body: { estimated_output: real.body.estimated_output },
    });
    expect(dry.body).not.toHaveProperty('deposit_address');
  });

  it.each([
    [{ from_token: 'DOGE' }, /No route/],
    [{ amount: '0' }, /amount/],
    [{ amount: '1' }, /try at least 333333333333334/],
    [{ recipient: undefined }, /recipient/],
    [{ dry_run: 'no' }, /dry_run/],
  ])(
    'the solver rejects a quote request with %j and returns the reason',
    async (changes, reason) => {
      expect(await quote(changes)).toEqual({
        status: 400,
        body: { error: expect.stringMatching(reason) },
      });
    },
  );

  it('a transfer of the solver advances through its steps as the solver’s clock advances', async () => {
    const id = await order();
    expect(await steps(id)).toEqual(SOLVER_STEPS.map(() => 'pending'));
    nowMs += 60_000;
    expect((await status(id)).body).toMatchObject({
      status: 'pending',
      output_amount: null,
      completion_time: null,
    });

    const depositHash = solver.control.deposit(id);
    for (const [index] of SOLVER_STEPS.entries()) {
      expect(await steps(id)).toEqual(
        SOLVER_STEPS.map((_, at) =>
          at < index ? 'completed' : at === index ? 'processing' : 'pending',
        ),
      );
      nowMs += 1_000;
    }
    const { body } = await status(id);
    expect(body).toMatchObject({
      transaction_id: id,
      status: 'completed',
      output_amount: '69558.139534883720930232 STRK',
      output_tx_hash: expect.stringMatching(/^0x/),
      completion_time: (START_MS + 65_000) / 1_000,
    });
    expect(body.steps[0]).toEqual({
      step: 'deposit_detected',
      status: 'completed',
      timestamp: (START_MS + 61_000) / 1_000,
      tx_hash: depositHash,
    });
  });

  it('the steps of a transfer have the times at which they were due, even if no request arrived then', async () => {
    const id = await order();
    solver.control.deposit(id);
    nowMs += 3_600_000;
    const { body } = await status(id);
    expect(
      body.steps.map((step: { timestamp: number }) => step.timestamp - START_MS / 1_000),
    ).toEqual([1, 2, 3, 4, 5]);
  });

  it('a transfer fails at the step that the test has chosen, and is refunded later', async () => {
    const id = await order();
    solver.control.failAt(id, 'bridge_to_destination');
    solver.control.deposit(id);
    nowMs += 5_000;
    expect((await status(id)).body.status).toBe('failed');
    expect(await steps(id)).toEqual(['completed', 'completed', 'failed', 'pending', 'pending']);
    nowMs += 8_000;
    expect((await status(id)).body.status).toBe('refunded');
    expect(solver.control.transfer(id)).toMatchObject({
      failedStep: 'bridge_to_destination',
      refunded: true,
    });
  });

  it('a transfer in manual mode advances only through control requests, not with time', async () => {
    solver.control.configure({ stepMs: 'manual', refundMs: 'manual' });
    const id = await order();
    expect(() => solver.control.finishStep(id)).toThrow('there is no current step');
    solver.control.deposit(id);
    nowMs += 3_600_000;
    expect((await steps(id))[0]).toBe('processing');
    solver.control.finishStep(id);
    solver.control.failStep(id);
    expect(() => solver.control.finishStep(id)).toThrow('there is no current step');
    nowMs += 3_600_000;
    expect((await status(id)).body.status).toBe('failed');
    solver.control.refund(id);
    expect((await status(id)).body.status).toBe('refunded');
    expect(() => solver.control.refund(id)).toThrow('the refund has been made');
    expect(() => solver.control.deposit(id)).toThrow('the deposit has been made');
  });

  it('the status of a transfer omits the steps if `showSteps` is false', async () => {
    solver.control.configure({ showSteps: false });
    const id = await order();
    solver.control.deposit(id);
    expect((await status(id)).body).not.toHaveProperty('steps');
    expect((await status(id)).body.status).toBe('processing');
  });

  it('a 1Click transfer passes through all statuses from PENDING_DEPOSIT to SUCCESS', async () => {
    const address = await orderOneClick();
    expect(address).toMatch(/^0x[0-9a-f]{60}$/);
    expect(await oneClickWord(address)).toBe('PENDING_DEPOSIT');
    solver.control.deposit(address);
    expect(await oneClickWord(address)).toBe('KNOWN_DEPOSIT_TX');
    nowMs += 1_000;
    expect(await oneClickWord(address)).toBe('PROCESSING');
    nowMs += 4_000;
    expect(await oneClickWord(address)).toBe('SUCCESS');
  });

  it('a 1Click transfer with a partial deposit stays INCOMPLETE_DEPOSIT until it is refunded', async () => {
    const address = await orderOneClick();
    solver.control.deposit(address, 1n);
    nowMs += 60_000;
    expect(await oneClickWord(address)).toBe('INCOMPLETE_DEPOSIT');
    solver.control.refund(address);
    expect(await oneClickWord(address)).toBe('REFUNDED');
  });

  it('the solver lists its tokens with unique ids', async () => {
    const { body } = await getJson(`${solver.oneClickUrl}/v0/tokens`);
    expect(body).toHaveLength(23);
    expect(new Set(body.map(({ assetId }: { assetId: string }) => assetId)).size).toBe(23);
    expect(body).toContainEqual(
      expect.objectContaining({
        assetId: 'nep141:starknet.omft.near',
        blockchain: 'starknet',
        decimals: 18,
      }),
    );
  });

  it.each([
    [{ originAsset: 'x' }, 'tokenIn is not valid'],
    [{ destinationAsset: 'x' }, 'tokenOut is not valid'],
    [{ refundTo: undefined }, expect.stringContaining('refundTo')],
    [{ amount: '1' }, expect.stringContaining('Amount is too low')],
  ])('the solver rejects a 1Click quote request with %j', async (changes, message) => {
    const { status: code, body } = await postJson(`${solver.oneClickUrl}/v0/quote`, {
      ...oneClickQuote,
      ...changes,
    });
    expect([code, body.message]).toEqual([400, message]);
  });

  it('the solver returns 404 for an unknown transfer in both wire formats', async () => {
    expect(await status('bridge-0')).toEqual({
      status: 404,
      body: { error: 'Transaction not found' },
    });
    expect(
      await getJson(`${solver.oneClickUrl}/v0/status?depositAddress=${EVM_ADDRESS}`),
    ).toMatchObject({ status: 404 });
  });

  it('the solver performs control requests over HTTP, and returns the errors of invalid requests', async () => {
    const id = await order();
    expect(await say({ action: 'deposit', transactionId: id })).toEqual({
      status: 200,
      body: { result: expect.stringMatching(/^0x/) },
    });
    expect(
      await say({ action: 'failAt', transactionId: id, step: 'send_to_recipient' }),
    ).toMatchObject({ status: 200 });
    expect((await say({ action: 'transfer', transactionId: id })).body.result).toMatchObject({
      amount: specQuote.amount,
      failedStep: null,
    });
    expect(await say({ action: 'deposit', transactionId: id })).toEqual({
      status: 400,
      body: { error: 'the deposit has been made' },
    });
    expect(await say({ action: 'deposit', transactionId: 'unknown' })).toMatchObject({
      status: 400,
    });
    expect(await say({ action: 'explode' })).toMatchObject({ status: 400 });
  });

  it('the solver applies each fault to the given number of requests, and counts failed requests', async () => {
    solver.control.addFault({
      endpoint: 'quote',
      fault: { kind: 'refuse', status: 503, message: 'busy' },
      times: 2,
    });
    const id = 'bridge-0';
    expect((await status(id)).status).toBe(404);
    expect(await quote()).toEqual({ status: 503, body: { error: 'busy' } });
    solver.control.addFault({ endpoint: '*', fault: { kind: 'answer', body: { any: 1 } } });
    expect((await quote()).status).toBe(503);
    expect((await quote()).body).toEqual({ any: 1 });
    expect((await quote()).body).toHaveProperty('transaction_id');
    expect(solver.control.requests().map(({ endpoint }) => endpoint)).toEqual([
      'status',
      'quote',
      'quote',
      'quote',
      'quote',
    ]);
  });
});
