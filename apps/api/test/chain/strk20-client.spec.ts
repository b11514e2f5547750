import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import { findStrk20Dump } from '@sotto/deployment/testing';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { OfficialClient, findStrk20Client, type ClientOptions } from './support/strk20-client.js';
import { ONE, RELAYER, SPONSOR_KEY, Strk20Site } from './support/strk20-site.js';

const isGiven =
  process.env['SOTTO_TEST_NODE'] === 'devnet' &&
  findDevnet() !== undefined &&
  findStrk20Dump() !== undefined &&
  findStrk20Client() !== undefined;
const RECIPIENT = 0x4ec1n;
const POOL_FEE = ONE / 2n;
const NOTE = 50n * ONE;

(isGiven ? describe : describe.skip)('the official client on the real pool, on devnet', () => {
  let site: Strk20Site;
  let governor: bigint;
  beforeAll(async () => {
    site = await Strk20Site.start();
    const { devnet } = site;
    governor = devnet.governor.address;
    await devnet.approve(devnet.userAccount, NOTE + ONE);
    const deposit = await devnet.user.deposit([NOTE], [{ to: RELAYER, amount: ONE }]);
    const { body } = await site.send(site.request(deposit));
    if (Object(body).execution_status !== 'SUCCEEDED') throw new Error('the deposit failed');
  });
  afterAll(() => site.stop());

  /** Sends the client's last request again, as after a lost connection. */
  const repeated = async ({ exchanges }: OfficialClient): Promise<unknown> => {
    const request: unknown = JSON.parse(exchanges.at(-1)?.body ?? '');
    const headers = { 'x-paymaster-api-key': SPONSOR_KEY };
    return (await site.stack.service.post('/paymaster', request, headers)).body;
  };

  it('the built fee of a free pool is one smallest unit, because the client pays no fee of zero', async () => {
    const client = await OfficialClient.load(site);
    const { feeAction } = await client.paymaster.buildTransaction(actionOf(site));
    expect(feeAction).toMatchObject({ recipient: toFelt(RELAYER), amount: '0x1' });
    const paid = await site.balance(RECIPIENT);
    await client.wallet.strk20InvokeTransaction([client.withdrawal(RECIPIENT, ONE)]);
    expect((await site.balance(RECIPIENT)) - paid).toBe(ONE);
  });

  it('a withdrawal pays the fee of the pool, and its sponsor pays the gas', async () => {
    await site.devnet.change({ feeFri: POOL_FEE });
    const client = await OfficialClient.load(site);
    const { paymaster } = client;
    const amount = await eventually('the built fee to be the fee of the pool', async () => {
      const { feeAction } = await paymaster.buildTransaction(actionOf(site));
      const built = BigInt(String(feeAction['amount']));
      return built > POOL_FEE && built;
    });
    const earned = await site.balance(RELAYER);
    const collected = await site.balance(governor);
    const paid = await site.balance(RECIPIENT);
    const nonce = await site.nonce();

    const { transaction_hash: hash } = await client.wallet.strk20InvokeTransaction([
      client.withdrawal(RECIPIENT, 2n * ONE),
    ]);
    expect(await site.chain.receiptOf(hash)).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect((await site.balance(RELAYER)) - earned).toBe(amount);
    expect((await site.balance(governor)) - collected).toBe(POOL_FEE);
    expect((await site.balance(RECIPIENT)) - paid).toBe(2n * ONE);
    expect(await site.nonce()).toBe(nonce + 1n);

    const again = await repeated(client);
    expect(again).toEqual(client.exchanges.at(-1)?.response);
    expect(await site.nonce()).toBe(nonce + 1n);

    const { tracking_id } = Object(again).result;
    await eventually('the transaction to be accepted', async () => {
      const answer = await site.call('paymaster_trackingIdToLatestHash', { tracking_id });
      expect(Object(answer).result.transaction_hash).toBe(hash);
      return Object(answer).result.status === 'accepted';
    });
  });

  it('a deposit is approved and sent in one transaction, which the user does not pay', async () => {
    const client = await OfficialClient.load(site);
    const { devnet } = site;
    const deposited = await site.balance(devnet.userAccount.address);
    const pool = await site.balance(devnet.pool);
    const earned = await site.balance(RELAYER);
    const nonce = await site.nonce();
    const userNonce = await site.chain.nonceOf(devnet.userAccount.address);

    const { transaction_hash: hash } = await client.wallet.strk20InvokeTransaction([
      client.deposit(7n * ONE),
    ]);
    expect(await site.chain.receiptOf(hash)).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(deposited - (await site.balance(devnet.userAccount.address))).toBe(7n * ONE);
    const fee = (await site.balance(RELAYER)) - earned;
    expect((await site.balance(devnet.pool)) - pool).toBe(7n * ONE - fee);
    expect(await site.chain.nonceOf(devnet.userAccount.address)).toBe(userNonce);
    expect(await site.nonce()).toBe(nonce + 1n);
    expect(await repeated(client)).toEqual(client.exchanges.at(-1)?.response);
    expect(await site.nonce()).toBe(nonce + 1n);
  });

  it('a deposit whose approval another key has signed costs no gas', async () => {
    const nonce = await site.nonce();
    const client = await OfficialClient.load(site, { userKey: 5n });
    await expect(client.wallet.strk20InvokeTransaction([client.deposit(7n * ONE)])).rejects.toThrow(
      'SRC9: invalid signature',
    );
    expect(await site.nonce()).toBe(nonce);
  });

  it.each<readonly [string, ClientOptions, string]>([
    [
      'a call for a newer class of the pool',
      { keepsScreening: true },
      'TRANSACTION_EXECUTION_ERROR) (code: 156): POOL_VERSION_MISMATCH: ',
    ],
    ['no key of a sponsor', { apiKey: '' }, 'UNKNOWN_ERROR) (code: 163): SPONSOR_UNKNOWN: '],
    ['a wrong key', { apiKey: 'wrong' }, 'UNKNOWN_ERROR) (code: 163): SPONSOR_UNKNOWN: '],
    [
      'a tip that is not served',
      { tip: 'high' },
      'Invalid params (code: -32602): INVALID_REQUEST: ',
    ],
  ])('the client’s error names the reason for %s', async (_what, options, reason) => {
    const nonce = await site.nonce();
    const client = await OfficialClient.load(site, options);
    await expect(
      client.wallet.strk20InvokeTransaction([client.withdrawal(RECIPIENT, ONE)]),
    ).rejects.toThrow(reason);
    expect(await site.nonce()).toBe(nonce);
  });
});

/** Returns a transaction of private actions alone, in the client's format. */
function actionOf({ devnet }: Strk20Site): object {
  return { kind: 'applyAction', poolAddress: toFelt(devnet.pool) };
}
