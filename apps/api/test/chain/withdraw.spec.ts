import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { depositBody } from '../e2e/support/deposits.js';
import { notesOf, withdrawalOf } from '../e2e/support/notes.js';
import { trapdoorKey } from '@sotto/load-kit';
import { leaves, vector } from '../e2e/support/withdrawals.js';
import { IN_A_BLOCK } from '../support/finality.js';
import { describeOnChain } from './support/describe-on-chain.js';
import { FEE_ADDRESS, Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'sentinel_1x';

describeOnChain('a proven withdrawal', (node) => {
  const feeSats = BigInt(vector.feeSats);
  const recipient = BigInt(vector.recipient);
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start, { deposits: { [POOL]: leaves } });
  });
  afterAll(() => site.stop());

  const pool = () => site.chain.world.pools[POOL];
  const lane = () => site.chain.world.accounts.lane1.address;
  const withdraw = () => site.service.withdraw(bodyFor(pool(), vector.calldata));
  const nonce = () => site.chain.client.nonceOf(lane());
  const strk = () => site.chain.client.balanceOf(site.chain.world.tokens.STRK.address, lane());
  const funds = () =>
    Promise.all([recipient, FEE_ADDRESS, pool().address].map((owner) => site.chain.wbtcOf(owner)));
  const status = async () =>
    (
      await site.client.GET('/api/relayer/pool-status', {
        params: { query: { pool: toFelt(pool().address) } },
      })
    ).data;

  it('a withdrawal pays recipient and relayer, spends the note and reduces the pool by one deposit', async () => {
    const before = { strk: await strk(), nonce: await nonce() };
    expect(await funds()).toEqual([0n, 0n, 140_000n]);
    expect(await status()).toMatchObject({
      undeployedCount: 1,
      activeDeposits: 6,
      totalDeposits: 7,
      totalAssets: '140000',
    });
    const { status: http, headers, body } = await withdraw();
    expect([http, body]).toEqual([
      200,
      {
        transaction_hash: expect.stringMatching(/^0x[\da-f]{50,64}$/),
        execution_status: 'SUCCEEDED',
        revert_reason: null,
      },
    ]);
    expect(await site.settled(headers.get('location'), 'succeeded')).toMatchObject({
      finality: IN_A_BLOCK,
      attempt: 1,
    });

    expect(await funds()).toEqual([pool().denomination - feeSats, feeSats, 120_000n]);
    expect(await site.chain.isSpent(POOL, BigInt(vector.note.nullifierHash))).toBe(true);
    const moved = await eventually('the API to return the pool’s new state', async () => {
      const state = await status();
      return state?.activeDeposits === 5 && state;
    });
    expect(moved).toMatchObject({
      undeployedCount: 1,
      totalDeposits: 7,
      totalAssets: '120000',
      nextIndex: 7,
    });

    const receipt = await site.chain.client.receiptOf(String(Object(body).transaction_hash));
    expect(receipt.execution_status).toBe('SUCCEEDED');
    expect({ strk: await strk(), nonce: await nonce() }).toEqual({
      strk: before.strk - receipt.actual_fee.amount,
      nonce: before.nonce + 1n,
    });
  });

  it('S5: a recipient receives a payment through relayed steps without sending a transaction', async () => {
    const { accounts, pools, chainId } = site.chain.world;
    const other = pools.sentinel_2x;
    const { crowd1: depositor, recipient1 } = accounts;
    const wallet = notesOf(41n, 3);
    const deposit = (commitment: bigint, by = depositor) =>
      site.service.post(
        '/api/relayer/deposit',
        depositBody(other, commitment, by, { chain: chainId }),
      );
    const forged = { ...depositor, privateKey: recipient1.privateKey };
    expect(await deposit(wallet[0]?.commitment ?? 0n, forged)).toMatchObject({
      status: 422,
      body: { code: 'DEPOSIT_SIGNATURE_INVALID' },
    });
    const left: unknown[] = [];
    for (const { commitment } of wallet) {
      const { status: http, body } = await deposit(commitment);
      const { execution_status: execution, leafIndex, batch } = Object(body);
      left.push([http, execution, leafIndex, batch]);
    }
    expect(left).toEqual([
      [200, 'SUCCEEDED', 0, null],
      [200, 'SUCCEEDED', 1, null],
      [200, 'SUCCEEDED', 2, { id: 0, start: 0, size: 3 }],
    ]);
    const calldata = await withdrawalOf({
      notes: wallet,
      index: 1,
      fee: 1_000n,
      recipient: recipient1.address,
    });
    const before = await site.chain.wbtcOf(recipient1.address);
    const paid = await site.service.withdraw(bodyFor(other, calldata));
    expect(paid).toMatchObject({ status: 200, body: { execution_status: 'SUCCEEDED' } });
    await site.settled(paid.headers.get('location'), 'succeeded');
    expect((await site.chain.wbtcOf(recipient1.address)) - before).toBe(
      other.denomination - 1_000n,
    );
    const senders = await site.chain.client.senders();
    expect([senders.has(lane()), senders.has(recipient1.address)]).toEqual([true, false]);
  });

  it('answers a repeated withdrawal request with the first request’s result, and sends no transaction', async () => {
    const before = await nonce();
    expect((await withdraw()).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(await nonce()).toBe(before);
  });

  it('a service with a new ledger answers a replayed withdrawal request with the payment on chain', async () => {
    const { body: first } = await withdraw();
    await site.restart({ DATABASE_PATH: `${site.folder}/another.sqlite`, INSTANCE_ID: 'another' });
    await site.service.ready();
    site.proxy.resetCounters();
    const before = await nonce();
    const { status: http, body } = await withdraw();
    // The service finds the transaction by the pool's event, although the new ledger does not
    // contain the transaction. The transaction's sender is the service's account.
    expect([http, body]).toEqual([200, first]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    expect(await nonce()).toBe(before);
  });
});

describeOnChain('the outcome of a withdrawal', (node) => {
  const deposits = anyLeaves(6);
  const withdrawals = new ForgedWithdrawals(deposits, 400n);
  let site: Site;
  beforeAll(async () => {
    // The settings prevent that the service sends a transaction a second time. If a withdrawal is
    // sent again after its note was spent, the service replaces the withdrawal by a no-op.
    const env = { MAX_IN_FLIGHT_PER_LANE: '1', RESEND_AFTER_MS: '60000' };
    site = await Site.start(node.start, {
      deposits: { [POOL]: deposits },
      lanes: 2,
      verificationKey: trapdoorKey,
      env,
    });
  });
  afterAll(() => site.stop());

  const pool = () => site.chain.world.pools[POOL];
  const lanes = () => [site.chain.world.accounts.lane1, site.chain.world.accounts.lane2];
  const bodyOf = (index: number) => bodyFor(pool(), withdrawals.calldata(index));
  const withdraw = async (index: number): Promise<Answer> => site.service.withdraw(bodyOf(index));
  const nonces = () =>
    Promise.all(lanes().map(({ address }) => site.chain.client.nonceOf(address)));

  it('rejects a withdrawal before it is sent if another relayer has spent the note', async () => {
    const spend = await site.chain.relayByAnother(pool().address, withdrawals.calldata(0));
    // Wait for the accepted block, because the service reads only accepted blocks.
    await site.chain.client.accepted(spend);
    const before = await nonces();
    const { status, body } = await withdraw(0);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'NULLIFIER_SPENT' })]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    expect([await nonces(), site.ledger().transactions]).toEqual([before, []]);
  });

  it('reports a withdrawal as REVERTED with the contract’s reason if another relayer spends the note before inclusion', async () => {
    const before = await nonces();
    site.proxy.addFault({ method: ADD, fault: { kind: 'arrive-late', delayMs: 4_000 } });
    const requested = withdraw(1);
    await site.proxyStruck('arrive-late', requested);
    await site.chain.relayByAnother(pool().address, withdrawals.calldata(1));
    const { status, headers, body } = await requested;
    expect([status, body]).toEqual([
      200,
      {
        transaction_hash: expect.any(String),
        execution_status: 'REVERTED',
        revert_reason: expect.stringContaining('already withdrawn'),
      },
    ]);
    expect(await site.settled(headers.get('location'), 'reverted')).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('already withdrawn'),
      finality: IN_A_BLOCK,
    });
    expect(await site.chain.client.receiptOf(String(Object(body).transaction_hash))).toMatchObject({
      execution_status: 'REVERTED',
    });
    // The lane used exactly one nonce, so it paid for one transaction.
    expect(sum(await nonces())).toBe(sum(before) + 1n);
  });

  it('two withdrawals succeed from two lanes in one block', async () => {
    const before = await nonces();
    await site.chain.hold();
    const locations = await Promise.all(
      [2, 3].map((index) => site.service.accepted(bodyOf(index))),
    );
    const hashes = await Promise.all(
      locations.map((location) =>
        eventually('the transaction to be sent', async () => {
          const { transaction_hash: hash } = Object((await site.service.get(location)).body);
          return site.proxy.counters().takenTransactions[hash] === 1 && String(hash);
        }),
      ),
    );
    await site.chain.mine();
    await site.chain.release();
    for (const location of locations) await site.settled(location, 'succeeded');

    const receipts = await Promise.all(hashes.map((hash) => site.chain.client.accepted(hash)));
    expect(new Set(receipts.map(({ block_number: block }) => block)).size).toBe(1);
    expect(receipts.map(({ execution_status: execution }) => execution)).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
    ]);
    expect(await nonces()).toEqual(before.map((nonce) => nonce + 1n));
    for (const index of [2, 3]) {
      expect(await site.chain.wbtcOf(withdrawals.recipientOf(index))).toBe(
        pool().denomination - withdrawals.feeSats,
      );
    }
  });

  (node.capabilities.mempool ? describe : describe.skip)('a withdrawal in the mempool', () => {
    it('a withdrawal is UNKNOWN until its outcome is known', async () => {
      await site.chain.hold();
      await site.restart({ WAIT_FOR_CONFIRMATION_MS: '300' });
      await site.service.ready();
      const { status, headers, body } = await withdraw(4);
      expect([status, body]).toEqual([
        200,
        { transaction_hash: expect.any(String), execution_status: 'UNKNOWN', revert_reason: null },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      await site.chain.release();
      expect(await site.settled(headers.get('location'), 'succeeded')).toMatchObject({
        execution_status: 'SUCCEEDED',
      });
    });
  });
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
