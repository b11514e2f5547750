import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { type Answer, eventually, keyed, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Stack } from './support/stack.js';

const ADD = 'starknet_addInvokeTransaction';
/** First JSON-RPC method that each poll calls. */
const POLL = 'starknet_getNonce';
const VALIDATION_FAILURE = 55;
const SLOW_MS = 3_000;
/** Indexes of two withdrawals of different notes. */
const [FIRST, SECOND] = [0, 1];

describe('stories of the machine, from end to end', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  /**
   * Starts a stack whose blocks are mined only by the test. The contract pays the same note twice,
   * so the test would detect a second inclusion.
   */
  async function start(env: Variables = {}, whole = false): Promise<void> {
    stack = await Stack.start({
      cadence: 'manual',
      whole,
      genesis: { enforceNullifier: false },
      verificationKey: trapdoorKey,
      env,
    });
    fillPool(stack.chain);
    stack.chain.control.mine();
    await stack.service.ready();
  }
  const withdraw = (index: number): Promise<Answer> => stack.service.withdraw(anyWithdrawal(index));
  const succeeded = (path: string): Promise<unknown> =>
    eventually('the withdrawal to succeed', async () => {
      const { body } = await stack.service.get(path);
      return Object(body).state === 'succeeded' && body;
    });
  /** Mines ten blocks, in which a second transaction would be seen. */
  async function goOn(): Promise<void> {
    for (let block = 0; block < 10; block += 1) {
      stack.chain.control.mine();
      await systemClock.sleep(100);
    }
  }

  it.each([
    [
      'sent late',
      () =>
        stack.chain.control.addFault({
          method: POLL,
          fault: { kind: 'arrive-late', delayMs: SLOW_MS },
          times: 1,
        }),
    ],
    ['answered late', () => stack.chain.control.delay(POLL, SLOW_MS)],
  ])(
    'M1: a withdrawal is paid once even if a poll is %s while the withdrawal gets a free nonce',
    async (_what, slow) => {
      // While the next poll hangs, the service admits new requests based on the last completed
      // poll.
      await start({ IDLE_INTERVAL_MS: '2000', WAIT_FOR_CONFIRMATION_MS: '10000' });
      const { control } = stack.chain;
      control.addFault({
        method: ADD,
        fault: { kind: 'refuse', code: VALIDATION_FAILURE },
        times: 1,
      });
      const refused = await withdraw(FIRST);
      expect([refused.status, refused.body]).toEqual([
        422,
        expect.objectContaining({ code: 'SUBMISSION_REFUSED' }),
      ]);
      const { nonce } = await stack.chain.lane();

      slow();
      const looks = control.counters().calls[POLL] ?? 0;
      await eventually('a slow poll to begin', () => (control.counters().calls[POLL] ?? 0) > looks);
      const path = await stack.service.accepted(anyWithdrawal(SECOND));
      await eventually('the second one to be sent', () => stack.chain.waiting().length === 1);
      control.mine();
      expect(await stack.chain.lane()).toMatchObject({ nonce: nonce + 1n });
      const reported = await succeeded(path);
      control.delay(POLL, 0);
      await goOn();

      const inclusions = stack.chain.inclusions();
      expect(inclusions.map(({ executionStatus }) => executionStatus)).toEqual(['SUCCEEDED']);
      expect(reported).toMatchObject({
        execution_status: 'SUCCEEDED',
        transaction_hash: toFelt(inclusions[0]?.hash ?? 0n),
      });
      expect((await stack.service.get(path)).body).toMatchObject({
        state: 'succeeded',
        finality: 'ACCEPTED_ON_L2',
      });
      expect([await timesPaid(stack.chain, FIRST), await timesPaid(stack.chain, SECOND)]).toEqual([
        0, 1,
      ]);

      // The rejection was final: the caller may repeat the request, and the note is paid once.
      const again = stack.service.accepted(anyWithdrawal(FIRST));
      const second = await again;
      await eventually('the first one to be sent', () => stack.chain.waiting().length === 1);
      control.mine();
      await succeeded(second);
      await goOn();
      expect([await timesPaid(stack.chain, FIRST), await timesPaid(stack.chain, SECOND)]).toEqual([
        1, 1,
      ]);
    },
  );

  it('M3: a lane with a wrong key is disabled, and the second lane sends all withdrawals', async () => {
    const { lane1, lane2 } = sandboxWorld.accounts;
    await start({
      RELAY_ACCOUNTS: JSON.stringify([
        keyed(lane1),
        keyed({ ...lane2, privateKey: lane1.privateKey }),
      ]),
      OPERATOR_API_TOKENS: JSON.stringify({ default: 'a-token-of-the-operator' }),
    });
    const paths = await Promise.all(
      [FIRST, SECOND].map((index) => stack.service.accepted(anyWithdrawal(index))),
    );
    await eventually('both to be paid', async () => {
      stack.chain.control.mine();
      const answers = await Promise.all(paths.map((path) => stack.service.get(path)));
      return answers.every(({ body }) => Object(body).state === 'succeeded');
    });
    const { body } = await stack.service.get('/api/operator/status', {
      authorization: 'Bearer a-token-of-the-operator',
    });
    expect(Object(body).lanes).toMatchObject([
      { state: 'ready' },
      { state: 'resting', reason: 'WRONG_KEY' },
    ]);
  });

  it('M4: an outcome that a rollback of blocks removed is reported together with the new outcome', async () => {
    await start();
    const path = await stack.service.accepted(anyWithdrawal(FIRST));
    await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
    stack.chain.control.mine();
    const before = await succeeded(path);
    stack.chain.control.revertNext({ reason: 'staged' });
    stack.chain.control.rollback(1, 'return-to-pool');
    await eventually('the rollback to be noticed', async () => {
      // The service detects the replaced block only when a new block of that height exists.
      stack.chain.control.mine();
      return Object((await stack.service.get(path)).body).reorged !== null;
    });
    const after = await eventually('the new outcome', async () => {
      stack.chain.control.mine();
      const { body } = await stack.service.get(path);
      return Object(body).state === 'reverted' && body;
    });
    const hash: unknown = Object(before).transaction_hash;
    expect(after).toMatchObject({
      transaction_hash: hash,
      execution_status: 'REVERTED',
      finality: 'ACCEPTED_ON_L2',
      reorged: { transaction_hash: hash, execution_status: 'SUCCEEDED' },
    });
  });

  it('M7: the process exits if its ledger belongs to another chain than the node', async () => {
    await start();
    const path = await stack.service.accepted(anyWithdrawal(FIRST));
    await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
    stack.chain.control.mine();
    await succeeded(path);
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    const other = await Stack.start({ cadence: 'manual' });
    try {
      const service = other.another({ DATABASE_PATH: stack.databaseFile });
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.output).toContain('WrongLedger');
      expect(service.output).toContain('DATABASE_PATH');
    } finally {
      await other.stop();
    }
  });

  it.each([
    ['M10', 'a relaying account', 'lane1'],
    ['S1', 'the swap owner, and with it swaps', 'swapOwner'],
  ] as const)(
    '%s: a foreign transaction with the same key pauses %s until an operator resumes it',
    async (_story, _what, name) => {
      const { address } = sandboxWorld.accounts[name];
      const token = { authorization: 'Bearer a-token-of-the-operator' };
      await start(
        {
          OPERATOR_API_TOKENS: JSON.stringify({ default: 'a-token-of-the-operator' }),
          IDLE_INTERVAL_MS: '500',
        },
        name === 'swapOwner',
      );
      stack.chain.control.takeNonce(address);
      stack.chain.control.mine();
      const lane = toFelt(address);
      await eventually('the account to be paused', async () => {
        stack.chain.control.mine();
        await systemClock.sleep(200);
        const { lanes } = Object((await stack.service.get('/api/operator/status', token)).body);
        return (
          Object(lanes.find((one: unknown) => Object(one).address === lane)).paused ===
          'FOREIGN_TRANSACTION'
        );
      });
      await eventually('the service to report it', async () => {
        const { checks } = Object((await stack.service.get('/health/ready')).body);
        return checks.lanes.code === (name === 'lane1' ? 'LANES_PAUSED' : null);
      });
      expect(stack.service.output).toContain('something else signs with its key');

      const resumed = await stack.service.post(`/api/operator/lanes/${lane}/resume`, {}, token);
      expect([resumed.status, resumed.body]).toEqual([
        200,
        expect.objectContaining({ paused: null }),
      ]);
      await stack.service.ready();
    },
  );
});
