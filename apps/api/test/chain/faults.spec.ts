import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { FaultProxy } from '@sotto/fault-proxy';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

type FaultOrder = Parameters<FaultProxy['addFault']>[0];

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'sentinel_1x';
const leaves = anyLeaves(15);
const withdrawals = new ForgedWithdrawals(leaves, 400n);
/**
 * Timeout for sends, in milliseconds. The timeout is long, because devnet executes a withdrawal
 * before it responds.
 */
const SEND_TIMEOUT_MS = 2_500;

describeOnChain('a withdrawal over a faulty connection to the node', (node) => {
  let site: Site;
  let used = 0;
  beforeAll(async () => {
    const env = { NODE_SEND_TIMEOUT_MS: String(SEND_TIMEOUT_MS) };
    site = await Site.start(node.start, {
      deposits: { [POOL]: leaves },
      verificationKey: trapdoorKey,
      env,
    });
  });
  afterEach(() => site.proxy.clearFaults());
  afterAll(() => site.stop());

  const pool = () => site.chain.world.pools[POOL];
  const nonce = () => site.chain.client.nonceOf(site.chain.world.accounts.lane1.address);
  const paid = (index: number) => site.chain.wbtcOf(withdrawals.recipientOf(index));
  const bodyOf = (index: number) => bodyFor(pool(), withdrawals.calldata(index));
  const next = (): number => used++;

  /**
   * Expects that the reported outcome equals the outcome on the chain, and that the lane used one
   * nonce and the recipient received one payment.
   */
  const happenedOnce = async (
    index: number,
    nonceBefore: bigint,
    reported: unknown,
    location: string | null,
  ): Promise<void> => {
    expect(reported).toMatchObject({ execution_status: 'SUCCEEDED', revert_reason: null });
    const hash = String(Object(reported).transaction_hash);
    expect(await site.settled(location, 'succeeded')).toMatchObject({
      attempt: 1,
      transaction_hash: hash,
    });
    expect(await site.chain.client.receiptOf(hash)).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(await nonce()).toBe(nonceBefore + 1n);
    expect(await paid(index)).toBe(pool().denomination - withdrawals.feeSats);
    expect(Object.keys(site.proxy.counters().takenTransactions)).toEqual([hash]);
  };

  const strikes: readonly (readonly [string, FaultOrder])[] = [
    [
      'was accepted and lost its answer',
      { method: ADD, fault: { kind: 'accept-and-drop-answer' } },
    ],
    ['was accepted and is never answered', { method: ADD, fault: { kind: 'accept-and-hang' } }],
    [
      'is answered too late',
      { method: ADD, fault: { kind: 'answer-late', delayMs: 2 * SEND_TIMEOUT_MS } },
    ],
    [
      'arrives too late',
      { method: ADD, fault: { kind: 'arrive-late', delayMs: SEND_TIMEOUT_MS + 1_500 } },
    ],
    ['has its answer cut in half', { method: ADD, fault: { kind: 'cut-answer' } }],
    ['never arrived', { method: ADD, fault: { kind: 'drop-before' } }],
    [
      'was delivered twice, with the first answer received',
      { method: ADD, fault: { kind: 'deliver-twice', answer: 'first' } },
    ],
    [
      'was delivered twice, with the second answer received',
      { method: ADD, fault: { kind: 'deliver-twice', answer: 'second' } },
    ],
    [
      'was rejected by a rate limit',
      { method: ADD, fault: { kind: 'rate-limited', retryAfterSeconds: 1 } },
    ],
    ['was answered with an HTML page', { method: ADD, fault: { kind: 'html' } }],
  ];
  it.each(strikes)(
    'a withdrawal is included once and reported once if its broadcast %s',
    async (_what, order) => {
      const [index, before] = [next(), await nonce()];
      site.proxy.resetCounters();
      site.proxy.addFault(order);
      const { status, headers, body } = await site.service.withdraw(bodyOf(index));
      expect(status).toBe(200);
      expect(site.proxy.counters().struck).toEqual({ [order.fault.kind]: 1 });
      // A broadcast that arrives late must not change the outcome.
      if (order.fault.kind === 'arrive-late') {
        await eventually(
          'all to have arrived',
          () => site.proxy.counters().delivered[ADD] === site.proxy.counters().calls[ADD],
        );
      }
      await happenedOnce(index, before, body, headers.get('location'));
    },
  );

  it.each([
    [
      'returns an old nonce',
      { method: 'starknet_getNonce', fault: { kind: 'old-nonce' }, times: 'always' },
    ],
    [
      // The fault ends after some calls. Reason: devnet creates blocks only on request, so the
      // service would make no progress with a node that stays behind.
      'is blocks behind for a while',
      { method: '*', fault: { kind: 'stale', blocksBehind: 2 }, times: 60 },
    ],
  ] as const)('a withdrawal is included once while the node %s', async (_what, order) => {
    for (let blocks = 0; blocks < 3; blocks += 1) await site.chain.mine();
    const [index, before] = [next(), await nonce()];
    site.proxy.resetCounters();
    site.proxy.addFault(order);
    const { status, headers, body } = await site.service.withdraw(bodyOf(index));
    expect(status).toBe(200);
    expect(site.proxy.counters().struck[order.fault.kind]).toBeGreaterThan(0);
    site.proxy.clearFaults();
    const location = headers.get('location');
    // The outcome may still be unknown, because the node's head may be below the transaction's
    // block.
    const isOpen = Object(body).execution_status === 'UNKNOWN';
    const reported = isOpen ? await site.settled(location, 'succeeded') : body;
    await happenedOnce(index, before, reported, location);
  });

  it('reports a withdrawal as UNKNOWN while the broadcast fails, and reports the outcome later', async () => {
    const [index, before] = [next(), await nonce()];
    site.proxy.resetCounters();
    site.proxy.addFault({ method: ADD, fault: { kind: 'drop-before' }, times: 'always' });
    const location = await site.service.accepted(bodyOf(index));
    await site.proxyStruck('drop-before');
    const { headers, body } = await site.service.get(location);
    expect(body).toMatchObject({ execution_status: 'UNKNOWN', finality: null });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await nonce(), await paid(index)]).toEqual([before, 0n]);
    site.proxy.clearFaults();
    await happenedOnce(index, before, await site.settled(location, 'succeeded'), location);
  });

  it('rejects a withdrawal while the chain can’t be read, and accepts the withdrawal later', async () => {
    const [index, before] = [next(), await nonce()];
    site.proxy.resetCounters();
    site.proxy.addFault({
      method: 'starknet_call',
      fault: { kind: 'drop-before' },
      times: 'always',
    });
    const { status, body } = await site.service.withdraw(bodyOf(index));
    // One of the price sources is a contract on the same chain, and the service may query that
    // source first.
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ code: expect.stringMatching(/^(NODE|PRICE)_UNAVAILABLE$/) }),
    ]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    site.proxy.clearFaults();
    await site.service.ready();
    // The failed read of the prices remains cached for half a second.
    await eventually(
      'the prices',
      async () => (await site.service.get('/api/relayer/fee-estimate')).status === 200,
    );
    const later = await site.service.withdraw(bodyOf(index));
    await happenedOnce(index, before, later.body, later.headers.get('location'));
  });

  it('if the node’s chain id differs from the chain id in the network profile, the service refuses to start, and a running service becomes unready', async () => {
    site.proxy.addFault({
      method: 'starknet_chainId',
      fault: { kind: 'wrong-chain-id', chainId: '0x534e5f4d41494e' },
      times: 'always',
    });
    await eventually(
      'the service to be unready',
      async () => (await site.service.get('/health/ready')).status === 503,
    );
    expect((await site.service.get('/health/ready')).body).toMatchObject({
      checks: { node: { ok: false, code: 'WRONG_CHAIN' } },
    });
    const before = await nonce();
    await site.restart();
    expect(await site.service.ended).toEqual({ code: 1, signal: null });
    expect(site.service.output).toContain('WrongChain');
    expect(await nonce()).toBe(before);
    site.proxy.clearFaults();
    await site.restart();
    await site.service.ready();
  });
});
