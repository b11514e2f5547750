import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually, keyed, type Answer } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import {
  ExampleReceiver,
  RECEIVER_CERT,
} from '../../../../packages/adapters/http/test/webhooks/support/example-receiver.js';
import { startDomains, TOKENS } from './support/domains.js';
import { copyLedger, restoreLedger } from './support/ledger-copies.js';
import { anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { sotto } from './support/operator.js';
import { Stack } from './support/stack.js';

const { accounts, tokens, vaults } = sandboxWorld;
const ADD = 'starknet_addInvokeTransaction';
/** Lag of the node until the test ends the lag, in ms. Also the advance of the chain's clock. */
const FOR_EVER_MS = 3_600_000;
const SOON_MS = 120_000;
const OPERATOR = 'operator-token-of-the-tests-0123456789';
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/**
 * Settings for a short recovery: after the mempool lifetime of 1 s, every nonce of the small nonce
 * window is used.
 */
const SHORT_RECOVERY = {
  NONCE_WINDOW: '3',
  MAX_IN_FLIGHT_PER_LANE: '2',
  MEMPOOL_LIFETIME_MS: '1000',
  WAIT_FOR_CONFIRMATION_MS: '1000',
  OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR }),
  RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
};

type Body = Readonly<Record<string, unknown>>;

let stack: Stack;
let receiver: ExampleReceiver | undefined;
afterEach(async () => {
  await stack.stop();
  await receiver?.stop();
  receiver = undefined;
});

const submission = async (path: string): Promise<Body> =>
  Object((await stack.service.get(path)).body);
const succeeded = async (path: string): Promise<boolean> =>
  (await submission(path))['state'] === 'succeeded';
const operatorStatus = async (): Promise<Body> => {
  const headers = { Authorization: `Bearer ${OPERATOR}` };
  return Object((await stack.service.get('/api/operator/status', headers)).body);
};
/** Returns the reasons in the operator status for which the service sends nothing. */
const reasons = async (): Promise<string> =>
  JSON.stringify(Object(Object(await operatorStatus()).verdict).reasons);
/** Mines block by block until the condition holds. */
const mineUntil = <T>(what: string, poll: () => Promise<T | false>): Promise<T> =>
  eventually(
    what,
    async () => {
      stack.chain.control.mine();
      return poll();
    },
    SOON_MS,
  );
const isReady = async (): Promise<boolean> =>
  (await stack.service.get('/health/ready')).status === 200;
const mineUntilReady = (): Promise<boolean> => mineUntil('the service to be ready', isReady);
const sent = (account = accounts.lane1): Promise<bigint> =>
  eventually('a transaction to wait', () => stack.chain.waiting(account)[0], SOON_MS);
const heads = (): number => stack.chain.control.counters().calls['starknet_chainId'] ?? 0;
/** Waits until the service has polled the chain 12 more times. */
const polls = (): Promise<boolean> => {
  const until = heads() + 12;
  return eventually('the service to poll', () => heads() >= until, SOON_MS);
};
/**
 * Expects that the service reports no stolen key: transactions from another copy of the same ledger
 * are not foreign transactions.
 */
const noForeignAlarm = async (): Promise<void> => {
  expect(await operatorStatus()).toMatchObject({ alarms: { foreignTransactions: 0 } });
  expect(stack.service.output).not.toContain('something else signs with its key');
};

describe('a ledger whose node reports times in the future', () => {
  it('the service is not ready and sends nothing while the node’s block times are in the future', async () => {
    stack = await Stack.start({
      cadence: 'manual',
      blocksOnDemand: false,
      verificationKey: trapdoorKey,
      env: SHORT_RECOVERY,
    });
    const { control } = stack.chain;
    fillPool(stack.chain);
    control.moveClock(FOR_EVER_MS);
    control.mine();
    await eventually(
      'the future to be noticed',
      async () => (await reasons()).includes('HEAD_IN_FUTURE'),
      SOON_MS,
    );
    const path = await stack.service.accepted(anyWithdrawal(0));
    await polls();
    expect(await isReady()).toBe(false);
    expect(stack.chain.waiting()).toEqual([]);
    control.moveClock(-FOR_EVER_MS);
    control.rollback(1);
    await mineUntilReady();
    await mineUntil('the withdrawal to succeed', () => succeeded(path));
    expect(await timesPaid(stack.chain, 0)).toBe(1);
  });
});

describe('a restored copy of the ledger', () => {
  it('T4: a service with a restored ledger repeats no vault deployment, even if the node lags', async () => {
    const DEPLOYED = 1_250_000n;
    const ARRIVED = 2_000_000n;
    stack = await startDomains({ cadence: 'manual', blocksOnDemand: false }, SHORT_RECOVERY);
    const { control } = stack.chain;
    const leaveIdle = (vault: { readonly address: bigint }): void =>
      control.mint(vault.address, DEPLOYED, tokens.WBTC.address);
    const deploy = (vaultId: string): Promise<Answer> =>
      stack.service.post(
        '/api/curator',
        { vaultId },
        { authorization: `Bearer ${TOKENS.first}`, prefer: 'respond-async' },
      );
    leaveIdle(vaults.sentinel);
    leaveIdle(vaults.apex);
    control.mint(accounts.crowd1.address, ARRIVED, tokens.WBTC.address);
    await mineUntilReady();
    const copy = await copyLedger(stack, 'snapshot');
    const before = control.mine();

    const deployed = deploy('sentinel');
    await sent(accounts.curator);
    control.mine();
    expect((await deployed).body).toMatchObject({ status: 'deployed' });
    // The vault has enough funds for a second deployment. A second deployment would therefore
    // succeed, but it would be an error.
    await stack.chain.act(accounts.crowd1, { to: tokens.WBTC.address, entrypoint: 'transfer' }, [
      vaults.sentinel.address,
      ARRIVED,
      0n,
    ]);
    const nowInStrategy = await stack.chain.wbtcOf(vaults.sentinel.strategy);

    await restoreLedger(stack, copy);
    control.lag(FOR_EVER_MS, control.mine() - before);
    await stack.restart();
    const meanwhile = await eventually('the ledger to be judged, or not', async () => {
      const found = await reasons();
      return (found.includes('NO_YOUNG_HEAD') || (await isReady())) && found;
    });
    // The first deployment would use the consumed nonce.
    const answers = [await deploy('apex'), await deploy('sentinel')];
    control.endLag();
    control.mine();
    expect(await stack.chain.wbtcOf(vaults.sentinel.strategy)).toBe(nowInStrategy);
    expect(answers.map(({ status }) => status)).not.toContain(200);
    expect(meanwhile).toContain('NO_YOUNG_HEAD');
    await mineUntilReady();
    // Requests that arrived while the node lagged are decided before this point.
    await mineUntil(
      'the other deployment to be paid',
      async () => (await stack.chain.wbtcOf(vaults.apex.strategy)) > 0n,
    );
    await polls();
    control.mine();
    expect(await stack.chain.wbtcOf(vaults.sentinel.strategy)).toBe(nowInStrategy);
    await noForeignAlarm();
  });

  it('T4: a service with a restored ledger pays no note twice while another lane’s transaction is in the mempool', async () => {
    stack = await Stack.start({
      cadence: 'manual',
      blocksOnDemand: false,
      // In this chain, the pool's contract pays the same note twice, so the test would detect a
      // second inclusion.
      genesis: { enforceNullifier: false },
      verificationKey: trapdoorKey,
      env: {
        ...SHORT_RECOVERY,
        RELAY_ACCOUNTS: JSON.stringify([accounts.lane1, accounts.lane2].map(keyed)),
      },
    });
    const { control } = stack.chain;
    const richest = (lane: { readonly address: bigint }, times: bigint): void =>
      control.mint(lane.address, times * 10n ** 26n);
    fillPool(stack.chain);
    await mineUntilReady();
    const copy = await copyLedger(stack, 'backup');
    richest(accounts.lane2, 1n);
    await polls();
    await stack.service.accepted(anyWithdrawal(0));
    const hash = await sent(accounts.lane2);

    await restoreLedger(stack, copy);
    richest(accounts.lane1, 2n);
    await stack.restart();
    const meanwhile = await eventually('the ledger to be judged, or not', async () => {
      // The new blocks do not include the waiting transaction.
      control.advance('accepted_on_l2');
      const found = await reasons();
      return (found.includes('MAY_BE_COPY') || (await isReady())) && found;
    });
    const repeated = await stack.service
      .withdraw(anyWithdrawal(0), { headers: { prefer: 'respond-async' } })
      .catch(() => undefined);
    if (repeated?.status === 202)
      await eventually(
        'the repeated call to be sent',
        () => stack.chain.waiting().length > 0,
        5_000,
      );
    await mineUntil('the ledger to be up to its chain', isReady);
    expect(await timesPaid(stack.chain, 0)).toBe(1);
    expect(meanwhile).toContain('MAY_BE_COPY');
    const again = await mineUntil('the outcome to be known', async () => {
      const { body } = await stack.service.withdraw(anyWithdrawal(0));
      return Object(body).execution_status === 'SUCCEEDED' && Object(body);
    });
    expect(again).toMatchObject({ transaction_hash: toFelt(hash) });
    await noForeignAlarm();
  });

  it('T5: a service with a restored ledger reports payments from the lost ledger as succeeded', async () => {
    receiver = await ExampleReceiver.start([WEBHOOK_SECRET], { tls: true });
    const shop = {
      url: `https://localhost:${receiver.port}/`,
      secrets: [WEBHOOK_SECRET],
      events: 'submissions',
    };
    stack = await Stack.start({
      cadence: 'manual',
      blocksOnDemand: false,
      genesis: { enforceNullifier: false },
      verificationKey: trapdoorKey,
      env: {
        ...SHORT_RECOVERY,
        MAX_IN_FLIGHT_PER_LANE: '1',
        WEBHOOK_ENDPOINTS: JSON.stringify({ shop }),
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: RECEIVER_CERT,
      },
    });
    const { control } = stack.chain;
    fillPool(stack.chain);
    await mineUntilReady();
    const headers = { prefer: 'respond-async', 'sotto-notify': 'shop' };
    const request = async (note: number): Promise<string> =>
      (await stack.service.withdraw(anyWithdrawal(note), { headers })).headers.get('location') ??
      '';

    control.addFault({ method: ADD, fault: { kind: 'refuse', code: 58 } });
    const refused = await request(3);
    await eventually(
      'the submission to be rejected',
      async () => (await submission(refused))['state'] === 'refused',
    );
    await request(0);
    await sent();
    const waiting = [await request(1), await request(2)];
    const copy = await copyLedger(stack, 'files');
    const before = control.mine() - 1;
    const retried = await request(3);
    for (const path of [...waiting, retried])
      await mineUntil(`${path} to succeed`, () => succeeded(path));

    await restoreLedger(stack, copy);
    control.lag(FOR_EVER_MS, control.mine() - before);
    const shortQueue = { QUEUE_TIMEOUT_MS: '1000' };
    await expect(stack.restart(shortQueue)).rejects.toThrow('LEDGER_INCOMPLETE');
    await sotto(['accept-loss', '--store', stack.databaseFile], stack.environment);
    await stack.restart(shortQueue);
    await systemClock.sleep(2_000);
    for (const path of waiting) expect(await submission(path)).toMatchObject({ state: 'accepted' });
    control.endLag();
    await mineUntilReady();
    const notes = new Map([
      [1, waiting[0]],
      [2, waiting[1]],
      [3, refused],
    ]);
    for (const [note, path = ''] of notes) {
      await mineUntil(`${path} to succeed`, () => succeeded(path));
      const repeated = await stack.service.withdraw(anyWithdrawal(note));
      expect(await submission(path)).toMatchObject({
        attempt: 1,
        execution_status: 'SUCCEEDED',
        transaction_hash: Object(repeated.body).transaction_hash,
      });
      expect(repeated.headers.get('location')).toBe(path);
      expect(await timesPaid(stack.chain, note)).toBe(1);
      const received = (receiver?.events ?? []).map(Object).filter(({ id }) => path.endsWith(id));
      expect(received.map(({ state }) => state)).not.toContain('expired');
    }
    await noForeignAlarm();
  });
});
