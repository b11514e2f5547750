import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

const POOL = 'sentinel_1x';
const leaves = anyLeaves(15);
const withdrawals = new ForgedWithdrawals(leaves, 400n);
/**
 * Settings with poll intervals of 60 s, so that no timed poll happens while a request of the test
 * waits.
 */
const NO_POLL_BY_TIME = {
  POLL_INTERVAL_MS: '60000',
  IDLE_INTERVAL_MS: '60000',
  RESEND_AFTER_MS: '600000',
  ATTENTION_AFTER_MS: '700000',
  WAIT_FOR_CONFIRMATION_MS: '25000',
};
/**
 * Time in milliseconds after a broadcast. By then, the additional polls that follow each broadcast
 * have ended.
 */
const POLLS_AFTER_SEND_MS = 1_000;

describeOnChain('a node that pushes', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start, {
      deposits: { [POOL]: leaves },
      verificationKey: trapdoorKey,
      env: (chain) => ({
        ...NO_POLL_BY_TIME,
        ANSWER_AT: 'accepted_on_l2',
        STARKNET_WS_URL: new URL('/ws', chain.client.rpcUrl.replace('http', 'ws')).href,
      }),
    });
  });
  afterAll(() => site.stop());

  it('a push message of the node ends a caller’s wait for a withdrawal before the next timed poll', async () => {
    await site.chain.hold();
    const body = bodyFor(site.chain.world.pools[POOL], withdrawals.calldata(0));
    const answer = site.service.withdraw(body);
    await eventually(
      'the call to be sent',
      () => Object.keys(site.proxy.counters().takenTransactions).length === 1,
    );
    await sleep(POLLS_AFTER_SEND_MS);
    await site.chain.mine();
    expect((await answer).body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });
});
