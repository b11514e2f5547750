import { afterEach, describe, expect, it } from '@jest/globals';
import { noteOf, verifyServiceStatus, type Note } from '@sotto/wallet/advanced';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { type Answer, eventually, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools, accounts, tokens } = sandboxWorld;
const swapInput = pools.swap_input_1;
const TOKEN = 'marker-token-of-the-operator';
const as = { authorization: `Bearer ${TOKEN}` };
const FEE = 900n;
const PAUSE_MS = 4_000;

/** Three notes of one batch in the first of two pools. The notes in `B` are in the second pool. */
const A: readonly Note[] = notesOf(71n, 3);
const B: readonly Note[] = notesOf(72n, 3);
/** Notes of the pool from which private swaps withdraw. */
const C: readonly Note[] = notesOf(73n, 6);
/** Note in the swap pool that a swap creates. */
const SWAPPED = noteOf(74_000n, 148_000n);
/** Headers with the addresses of two callers, as a proxy sets them. */
const MALLORY = { 'x-forwarded-for': '203.0.113.7' };
const HONEST = { 'x-forwarded-for': '198.51.100.9' };

interface Body {
  readonly poolAddress: string;
  readonly calldata: readonly string[];
}

/** Returns withdrawal bodies for the first `count` notes. */
function bodiesOf(
  pool: { readonly address: bigint },
  notes: readonly Note[],
  count: number,
): readonly Body[] {
  const recipient = accounts.recipient2.address;
  return Array.from({ length: count }, (_, index) => ({
    poolAddress: addressText(pool),
    calldata: forgedWithdrawalOf({ notes, index, fee: FEE, recipient }),
  }));
}

function bodyAt(bodies: readonly Body[], index: number): Body {
  const body = bodies[index];
  if (body === undefined) throw new RangeError('there is no such note');
  return body;
}

/** Returns the error code of a rejection, or the execution status of an accepted request. */
const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;

/** Returns the section of the operator's status about a pool. */
function poolOf(
  status: unknown,
  key: string,
): { readonly money?: unknown; readonly withdrawals?: unknown } {
  const listed: readonly { readonly key: string }[] = Object(status).pools;
  return Object(listed.find((pool) => pool.key === key));
}
const stateOf = (status: unknown, key: string): unknown =>
  Object(poolOf(status, key).withdrawals).state;

describe('guards', () => {
  const fromA = bodiesOf(pools.sentinel_1x, A, 3);
  const fromB = bodiesOf(pools.sentinel_2x, B, 2);
  const fromC = bodiesOf(swapInput, C, 4);
  const swapProof = forgedWithdrawalOf({ notes: C, index: 0, fee: FEE });

  let stack: Stack;
  afterEach(() => stack.stop());

  async function start(env: Variables): Promise<void> {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        BREAKER_REVERTS: '2',
        BREAKER_PAUSE_MS: String(PAUSE_MS),
        SHUTDOWN_DRAIN_MS: '0',
        ...env,
      },
      deposit: async (chain) => {
        await chain.depositInto(pools.sentinel_1x, commitmentsOf(A));
        await chain.depositInto(pools.sentinel_2x, commitmentsOf(B));
      },
    });
    await stack.service.ready();
  }

  const withdraw = (bodies: readonly Body[], index: number): Promise<Answer> =>
    stack.service.withdraw(bodyAt(bodies, index));
  const settled = ({ headers }: Answer, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(headers.get('location') ?? '');
      return Object(body).state === state && body;
    });
  const control = (what: string, body?: object): Promise<Answer> =>
    stack.service.post(`/api/operator/pools/${what}`, body ?? {}, as);
  const operatorStatus = async (): Promise<unknown> =>
    (await stack.service.get('/api/operator/status', as)).body;
  const moneyOf = async (key: string): Promise<unknown> =>
    poolOf(await operatorStatus(), key).money;
  const revertOn = async (bodies: readonly Body[], index: number): Promise<void> => {
    stack.chain.control.revertNext({ reason: 'staged', sender: accounts.lane1.address });
    const answer = await withdraw(bodies, index);
    expect(codeOf(answer)).toBe('REVERTED');
    await settled(answer, 'reverted');
  };

  it('the breaker pauses a pool whose transactions revert until one withdrawal succeeds', async () => {
    await start({});
    await revertOn(fromA, 0);
    expect(codeOf(await withdraw(fromB, 0))).toBe('SUCCEEDED');
    await revertOn(fromA, 1);
    await eventually(
      'the pool to be paused',
      async () => stateOf(await operatorStatus(), 'sentinel_1x') === 'paused',
    );

    const refused = await withdraw(fromA, 2);
    expect([refused.status, codeOf(refused)]).toEqual([503, 'POOL_PAUSED']);
    expect(Object(refused.body).details).toEqual({ cause: 'reverts' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(codeOf(await withdraw(fromB, 1))).toBe('SUCCEEDED');
    expect(await moneyOf('sentinel_1x')).toMatchObject({
      earned: '0',
      earnedFri: '0',
      succeeded: 0,
      reverted: 2,
      losses: 2,
    });

    stack.service.kill('SIGKILL');
    await stack.service.ended;
    await stack.restart({ BREAKER_PAUSE_MS: '600000' });
    await stack.service.ready();
    expect(codeOf(await withdraw(fromA, 2))).toBe('POOL_PAUSED');
    expect((await withdraw(fromB, 1)).status).toBe(200);

    stack.service.kill('SIGKILL');
    await stack.service.ended;
    await stack.restart();
    await stack.service.ready();
    const trial = await eventually('the pause to be over', async () => {
      const answer = await withdraw(fromA, 2);
      return codeOf(answer) === 'SUCCEEDED' && answer;
    });
    await settled(trial, 'succeeded');
    expect(
      await eventually(
        'the pool to be open',
        async () => stateOf(await operatorStatus(), 'sentinel_1x') === 'open',
      ),
    ).toBe(true);
  });

  it('a pool stops when its gas budget of the current hour is spent, and all other pools continue', async () => {
    // A withdrawal costs about 0.28 STRK.
    await start({ GAS_BUDGET_PER_POOL_FRI: String(10n ** 17n) });
    const first = await withdraw(fromA, 0);
    await settled(first, 'succeeded');
    // After a call has ended, its gas counts as in flight for a moment. During this moment,
    // `retry-after` is shorter than an hour.
    const refused = await eventually('the gas of what has ended to count', async () => {
      const answer = await withdraw(fromA, 1);
      expect([answer.status, codeOf(answer)]).toEqual([503, 'BUDGET_EXHAUSTED']);
      return Number(answer.headers.get('retry-after')) > 3_000 && answer;
    });
    expect(Object(refused.body).details).toEqual({ scope: 'pool' });
    expect((await withdraw(fromA, 0)).status).toBe(200);
    expect(codeOf(await withdraw(fromB, 0))).toBe('SUCCEEDED');
    expect(await moneyOf('sentinel_1x')).toMatchObject({ earned: String(FEE), succeeded: 1 });
  });

  it('a pause by the operator continues after a restart and is reported by `/status`', async () => {
    await start({});
    expect(
      (await stack.service.post('/api/operator/pools/sentinel_1x/pause', { reason: 'upgrade' }))
        .status,
    ).toBe(401);
    expect((await control('sentinel_1x/pause', { reason: 'upgrade' })).body).toMatchObject({
      withdrawals: { state: 'paused', cause: 'operator', reason: 'upgrade', until: null },
    });
    const refused = await withdraw(fromA, 0);
    expect([refused.status, codeOf(refused), Object(refused.body).details]).toEqual([
      503,
      'POOL_PAUSED',
      { cause: 'operator', reason: 'upgrade' },
    ]);
    for (const [path, body] of [
      ['/api/relayer/quote', {}],
      ['/api/relayer/deploy-batch', { count: 3 }],
    ] as const) {
      expect(
        codeOf(
          await stack.service.post(path, { poolAddress: addressText(pools.sentinel_1x), ...body }),
        ),
      ).toBe('POOL_PAUSED');
    }
    expect(codeOf(await withdraw(fromB, 0))).toBe('SUCCEEDED');

    stack.service.kill('SIGTERM');
    await stack.service.ended;
    await stack.restart();
    await stack.service.ready();
    expect(codeOf(await withdraw(fromA, 0))).toBe('POOL_PAUSED');
    const { body } = await stack.service.get('/status');
    const listed: readonly { readonly key: string }[] = Object(body).status.pools;
    expect(listed.find(({ key }) => key === 'sentinel_1x')).toMatchObject({
      accepting: { value: false },
      pausedFor: 'operator',
      reason: 'upgrade',
    });
    expect(listed.find(({ key }) => key === 'sentinel_2x')).toMatchObject({
      accepting: { value: true },
      pausedFor: null,
    });
    expect(
      await verifyServiceStatus(Object(body), {
        signerPublicKey: toFelt(accounts.lane1.publicKey),
      }),
    ).toBe('valid');

    expect((await control('sentinel_1x/resume')).body).toMatchObject({
      withdrawals: { state: 'open' },
    });
    expect(codeOf(await withdraw(fromA, 0))).toBe('SUCCEEDED');
    expect(await operatorStatus()).toMatchObject({
      lanes: expect.arrayContaining([
        expect.objectContaining({
          address: addressText(accounts.lane1),
          role: 'relay',
          state: 'ready',
          paused: null,
          nonce: expect.any(String),
          balanceFri: expect.any(String),
        }),
      ]),
      attention: [],
    });
    expect(stack.service.output).not.toContain('marker');
  });

  it('the service rejects withdrawals from a pool that is paused in the configuration', async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env: {
        PAUSED_POOLS: '{"sentinel_1x": "not open yet"}',
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
      },
      deposit: (chain) => chain.depositInto(pools.sentinel_1x, commitmentsOf(A)),
    });
    const answer = await withdraw(fromA, 0);
    expect([answer.status, Object(answer.body).details]).toEqual([
      503,
      { cause: 'configuration', reason: 'not open yet' },
    ]);
    expect((await control('sentinel_1x/resume')).body).toMatchObject({
      withdrawals: { state: 'paused', cause: 'configuration' },
    });
  });

  it('S7 S8 S9 invalid requests and double spends of one caller do not block another caller', async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        TRUST_PROXY: '1',
        BREAKER_REVERTS: '1',
        BREAKER_LOSSES: '1',
        BREAKER_UPSTREAM_FAILURES: '2',
        BREAKER_PAUSE_MS: String(PAUSE_MS),
        SWAP_REVERTS_PER_NOTE: '1',
        // A revert costs about 0.3 STRK, so two reverts use up a caller's quarter of this budget.
        LOSS_BUDGET_PER_POOL_FRI: String(2n * 10n ** 18n),
        SHUTDOWN_DRAIN_MS: '0',
      },
      deposit: (chain) => chain.depositInto(swapInput, commitmentsOf(C)),
    });
    await stack.service.ready();
    const { control: sandbox } = stack.chain;
    const requests = (caller: typeof MALLORY, index: number) =>
      stack.service.withdraw(bodyAt(fromC, index), { headers: caller });

    // S9: the pause after upstream failures ends with the first honest request, despite concurrent
    // invalid requests.
    sandbox.unreadable(swapInput.address);
    for (let failure = 0; failure < 2; failure += 1)
      expect((await requests(HONEST, 2)).status).toBeGreaterThanOrEqual(502);
    sandbox.unreadable(swapInput.address, false);
    expect(codeOf(await requests(HONEST, 2))).toBe('POOL_PAUSED');
    const junk = bodyAt(fromC, 3).calldata.map((felt, index) => (index === 1 ? '0x2' : felt));
    const nonsense = () =>
      stack.service.post(
        '/api/relayer/withdraw',
        { poolAddress: addressText(swapInput), calldata: junk, quoteId: 'nonsense' },
        MALLORY,
      );
    const ended = await eventually('the pause to be over', async () => {
      expect((await nonsense()).status).toBeGreaterThanOrEqual(400);
      const answer = await requests(HONEST, 2);
      return codeOf(answer) !== 'POOL_PAUSED' && answer;
    });
    expect(codeOf(ended)).toBe('SUCCEEDED');

    // S7: the exchange rate changes after the simulation and before the swap is in a block.
    const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.ETH.address };
    const wanted = {
      wbtcPool: addressText(swapInput),
      proofCalldata: swapProof,
      newCommitment: commitmentText(SWAPPED),
      outputToken: addressText(tokens.ETH),
      slippage: 0.01,
    };
    const swap = (): Promise<Answer> =>
      stack.service.post('/api/relayer/private-swap', wanted, MALLORY);
    sandbox.pause();
    const requested = swap();
    await eventually(
      'the swap to be sent',
      () => stack.chain.waiting(accounts.swapOwner).length === 1,
    );
    sandbox.aggregator.moveRate(pair, -250);
    sandbox.resume();
    const slipped = await requested;
    expect(Object(slipped.body)).toMatchObject({
      revert_reason: expect.stringContaining('Insufficient tokens received'),
    });
    await settled(slipped, 'reverted');
    const suspended = await swap();
    expect([suspended.status, codeOf(suspended)]).toEqual([429, 'NOTE_SWAPS_SUSPENDED']);
    expect(Number(suspended.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(codeOf(await requests(HONEST, 3))).toBe('SUCCEEDED');

    // S8: another relayer spends a note while the service's transaction is in flight.
    sandbox.pause();
    await stack.chain.relayByAnother(bodyAt(fromC, 1).calldata, swapInput.address);
    const late = requests(MALLORY, 1);
    await eventually(
      'the withdrawal to be sent',
      () => stack.chain.waiting(accounts.lane1).length === 1,
    );
    sandbox.resume();
    const doubled = await late;
    expect(Object(doubled.body)).toMatchObject({
      revert_reason: expect.stringContaining('already withdrawn'),
    });
    await settled(doubled, 'reverted');
    const spent = await eventually('the share to be seen as spent', async () => {
      const answer = await requests(MALLORY, 0);
      return codeOf(answer) === 'CALLER_BUDGET_EXHAUSTED' && answer;
    });
    expect([spent.status, Object(spent.body).details]).toEqual([429, { cause: 'losses' }]);
    expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(3_000);

    expect(poolOf(await operatorStatus(), 'swap_input_1')).toMatchObject({
      withdrawals: { state: 'open' },
      strict: false,
    });
    // A caller whose swaps are suspended may still withdraw the note.
    expect(codeOf(await requests(HONEST, 0))).toBe('SUCCEEDED');
    expect(stack.service.output).not.toContain('203.0.113.7');
  });
});
