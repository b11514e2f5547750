import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, type components } from '@sotto/client';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually, type WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { IN_A_BLOCK } from '../support/finality.js';
import { Stack, type StackOptions } from './support/stack.js';
import { good, leaves, malleated, pool, proven, vector } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const CLOSING_READ = 'starknet_blockHashAndNumber + starknet_getBlockWithTxHashes';
/** JSON-RPC methods that an admission calls in one request before it simulates the withdrawal. */
const FACTS = 'starknet_call + starknet_getBlockWithTxHashes';
const fee = BigInt(vector.feeSats);
/**
 * L2 gas of a withdrawal according to the network profile. The withdrawals of the sandbox use four
 * times this gas.
 */
const BELIEVED_L2_GAS = 9_000_000;
/** A leaf that is deposited later, by a second depositor. */
const LATER = 0x1a7e4n;
const elsewhere = sandboxWorld.accounts.recipient2.address;

describe('a withdrawal', () => {
  let toElsewhere: WithdrawalBody;
  let again: WithdrawalBody;
  beforeAll(async () => {
    toElsewhere = await proven({ recipient: elsewhere });
    again = await proven();
  });

  let stack: Stack;
  afterEach(() => stack.stop());
  const start = async (options: StackOptions = {}): Promise<Stack> =>
    (stack = await Stack.start(options));
  const withdraw = (body: WithdrawalBody): Promise<Answer> => stack.service.withdraw(body);
  const stateOf = async (location: string): Promise<unknown> =>
    (await stack.service.get(location)).body;
  const settled = (location: string, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(location);
      return Object(body).state === state && body;
    });

  it('a withdrawal pays the recipient and the relayer, and spends the note', async () => {
    await start();
    const before = await stack.chain.lane();
    const { status, headers, body } = await withdraw(good);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        transaction_hash: expect.stringMatching(/^0x[\da-f]{50,64}$/),
        execution_status: 'SUCCEEDED',
        revert_reason: null,
      },
    });
    expect(headers.get('retry-after')).toBeNull();
    expect(await stack.chain.isSpent()).toBe(true);
    expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(pool.denomination - fee);
    expect(await stack.chain.wbtcOf(BigInt(vector.relayer))).toBe(fee);

    const { transaction_hash: hash } = Object(body);
    expect(await settled(headers.get('location') ?? '', 'succeeded')).toMatchObject({
      attempt: 1,
      transaction_hash: hash,
      execution_status: 'SUCCEEDED',
      finality: IN_A_BLOCK,
      code: null,
    });
    const inclusions = stack.chain.inclusions();
    expect(inclusions.map((inclusion) => toFelt(inclusion.hash))).toEqual([hash]);
    expect(await stack.chain.lane()).toEqual({
      nonce: before.nonce + 1n,
      balanceFri: before.balanceFri - (inclusions[0]?.feeFri ?? 0n),
    });
  });

  it('a withdrawal is accepted if its calldata has no length felt and has decimal felts', async () => {
    await start();
    const bare = vector.calldata.slice(1).map((felt) => String(BigInt(felt)));
    expect((await withdraw({ ...good, calldata: bare })).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(await stack.chain.isSpent()).toBe(true);
  });

  it('a withdrawal causes two node requests for its admission and one for its broadcast', async () => {
    await start({ env: { IDLE_INTERVAL_MS: '60000' } });
    await stack.service.ready();
    const { control } = stack.chain;
    // The reads at the start of the service must have ended, so that the test does not count them.
    await eventually('the service to send the node nothing for a second', async () => {
      control.resetCounters();
      await delay(1_000);
      return control.counters().httpRequests === 0;
    });
    const { headers } = await withdraw(good);
    await settled(headers.get('location') ?? '', 'succeeded');
    const { calls, httpRequestsByMethod: by, httpRequestsByContent } = control.counters();
    expect({ broadcasts: by[ADD], sent: calls[ADD] }).toEqual({ broadcasts: 1, sent: 1 });
    // If the receipt's block is above the head with which the poll began, the next poll reads the
    // receipt again.
    expect([1, 2]).toContain(by['starknet_getTransactionReceipt']);
    // The admission reads the chain in its first request. Its second request simulates the
    // withdrawal as the lane's transaction, and also reads the lane's nonce.
    expect(by['starknet_simulateTransactions']).toBe(1);
    // Each poll reads the lane's nonce. A poll reads the status of a transaction in flight only if
    // the transaction's row is younger than the nonce read. It reads a receipt only if a status
    // shows that the receipt exists.
    const ofPolls = /starknet_get(Nonce|TransactionStatus|TransactionReceipt)\b/;
    const isOfNoPoll = ([content]: readonly [string, number]): boolean => !ofPolls.test(content);
    const besidePolls = Object.entries(httpRequestsByContent).filter(isOfNoPoll);
    // One closing request settles the transaction: it reads the head, the L1 height and the
    // receipt's block together. If a poll begins together with the admission's read, both share one
    // request.
    const read = httpRequestsByContent[FACTS] === undefined ? [] : [[FACTS, 1]];
    expect(besidePolls).toEqual([...read, [ADD, 1], [CLOSING_READ, 1]]);

    control.resetCounters();
    await stack.service.withdraw(toElsewhere, { query: '?dryRun=true' });
    const ofDryRun = Object.entries(control.counters().httpRequestsByContent);
    expect(ofDryRun.filter(isOfNoPoll)).toEqual([[FACTS, 1]]);
  });

  it('S13: the required fee covers the used gas even if the network profile states a quarter of that gas', async () => {
    await start({
      limits: { withdrawL2Gas: BELIEVED_L2_GAS },
      env: { GAS_LEARN_INTERVAL_MS: '100' },
    });
    await stack.service.ready();
    const estimate = async (): Promise<components['schemas']['FeeEstimate']> => {
      const query = { pool: good.poolAddress };
      const { data } = await createSottoClient({ baseUrl: stack.service.url, tries: 1 }).GET(
        '/api/relayer/fee-estimate',
        { params: { query } },
      );
      if (data === undefined) throw new Error('there is no estimate');
      return data;
    };
    const believed = await estimate();
    expect(believed.withdrawGas).toMatchObject({
      l2Gas: BELIEVED_L2_GAS,
      source: 'profile',
      ageSeconds: null,
    });

    const cheap = await withdraw(await proven({ fee: BigInt(believed.feeAmount) }));
    expect([cheap.status, cheap.body]).toEqual([
      422,
      expect.objectContaining({ code: 'FEE_TOO_LOW' }),
    ]);
    const required = BigInt(Object(cheap.body).details.required);
    expect(required > 2n * BigInt(believed.feeAmount)).toBe(true);

    const { headers } = await withdraw(good);
    await settled(headers.get('location') ?? '', 'succeeded');
    const [paid] = stack.chain.inclusions();
    // One sat is worth 0.025 STRK at 0.04 USD for a STRK and 100,000 USD for a BTC.
    expect(required * 25_000_000_000_000_000n >= (paid?.feeFri ?? 0n)).toBe(true);
    const learnt = await eventually('the estimate to follow', async () => {
      const next = await estimate();
      return next.withdrawGas.source === 'receipts' && next;
    });
    expect(learnt.withdrawGas).toMatchObject({ receipts: 1, ageSeconds: expect.any(Number) });
    expect(learnt.withdrawGas.l2Gas).toBeGreaterThan(3 * BELIEVED_L2_GAS);
    expect(BigInt(learnt.feeAmount) >= required).toBe(true);
  });

  it('fifty concurrent equal requests cause one transaction and get fifty equal responses', async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => withdraw(good)));
    const replies = answers.map(({ status, headers, text }) => ({
      status,
      text,
      location: headers.get('location'),
    }));
    expect(replies[0]).toMatchObject({ status: 200, text: expect.stringContaining('"SUCCEEDED"') });
    expect(new Set(replies.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(stack.chain.control.counters().calls[ADD]).toBe(1);
    expect(stack.chain.inclusions()).toHaveLength(1);
    expect(stack.ledger().attempts).toHaveLength(1);
  });

  it('a second proof of a withdrawal gets the outcome of the first proof', async () => {
    await start({ cadence: 'manual' });
    const location = await stack.service.accepted(good);
    const waiting = withdraw(malleated);
    await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
    stack.chain.control.mine();
    const second = await waiting;
    expect(second.headers.get('location')).toBe(location);
    expect(second.body).toMatchObject({ execution_status: 'SUCCEEDED' });

    await settled(location, 'succeeded');
    for (const same of [malleated, again, good]) {
      const { status, text, headers } = await withdraw(same);
      expect({ status, text, location: headers.get('location') }).toEqual({
        status: 200,
        text: second.text,
        location,
      });
    }
    expect(stack.chain.control.counters().calls[ADD]).toBe(1);
  });

  it('S12: a second proof of a withdrawal at a newer root finds the existing submission', async () => {
    const newer = await proven({}, [...leaves, LATER]);
    await start({ cadence: 'manual' });
    const location = await stack.service.accepted(good);
    await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
    const during = await stack.service.withdraw(newer, { headers: { prefer: 'respond-async' } });
    expect([during.status, during.headers.get('location')]).toEqual([202, location]);
    expect(during.body).toMatchObject({ execution_status: 'UNKNOWN' });
    const lookUp = (body: WithdrawalBody): Promise<Answer> =>
      stack.service.post('/api/relayer/submissions/lookup', body);
    for (const proof of [newer, toElsewhere])
      expect((await lookUp(proof)).headers.get('location')).toBe(location);

    // The block that contains this deposit also makes the newer root available.
    await stack.chain.depositInto(pool, [LATER]);
    await settled(location, 'succeeded');
    const after = await withdraw(newer);
    expect([after.status, after.headers.get('location')]).toEqual([200, location]);
    const [paid, ...others] = stack.chain.inclusions();
    expect(after.body).toMatchObject({
      transaction_hash: toFelt(paid?.hash ?? 0n),
      execution_status: 'SUCCEEDED',
    });
    expect((await lookUp(newer)).body).toEqual(await stateOf(location));
    expect([others.length, stack.ledger().attempts.length]).toEqual([0, 1]);
  });

  it('rejects a withdrawal of a note to another recipient after the note’s first withdrawal was accepted', async () => {
    await start({ cadence: 'manual' });
    const location = await stack.service.accepted(good);
    const during = await withdraw(toElsewhere);
    expect([during.status, during.body]).toEqual([
      409,
      expect.objectContaining({ code: 'WITHDRAWAL_IN_PROGRESS' }),
    ]);
    expect([during.headers.get('location'), Number(during.headers.get('retry-after'))]).toEqual([
      location,
      expect.any(Number),
    ]);

    await eventually('the transaction to be sent', () => stack.chain.waiting().length === 1);
    stack.chain.control.mine();
    await settled(location, 'succeeded');
    const after = await withdraw(toElsewhere);
    const [paid] = stack.chain.inclusions();
    const details = { transactionHash: toFelt(paid?.hash ?? 0n) };
    expect([after.status, after.body]).toEqual([
      409,
      expect.objectContaining({ code: 'NULLIFIER_SPENT', details }),
    ]);
    expect(await stack.chain.wbtcOf(elsewhere)).toBe(0n);
    expect(stack.chain.inclusions()).toHaveLength(1);
  });

  it('sends only one of two concurrent withdrawals of the same note with different terms', async () => {
    await start();
    const answers = await Promise.all([good, toElsewhere, good, toElsewhere].map(withdraw));
    const [first, second, ...repeated] = answers.map(({ status }) => status);
    expect([200, 409]).toContain(first);
    expect([second, ...repeated]).toEqual([
      first === 200 ? 409 : 200,
      first,
      first === 200 ? 409 : 200,
    ]);
    expect(stack.chain.inclusions()).toHaveLength(1);
  });

  it.each([
    ['a fresh proof of the same terms', () => again, BigInt(vector.recipient)],
    ['the very same request', () => good, BigInt(vector.recipient)],
    ['a proof for another recipient', () => toElsewhere, elsewhere],
  ])(
    'a reverted withdrawal can be retried as attempt 2 with %s',
    async (_what, second, recipient) => {
      await start();
      stack.chain.control.revertNext({
        reason: 'staged',
        sender: sandboxWorld.accounts.lane1.address,
      });
      const first = await withdraw(good);
      expect([first.status, first.body]).toEqual([
        200,
        {
          transaction_hash: expect.any(String),
          execution_status: 'REVERTED',
          revert_reason: expect.stringContaining('staged'),
        },
      ]);
      const firstLocation = first.headers.get('location') ?? '';
      await settled(firstLocation, 'reverted');

      const { status, body, headers } = await withdraw(second());
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ execution_status: 'SUCCEEDED' }),
      ]);
      expect(await stateOf(headers.get('location') ?? '')).toMatchObject({ attempt: 2 });
      expect(await stateOf(firstLocation)).toMatchObject({
        attempt: 1,
        state: 'reverted',
        execution_status: 'REVERTED',
      });
      expect(await stack.chain.wbtcOf(recipient)).toBe(pool.denomination - fee);
      expect(stack.chain.inclusions().map(({ executionStatus }) => executionStatus)).toEqual([
        'REVERTED',
        'SUCCEEDED',
      ]);
    },
  );
});
