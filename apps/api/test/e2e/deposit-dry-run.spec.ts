import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';
import { depositBody, secondsFromNow, type DepositBody } from './support/deposits.js';
import { commitmentsOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, pools, tokens } = sandboxWorld;
const pool = pools.sentinel_1x;
const { depositor } = accounts;
const commitments = commitmentsOf(notesOf(91n, 8));
const DRY_RUN = '/api/relayer/deposit?dryRun=true';

interface Check {
  readonly check: string;
  readonly code: string;
  readonly status: string;
  readonly detail?: string;
  readonly retryAt?: number;
}
const checksOf = ({ body }: Answer): readonly Check[] => Object(body).checks ?? [];
const notPassed = (answer: Answer): readonly string[] =>
  checksOf(answer)
    .filter(({ status }) => status !== 'passed')
    .map(({ check, status, detail }) => `${check} ${status === 'failed' ? status : detail}`);
const unsigned = ({ signature: _signature, ...body }: DepositBody): object => body;
const bodyOf = (index: number): DepositBody =>
  depositBody(pool, commitments[index] ?? 0n, depositor);
const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;

/** Returns the figures of the pool that a used ration changes. */
async function rationsOf(stack: Stack): Promise<unknown> {
  const { body } = await stack.service.get('/api/relayer/pools');
  const { deposits, depositRation } = Object(body).pools.find(
    (row: { readonly address: string }) => row.address === toFelt(pool.address),
  );
  return { deposits, left: depositRation.left };
}

describe('dry run of a deposit', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      deposit: async () => {},
      env: { DEPOSITS_PER_HOUR_PER_DEPOSITOR: '3' },
    });
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  it('a wallet asks before approval and signature, at no cost and without using a ration', async () => {
    const { service, chain } = stack;
    const before = await rationsOf(stack);
    expect(before).toEqual({ deposits: { accepting: true, nextAt: null, left: 24 }, left: 24 });
    for (let round = 0; round < 10; round += 1) {
      const answer = await service.post(DRY_RUN, unsigned(bodyOf(0)));
      expect(answer.status).toBe(200);
      expect(Object(answer.body).admissible).toBe(false);
      expect(notPassed(answer)).toEqual([
        'allowance failed',
        'signature SIGNATURE_MISSING',
        'simulation DEPOSIT_ALLOWANCE_TOO_LOW',
      ]);
    }
    const notDeployed = { ...unsigned(bodyOf(0)), depositor: '0xdead' };
    expect(notPassed(await service.post(DRY_RUN, notDeployed))).toContain(
      'depositor_deployed failed',
    );
    expect(await rationsOf(stack)).toEqual(before);
    expect(chain.inclusions()).toEqual([]);
    expect((await service.post('/api/relayer/deposit', unsigned(bodyOf(0)))).status).toBe(400);
  });

  it('accepts deposits that a dry run finds admissible, each right after the last one has SUCCEEDED', async () => {
    const { service, chain } = stack;
    await chain.approve(depositor, tokens.WBTC.address, pool.address, 3n * pool.denomination);
    const first = await service.post(DRY_RUN, bodyOf(0));
    expect([notPassed(first), Object(first.body).admissible]).toEqual([[], true]);
    const codes: unknown[] = [];
    for (const index of [0, 1, 2])
      codes.push(codeOf(await service.post('/api/relayer/deposit', bodyOf(index))));
    expect(codes).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(chain.inclusions()).toHaveLength(3);
  });

  it('a dry run and a rejected deposit state the time at which the depositor may deposit again', async () => {
    const { service } = stack;
    const report = await service.post(DRY_RUN, unsigned(bodyOf(3)));
    const [ration] = checksOf(report).filter(({ check }) => check === 'ration');
    expect(ration).toMatchObject({
      code: 'DEPOSITS_RATIONED',
      status: 'failed',
      details: { scope: 'depositor' },
      retry: 'same',
    });
    const rejected = await service.post('/api/relayer/deposit', bodyOf(3));
    expect(rejected).toMatchObject({ status: 429, body: { code: 'DEPOSITS_RATIONED' } });
    const seconds = Number(rejected.headers.get('retry-after'));
    for (const retryAt of [Object(rejected.body).retryAt, ration?.retryAt])
      expect(Math.abs(retryAt - secondsFromNow(seconds))).toBeLessThanOrEqual(2);
    expect(
      await service.get(`/api/relayer/pool-status?pool=${toFelt(pool.address)}`),
    ).toMatchObject({ body: { deposits: { accepting: true, nextAt: null, left: 21 } } });
  });
});

/** Index of the genesis's first additional account. */
const FIRST_EXTRA = 4;
const NETWORKS = 40;
const PER_NETWORK = 10;
/** Limit in ms of an account's check of a signature. */
const CALL_MS = 3_000;
/** Delay in ms that exceeds the timeout of an account's check of a signature. */
const SLOW_MS = 60_000;
const slowAccounts: readonly SandboxAccount[] = Array.from({ length: 20 }, (_, index) =>
  extraLane(FIRST_EXTRA + index),
);

describe('dry runs of strangers', () => {
  let stack: Stack;
  let node: FaultProxy;
  beforeAll(async () => {
    stack = await Stack.start({
      genesis: { extraLanes: slowAccounts.length },
      env: async ({ rpcUrl: target }) => {
        node = await startFaultProxy({ target });
        return { STARKNET_RPC_URLS: `node=${node.url}`, TRUST_PROXY: '1' };
      },
      deposit: async (chain) => {
        await chain.approve(depositor, tokens.WBTC.address, pool.address, pool.denomination);
        for (const { address } of slowAccounts)
          chain.control.mint(address, pool.denomination, tokens.WBTC.address);
        chain.control.mine();
      },
    });
    await stack.service.ready();
    for (const { address } of slowAccounts)
      node.addFault({
        method: 'starknet_call',
        naming: [toFelt(address), selectorOf('is_valid_signature')],
        fault: { kind: 'answer-late', delayMs: SLOW_MS },
        times: 'always',
      });
  });
  afterAll(async () => {
    await stack.stop();
    await node.stop();
  });

  it('T10 400 dry runs from 40 networks delay no honest depositor, and change no ration', async () => {
    const { service, chain } = stack;
    const before = await rationsOf(stack);
    const started = Date.now();
    const sample = depositBody(pool, 1n, depositor, { expiresAt: secondsFromNow(3_000) });
    const attack = Promise.all(
      Array.from({ length: NETWORKS * PER_NETWORK }, async (_, index) => {
        const slow = slowAccounts[Math.floor(index / 2) % slowAccounts.length];
        const isSlow = index % 2 === 0;
        const address = isSlow ? toFelt(slow?.address ?? 0n) : toFelt(0xdead0000n + BigInt(index));
        const body = {
          ...sample,
          depositor: address,
          commitment: `0x${(1_000 + index).toString(16)}`,
        };
        const from = `203.0.${index % NETWORKS}.${1 + (Math.floor(index / NETWORKS) % 4)}`;
        return service.post(DRY_RUN, body, { 'x-forwarded-for': from });
      }),
    );
    const honest = { 'x-forwarded-for': '198.51.100.9' };
    const asked = await service.post(DRY_RUN, unsigned(bodyOf(4)), honest);
    expect(notPassed(asked)).toEqual(['signature SIGNATURE_MISSING']);
    const paid = await service.post('/api/relayer/deposit', bodyOf(4), honest);
    const paidMs = Date.now() - started;
    expect(codeOf(paid)).toBe('SUCCEEDED');
    const answers = await attack;
    const attackMs = Date.now() - started;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const signatures = answers.map((answer) =>
      notPassed(answer).find((text) => text.startsWith('signature')),
    );
    // At most two accounts of strangers are called at a time, for at most three seconds each.
    const called = signatures.filter((text) => text === 'signature failed').length;
    expect(called).toBeLessThanOrEqual(2 * Math.ceil(attackMs / CALL_MS));
    const others = signatures.filter((text) => text === 'signature OVERLOADED').length;
    expect(called + others).toBe((NETWORKS * PER_NETWORK) / 2);
    // The honest depositor waits for none of these calls.
    expect(paidMs).toBeLessThan(attackMs);
    expect(before).toMatchObject({ left: 24 });
    await eventually(
      'the honest deposit to use one ration',
      async () => Object(await rationsOf(stack)).left === 23,
    );
    expect(chain.inclusions()).toHaveLength(1);
  });
});
