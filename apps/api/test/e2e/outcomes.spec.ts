import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { sandboxWorld, type FaultOrder } from '@sotto/sandbox';
import { Stack, type StackOptions } from './support/stack.js';
import { watchNode } from './support/watched-node.js';
import { good, pool, vector } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const lane = sandboxWorld.accounts.lane1.address;
/**
 * Genesis with a pool that would pay twice for the same note, so that a test detects a transaction
 * that is included twice.
 */
const forgetful = { enforceNullifier: false };

let stack: Stack;
afterEach(() => stack.stop());
const start = async (options: StackOptions = {}): Promise<Stack> =>
  (stack = await Stack.start(options));
const byHand = (env: Readonly<Record<string, string>> = {}): Promise<Stack> =>
  start({ cadence: 'manual', genesis: forgetful, env });
const withdraw = (body = good): Promise<Answer> => stack.service.withdraw(body);
const locationOf = ({ headers }: Answer): string => headers.get('location') ?? '';
const submission = async (location: string): Promise<unknown> =>
  (await stack.service.get(location)).body;
const settled = (location: string, state = 'succeeded'): Promise<unknown> =>
  eventually(`the submission to be ${state}`, async () => {
    const body = await submission(location);
    return Object(body).state === state && body;
  });
const sent = (): Promise<bigint> =>
  eventually('the transaction to reach the node', () => stack.chain.waiting()[0]);
/**
 * Returns the number of deliveries of each transaction of the service, including transactions that
 * were never included.
 */
const deliveries = (): readonly number[] =>
  Object.values(stack.chain.control.counters().deliveries);
const broken = (fault: FaultOrder['fault']): void =>
  stack.chain.control.addFault({ method: ADD, fault });
const paidOnce = async (hash: unknown): Promise<void> => {
  expect(stack.chain.inclusions().map((inclusion) => toFelt(inclusion.hash))).toEqual([hash]);
  expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(
    pool.denomination - BigInt(vector.feeSats),
  );
};

describe('the outcome of a withdrawal', () => {
  it('a withdrawal is reported as SUCCEEDED once a pre-confirmed block contains it, and as final once its block is final', async () => {
    await byHand();
    const waiting = withdraw();
    await sent();
    stack.chain.preConfirm();
    const answer = await waiting;
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'SUCCEEDED', revert_reason: null }),
    ]);
    expect(await submission(locationOf(answer))).toMatchObject({
      state: 'broadcast',
      finality: 'PRE_CONFIRMED',
    });
    stack.chain.control.mine();
    expect(await settled(locationOf(answer))).toMatchObject({
      finality: 'ACCEPTED_ON_L2',
      transaction_hash: Object(answer.body).transaction_hash,
    });
  });

  it('if ANSWER_AT is accepted_on_l2, a withdrawal is reported only after its block is ACCEPTED_ON_L2', async () => {
    await byHand({ ANSWER_AT: 'accepted_on_l2', WAIT_FOR_CONFIRMATION_MS: '1500' });
    const early = withdraw();
    await sent();
    stack.chain.preConfirm();
    expect((await early).body).toMatchObject({ execution_status: 'UNKNOWN' });
    stack.chain.control.mine();
    await settled(locationOf(await early));
    expect((await withdraw()).body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('a withdrawal is reported as REVERTED with the contract’s reason if another relayer spends the note before the withdrawal is included', async () => {
    await start({ cadence: 'manual' });
    const { control } = stack.chain;
    control.addFault({ method: ADD, fault: { kind: 'arrive-late', delayMs: 3_000 } });
    const waiting = withdraw();
    await eventually('the transaction to be in flight', () => control.counters().calls[ADD] === 1);
    await stack.chain.relayByAnother(vector.calldata);
    stack.chain.preConfirm();
    await sent();
    stack.chain.preConfirm();
    const answer = await waiting;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        transaction_hash: toFelt(stack.chain.inclusions()[0]?.hash ?? 0n),
        execution_status: 'REVERTED',
        revert_reason: expect.stringContaining('already withdrawn'),
      },
    ]);
    stack.chain.control.mine();
    expect(await settled(locationOf(answer), 'reverted')).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('already withdrawn'),
      finality: 'ACCEPTED_ON_L2',
    });
    const later = await withdraw();
    expect([later.status, later.body]).toEqual([
      409,
      expect.objectContaining({ code: 'NULLIFIER_SPENT' }),
    ]);
  });

  it.each([
    ['SUCCEEDED', 'succeeded', () => {}],
    [
      'REVERTED',
      'reverted',
      () => stack.chain.control.revertNext({ reason: 'staged', sender: lane }),
    ],
  ] as const)(
    'a withdrawal is UNKNOWN while the chain produces no blocks, and its Location later returns %s',
    async (execution, state, stage) => {
      await byHand({ WAIT_FOR_CONFIRMATION_MS: '300' });
      const first = await stack.service.accepted(good);
      const hash = toFelt(await sent());
      const answer = await withdraw();
      expect([answer.status, answer.body]).toEqual([
        200,
        { transaction_hash: hash, execution_status: 'UNKNOWN', revert_reason: null },
      ]);
      expect(locationOf(answer)).toBe(first);
      expect(locationOf(answer)).toMatch(/^\/api\/relayer\/submissions\/[\w-]{22}$/);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const meanwhile = await stack.service.get(locationOf(answer));
      expect(meanwhile.body).toMatchObject({
        state: 'broadcast',
        execution_status: 'UNKNOWN',
        finality: null,
      });
      expect(Number(meanwhile.headers.get('retry-after'))).toBeGreaterThan(0);

      stage();
      stack.chain.control.mine();
      expect(await settled(locationOf(answer), state)).toMatchObject({
        transaction_hash: hash,
        execution_status: execution,
      });
    },
  );

  it('the response does not wait for the outcome if the caller sends the preference respond-async', async () => {
    await byHand();
    const answer = await stack.service.withdraw(good, {
      headers: { prefer: 'wait=5, respond-async' },
    });
    expect([answer.status, answer.body]).toEqual([
      202,
      expect.objectContaining({ execution_status: 'UNKNOWN' }),
    ]);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    await sent();
    stack.chain.control.mine();
    await settled(locationOf(answer));
    const known = await stack.service.withdraw(good, { headers: { prefer: 'respond-async' } });
    expect([known.status, known.body]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'SUCCEEDED' }),
    ]);
  });

  it('a withdrawal continues if the caller disconnects', async () => {
    await byHand();
    const leaving = new AbortController();
    const gone = stack.service.withdraw(good, { signal: leaving.signal });
    await sent();
    leaving.abort();
    await expect(gone).rejects.toThrow('aborted');
    stack.chain.control.mine();
    expect((await withdraw()).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(stack.chain.inclusions()).toHaveLength(1);
  });
});

describe('a broadcast', () => {
  it.each([
    ['was accepted and lost its answer', { kind: 'accept-and-drop-answer' }, {}, 1],
    [
      'is answered too late',
      { kind: 'answer-late', delayMs: 1_500 },
      { NODE_SEND_TIMEOUT_MS: '200' },
      1,
    ],
    ['arrives too late', { kind: 'arrive-late', delayMs: 600 }, { NODE_SEND_TIMEOUT_MS: '200' }, 1],
    ['never arrived', { kind: 'drop-before' }, {}, 2],
    ['was answered with HTML', { kind: 'html' }, {}, 2],
    ['was rejected by a rate limit', { kind: 'rate-limited', retryAfterSeconds: 1 }, {}, 2],
    ['was rejected for its nonce, which proves nothing', { kind: 'refuse', code: 52 }, {}, 2],
    ['was rejected without a code of the specification', { kind: 'refuse', code: -32_603 }, {}, 2],
  ] as const)(
    'a transaction is included once with unchanged bytes after a broadcast that %s',
    async (_what, fault, env, expected) => {
      await start({ genesis: forgetful, env });
      broken(fault);
      const answer = await withdraw();
      expect([answer.status, answer.body]).toEqual([
        200,
        expect.objectContaining({ execution_status: 'SUCCEEDED' }),
      ]);
      await settled(locationOf(answer));
      await paidOnce(Object(answer.body).transaction_hash);
      expect(deliveries()).toEqual([expected]);
      expect(stack.ledger().transactions).toHaveLength(1);
    },
  );

  it('a permanent rejection of a broadcast is reported and does not consume the nonce', async () => {
    await start({ genesis: forgetful });
    const before = await stack.chain.lane();
    broken({ kind: 'refuse', code: 58 });
    const { status, body } = await withdraw();
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        code: 'SUBMISSION_REFUSED',
        details: { refusal: 'NON_ACCOUNT' },
      }),
    ]);
    expect(await stack.chain.lane()).toEqual(before);
    const [first] = stack.ledger().attempts;
    expect(await submission(`/api/relayer/submissions/${first?.id}`)).toMatchObject({
      state: 'refused',
      code: 'NON_ACCOUNT',
      execution_status: null,
      transaction_hash: null,
    });

    const second = await withdraw();
    expect(second.body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(await settled(locationOf(second))).toMatchObject({ attempt: 2 });
    expect(stack.chain.inclusions().map(({ nonce }) => nonce)).toEqual([before.nonce]);
  });

  it('a broadcast that is rejected because of its gas price is signed and sent again with the same nonce', async () => {
    await start({ genesis: forgetful });
    broken({ kind: 'refuse', code: 53 });
    const answer = await withdraw();
    expect(answer.body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(await settled(locationOf(answer))).toMatchObject({ attempt: 1 });
    expect(stack.chain.inclusions()).toHaveLength(1);
  });
});

describe('a transaction in flight', () => {
  it('a transaction that the node dropped is sent again with the same bytes', async () => {
    await byHand();
    const waiting = withdraw();
    const hash = await sent();
    expect(stack.chain.control.evict(hash)).toBe(true);
    expect(await sent()).toBe(hash);
    stack.chain.control.mine();
    const answer = await waiting;
    expect(answer.body).toMatchObject({
      execution_status: 'SUCCEEDED',
      transaction_hash: toFelt(hash),
    });
    expect(deliveries()).toEqual([2]);
    await paidOnce(toFelt(hash));
  });

  it('a restarted process sends the bytes of a dropped transaction again unchanged', async () => {
    await byHand();
    const node = await watchNode(stack.environment['STARKNET_RPC_URLS'] ?? '', () => undefined);
    try {
      /**
       * Returns the bodies of the requests that sent the transaction, as the node received them.
       */
      const wire = (): readonly string[] =>
        node.bodies
          .filter((body) => body.includes(ADD))
          .map((body) => body.replace(/"id":\d+,/, ''));
      const afterSignal = async (signal: NodeJS.Signals): Promise<void> => {
        stack.service.kill(signal);
        await stack.service.ended;
        await stack.restart({ STARKNET_RPC_URLS: node.url });
        await stack.service.ready();
      };
      await afterSignal('SIGTERM');
      // This response to the caller is not relevant for the test.
      const requested = withdraw().catch(() => undefined);
      const hash = await sent();
      expect(stack.chain.control.evict(hash)).toBe(true);
      await afterSignal('SIGKILL');
      await requested;
      expect(await sent()).toBe(hash);
      stack.chain.control.mine();
      const answer = await withdraw();
      expect(answer.body).toMatchObject({ transaction_hash: toFelt(hash) });
      const [first = '', ...others] = wire();
      expect(first).toContain('"calldata":["0x1",');
      expect(others.length).toBeGreaterThan(0);
      expect(new Set(others)).toEqual(new Set([first]));
      await paidOnce(toFelt(hash));
    } finally {
      await node.stop();
    }
  });

  it('a transaction is sent again and included once when a rollback undoes its pre-confirmed block', async () => {
    await byHand();
    const waiting = withdraw();
    const hash = await sent();
    stack.chain.preConfirm();
    const answer = await waiting;
    expect(answer.body).toMatchObject({ execution_status: 'SUCCEEDED' });

    stack.chain.control.undoPreConfirmed('vanish');
    await eventually(
      'the submission to be undecided',
      async () => Object(await submission(locationOf(answer))).execution_status === 'UNKNOWN',
    );
    const meanwhile = await stack.service.withdraw(good, { headers: { prefer: 'respond-async' } });
    expect(meanwhile.body).toMatchObject({
      execution_status: 'UNKNOWN',
      transaction_hash: toFelt(hash),
    });
    expect(await sent()).toBe(hash);
    stack.chain.control.mine();
    expect(await settled(locationOf(answer))).toMatchObject({
      transaction_hash: toFelt(hash),
      finality: 'ACCEPTED_ON_L2',
    });
    await paidOnce(toFelt(hash));
  });

  it('a succeeded transaction is reported as reverted if it reverts in a new block after a reorg', async () => {
    await byHand();
    const waiting = withdraw();
    await sent();
    stack.chain.preConfirm();
    const answer = await waiting;
    expect(answer.body).toMatchObject({ execution_status: 'SUCCEEDED' });
    stack.chain.control.undoPreConfirmed('return-to-pool');
    stack.chain.control.revertNext({ reason: 'the world has changed', sender: lane });
    stack.chain.control.mine();
    expect(await settled(locationOf(answer), 'reverted')).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('the world has changed'),
    });
  });

  it('a withdrawal is sent with a second nonce if a foreign transaction has used its first nonce', async () => {
    // With the default setting, the service would now pause its only account.
    await byHand({ PAUSE_ON_FOREIGN_TRANSACTION: 'false' });
    const waiting = withdraw();
    const lost = await sent();
    stack.chain.control.takeNonce(lane);
    stack.chain.control.mine();
    const found = await eventually('another transaction', () =>
      stack.chain.waiting().find((hash) => hash !== lost),
    );
    stack.chain.control.mine();
    const answer = await waiting;
    expect(answer.body).toMatchObject({
      execution_status: 'SUCCEEDED',
      transaction_hash: toFelt(found),
    });
    expect(await settled(locationOf(answer))).toMatchObject({
      attempt: 1,
      transaction_hash: toFelt(found),
    });
    expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(
      pool.denomination - BigInt(vector.feeSats),
    );
  });
});
