import { afterEach, describe, expect, it } from '@jest/globals';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually, type Answer } from '@sotto/process-kit';
import { anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Scrape } from './support/metrics.js';
import { Stack, type StackOptions } from './support/stack.js';
import { good, pool, vector } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const NONCE = 'starknet_getNonce';
const STATUS = ['starknet_getTransactionStatus', 'starknet_getTransactionReceipt'];
/**
 * Settings that prevent that the service sends a transaction again, which the node has accepted,
 * during a test.
 */
const NEVER_AGAIN = { RESEND_AFTER_MS: '600000', ATTENTION_AFTER_MS: '700000' };
const TOKEN = 'operator-token-of-the-tests-0123456789';

let stack: Stack;
let a: FaultProxy;
let b: FaultProxy;

/**
 * Starts the service with two nodes of one chain. Each node has a separate fault proxy, and only
 * tests create blocks.
 */
async function overTwoNodes(
  env: Readonly<Record<string, string>> = {},
  options: Pick<StackOptions, 'verificationKey'> = {},
): Promise<void> {
  stack = await Stack.start({
    cadence: 'manual',
    // In this chain, the pool's contract would pay twice for the same note. So a test would detect
    // a transaction that is included twice.
    genesis: { enforceNullifier: false },
    ...options,
    async env({ rpcUrl: target }) {
      [a, b] = await Promise.all([startFaultProxy({ target }), startFaultProxy({ target })]);
      return {
        STARKNET_RPC_URLS: `a=${a.url},b=${b.url}`,
        WAIT_FOR_CONFIRMATION_MS: '1000',
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        // The limit is high, because the tests poll the operator's status often. The rate limit of
        // quotes also applies to that route.
        RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
        METRICS_PORT: '0',
        ...env,
      };
    },
  });
  await stack.service.ready();
}

/** Starts a new process, which has no cached responses of a node. */
async function startAgain(): Promise<void> {
  stack.service.kill('SIGTERM');
  await stack.service.ended;
  await stack.restart();
  await stack.service.ready();
}

afterEach(async () => {
  await stack.stop();
  await Promise.all([a, b].map((node) => node.stop()));
});

const dies = (node: FaultProxy): void =>
  node.addFault({ method: '*', fault: { kind: 'drop-before' }, times: 'always' });
/** Makes the node report every transaction as unknown. */
const knowsNothing = (node: FaultProxy): void =>
  node.addFault({
    method: STATUS,
    fault: { kind: 'refuse', code: 29, message: 'Transaction hash not found' },
    times: 'always',
  });
const refusesSends = (node: FaultProxy): void =>
  node.addFault({
    method: ADD,
    fault: { kind: 'refuse', code: 54, message: 'Account balance is too small' },
    times: 'always',
  });
/**
 * Makes the node lose every transaction that it receives. So the bytes do not reach the chain even
 * if the service sends them to this node.
 */
const losesSends = (node: FaultProxy): void =>
  node.addFault({ method: ADD, fault: { kind: 'drop-before' }, times: 'always' });
const sendsTo = (node: FaultProxy): number => node.counters().calls[ADD] ?? 0;
const requests = (node: FaultProxy, methods: readonly string[]): number =>
  methods.reduce((sum, method) => sum + (node.counters().calls[method] ?? 0), 0);

/**
 * Requests a withdrawal whose bytes are sent to node A. Node A accepts or loses the bytes and then
 * becomes unavailable.
 */
async function sentToANodeThatDies(
  kind: 'accept-and-drop-answer' | 'drop-before',
): Promise<Answer> {
  a.addFault({ method: ADD, fault: { kind } });
  const answer = stack.service.withdraw(good);
  await eventually('the bytes to be sent to A', () => sendsTo(a) === 1);
  dies(a);
  return answer;
}

const call = (): unknown => stack.ledger().transactions[0];
const attempt = (): unknown => stack.ledger().attempts[0];
const ended = (state: string): Promise<unknown> =>
  eventually(`the submission to be ${state}`, () => stack.ledger().attempts[0]?.state === state);

async function isPaidOnce(): Promise<void> {
  const { transactions, attempts } = stack.ledger();
  expect(attempts).toHaveLength(1);
  expect(stack.chain.inclusions().map(({ hash }) => toFelt(hash))).toEqual([transactions[0]?.hash]);
  expect(await stack.chain.wbtcOf(BigInt(vector.recipient))).toBe(
    pool.denomination - BigInt(vector.feeSats),
  );
}

async function operatorStatus(): Promise<unknown> {
  const { body } = await stack.service.get('/api/operator/status', {
    Authorization: `Bearer ${TOKEN}`,
  });
  return body;
}

async function isUp(name: string): Promise<boolean> {
  const { nodes } = Object(await operatorStatus());
  return Array.isArray(nodes) && nodes.some((node) => node.name === name && node.up === true);
}

/**
 * Waits until a whole poll has ended. Each poll queries node B once, so a whole poll has ended when
 * a third poll begins.
 */
async function inspectsCall(): Promise<void> {
  const before = requests(b, STATUS);
  await eventually('three looks at the call', () => requests(b, STATUS) >= before + 3);
}

async function warnings(): Promise<readonly unknown[]> {
  const found: unknown = Object(Object(await operatorStatus()).verdict).warnings;
  return Array.isArray(found) ? found : [];
}

describe('a withdrawal over two nodes', () => {
  it('a withdrawal continues when the node that accepted the withdrawal is available again', async () => {
    await overTwoNodes(NEVER_AGAIN);
    knowsNothing(b);
    losesSends(b);
    expect((await sentToANodeThatDies('accept-and-drop-answer')).body).toMatchObject({
      execution_status: 'UNKNOWN',
    });
    // Node B returns no block in which the nonce is consumed, so the service relies on node A's
    // status of the transaction hash.
    stack.chain.preConfirm();
    a.clearFaults();
    await eventually('A to work again', () => isUp('a'));
    const before = requests(a, STATUS);
    await eventually('A to be queried for the call', () => requests(a, STATUS) > before);
    expect((await stack.service.withdraw(good)).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(attempt()).toMatchObject({ state: 'broadcast' });
    stack.chain.control.mine();
    // The receipt of node A alone does not settle the attempt: the node that the service uses for
    // reads must also return the receipt.
    await inspectsCall();
    expect(attempt()).toMatchObject({ state: 'broadcast' });
    b.clearFaults();
    await ended('succeeded');
    await isPaidOnce();
  });

  it('a withdrawal continues even if a second node without this withdrawal rejects it', async () => {
    await overTwoNodes();
    knowsNothing(b);
    refusesSends(b);
    await sentToANodeThatDies('accept-and-drop-answer');
    await eventually('B to reject the bytes', () => sendsTo(b) > 0);
    expect(call()).toMatchObject({ claims: 2, claimNode: 'b' });
    stack.chain.control.mine();
    expect(attempt()).toMatchObject({ state: 'broadcast' });
    b.clearFaults();
    await ended('succeeded');
    await isPaidOnce();
  });

  it('a second node sends a withdrawal after the first node has lost it', async () => {
    await overTwoNodes();
    await sentToANodeThatDies('drop-before');
    await eventually('the bytes to reach the chain by B', () => stack.chain.waiting()[0]);
    expect(call()).toMatchObject({ claims: 2, claimNode: 'b' });
    a.clearFaults();
    stack.chain.control.mine();
    await ended('succeeded');
    await isPaidOnce();
  });

  it('a withdrawal is not affected by the outdated nonce of a node that is behind', async () => {
    await overTwoNodes();
    stack.chain.control.mine(5);
    knowsNothing(b);
    await sentToANodeThatDies('accept-and-drop-answer');
    b.addFault({ method: '*', fault: { kind: 'stale', blocksBehind: 5 }, times: 'always' });
    stack.chain.control.mine(2);
    await eventually('the bytes to be sent to B', () => sendsTo(b) > 0);
    expect(b.counters().struck['stale']).toBeGreaterThan(0);
    expect(attempt()).toMatchObject({ state: 'broadcast' });
    b.clearFaults();
    await ended('succeeded');
    await isPaidOnce();
  });

  it('a withdrawal succeeds while the second node contradicts the first node, and operators receive a warning', async () => {
    await overTwoNodes();
    stack.chain.control.mine(8);
    b.addFault({ method: '*', fault: { kind: 'stale', blocksBehind: 6 }, times: 'always' });
    await startAgain();
    await eventually('the disagreement to be seen', async () =>
      (await warnings()).some((reason) => Object(reason).code === 'NODES_DISAGREE'),
    );
    const answer = stack.service.withdraw(good);
    await eventually('the bytes to be sent', () => stack.chain.waiting()[0]);
    stack.chain.control.mine();
    await answer;
    await ended('succeeded');
    expect([sendsTo(a), sendsTo(b)]).toEqual([1, 0]);
    await isPaidOnce();
  });

  it('two withdrawals are each paid once although one node returns an older nonce than the other node', async () => {
    await overTwoNodes({}, { verificationKey: trapdoorKey });
    fillPool(stack.chain);
    const paid = async (index: number): Promise<Answer> => {
      const answer = stack.service.withdraw(anyWithdrawal(index));
      await eventually('the bytes to be sent', () => stack.chain.waiting()[0]);
      stack.chain.control.mine();
      await eventually(
        'the submission to succeed',
        () => stack.ledger().attempts[index]?.state === 'succeeded',
      );
      return answer;
    };
    await paid(0);
    a.addFault({ method: NONCE, fault: { kind: 'old-nonce' }, times: 'always' });
    await startAgain();
    await eventually('the disagreement to be seen', async () =>
      (await warnings()).some((reason) => Object(reason).code === 'NODES_DISAGREE'),
    );
    expect(await warnings()).toContainEqual(
      expect.objectContaining({
        code: 'NODES_DISAGREE',
        details: expect.objectContaining({ what: 'nonce' }),
      }),
    );
    const disagreement = { node: 'b', what: 'nonce' };
    const scrape = await Scrape.of(stack.service);
    expect(scrape.value('sotto_node_disagreements_total', disagreement)).toBe(1);
    expect(stack.service.output).toContain('"message":"a node disagrees with the others"');

    expect(await operatorStatus()).toMatchObject({ lanes: [{ state: 'ready', nonce: '0' }] });
    expect((await stack.service.withdraw(anyWithdrawal(0))).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    await paid(1);
    expect(stack.ledger().attempts.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect([sendsTo(a), sendsTo(b)]).toEqual([2, 0]);
    expect(stack.chain.inclusions()).toHaveLength(2);
    for (const index of [0, 1]) expect(await timesPaid(stack.chain, index)).toBe(1);
  });
});
