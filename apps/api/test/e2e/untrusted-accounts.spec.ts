import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { type Answer } from '@sotto/process-kit';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';
import { depositBody, secondsFromNow } from './support/deposits.js';
import { anyWithdrawal, fillPool } from './support/load.js';
import { commitmentsOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, pools, tokens } = sandboxWorld;
const honestPool = pools.sentinel_1x;
const attackedPool = pools.sentinel_2x;
const IS_VALID = selectorOf('is_valid_signature');
const HONEST = { 'x-forwarded-for': '198.51.100.9' };
const OWNER = { 'x-forwarded-for': '198.51.100.77' };
const [ownCommitment = 0n] = commitmentsOf(notesOf(82n, 1));
const strangersCommitments = commitmentsOf(notesOf(83n, 40));
/** Index of the genesis's first additional account. */
const FIRST_EXTRA = 4;
/** Delay in ms that exceeds the timeout of a node read. */
const SLOW_MS = 60_000;
const READ_TIMEOUT_MS = 30_000;
const WAVES = 4;

const strangers: readonly SandboxAccount[] = Array.from({ length: 40 }, (_, index) =>
  extraLane(FIRST_EXTRA + index),
);
const withdrawals = Array.from({ length: 10 * WAVES }, (_, index) => anyWithdrawal(index));
/**
 * All forged deposits use one signature, because signing blocks the process that simulates the
 * chain.
 */
const [stranger = accounts.crowd1] = strangers;
const sample = depositBody(attackedPool, 1n, stranger, { expiresAt: secondsFromNow(3_000) });
const forged = strangers.map(({ address }, index) => ({
  ...sample,
  depositor: toFelt(address),
  commitment: `0x${(strangersCommitments[index] ?? 0n).toString(16)}`,
}));
/** Returns the header with a caller's address. The 40 addresses are in 20 networks, two in each. */
const strangerAt = (index: number): Readonly<Record<string, string>> => ({
  'x-forwarded-for': `203.0.${Math.floor(index / 2)}.${1 + (index % 2)}`,
});
const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;

describe.each([1, 2])('accounts of strangers, over %i node(s)', (count) => {
  let stack: Stack;
  let nodes: readonly FaultProxy[] = [];
  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.map(async (node) => node.stop()));
  });

  async function start(): Promise<void> {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      genesis: { extraLanes: strangers.length },
      env: async ({ rpcUrl: target }) => {
        nodes = await Promise.all(
          Array.from({ length: count }, async () => startFaultProxy({ target })),
        );
        return {
          STARKNET_RPC_URLS: nodes.map(({ url }, index) => `node${index}=${url}`).join(','),
          TRUST_PROXY: '1',
          NODE_TIMEOUT_MS: String(READ_TIMEOUT_MS),
          BREAKER_UPSTREAM_FAILURES: '2',
        };
      },
      deposit: async (chain) => {
        await chain.deposit();
        fillPool(chain);
        const { address, denomination } = honestPool;
        await chain.approve(accounts.depositor, tokens.WBTC.address, address, denomination);
        for (const { address: owner } of strangers) {
          chain.control.mint(owner, attackedPool.denomination, tokens.WBTC.address);
          const key = `allowance:${owner.toString(16)}:${attackedPool.address.toString(16)}`;
          chain.control.setStorage(tokens.WBTC.address, key, attackedPool.denomination);
        }
        chain.control.mine();
      },
    });
    await stack.service.ready();
  }

  /**
   * Adds this fault to the response of every node when a node checks a signature by an attacker's
   * account.
   */
  function strangersAnswer(fault: Parameters<FaultProxy['addFault']>[0]['fault']): void {
    for (const node of nodes)
      for (const { address } of strangers)
        node.addFault({
          method: 'starknet_call',
          naming: [toFelt(address), IS_VALID],
          fault,
          times: 'always',
        });
  }

  const attack = async (): Promise<readonly Answer[]> =>
    Promise.all(
      forged.map(async (body, index) =>
        stack.service.post('/api/relayer/deposit', body, strangerAt(index)),
      ),
    );
  const withdraw = async (index: number): Promise<Answer> =>
    stack.service.post('/api/relayer/withdraw', withdrawals[index] ?? {}, OWNER);
  const depositHonestly = async (): Promise<Answer> =>
    stack.service.post(
      '/api/relayer/deposit',
      depositBody(honestPool, ownCommitment, accounts.depositor),
      HONEST,
    );

  it('T10: slow depositor accounts of 20 networks delay neither honest deposits nor withdrawals from another pool', async () => {
    await start();
    strangersAnswer({ kind: 'answer-late', delayMs: SLOW_MS });
    const attacks: Promise<readonly Answer[]>[] = [];
    const honestly: Promise<Answer>[] = [];
    // Requests are sent in waves. So reads for the attackers and reads for the owners compete in
    // every stage of a request.
    for (let wave = 0; wave < WAVES; wave += 1) {
      attacks.push(attack());
      for (let place = 0; place < 10; place += 1) honestly.push(withdraw(10 * wave + place));
      await sleep(20);
    }
    const withdrawn = await Promise.all(honestly);
    // An account's signature check has a limit of 3 s. The 40 concurrent proofs may block this
    // process, which simulates the chain, for longer. The attackers send requests for half a
    // minute, so the depositor still competes with these requests.
    const honest = [...withdrawn, await depositHonestly()];
    expect(honest.map(codeOf)).toEqual(honest.map(() => 'SUCCEEDED'));
    expect((await stack.service.get('/health/ready')).status).toBe(200);

    const answers = (await Promise.all(attacks)).flat();
    const codes = new Set(answers.map((answer) => `${answer.status} ${String(codeOf(answer))}`));
    expect(codes).toEqual(new Set(['504 DEPOSIT_SIGNATURE_UNCHECKED', '429 DEPOSITOR_TOO_SLOW']));
    const late = answers.filter(({ status }) => status === 504);
    expect(late).toHaveLength(strangers.length);
    const [waits] = answers.filter(({ status }) => status === 429);
    expect(Number(waits?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(waits?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('T10: depositor accounts that return a long result, revert or break the node do not affect other callers', async () => {
    await start();
    for (const [fault, code] of [
      [
        { kind: 'answer', result: Array.from({ length: 100_000 }, () => '0x56414c4944') },
        'DEPOSIT_SIGNATURE_INVALID',
      ],
      [{ kind: 'refuse', code: 40, data: { revert_error: 'no' } }, 'DEPOSIT_SIGNATURE_INVALID'],
      [{ kind: 'refuse', code: -32_603 }, 'NODE_UNAVAILABLE'],
    ] as const) {
      for (const node of nodes) node.clearFaults();
      strangersAnswer({ ...fault });
      const attacks = attack();
      const answers = [await depositHonestly(), ...(await attacks)];
      expect(answers.map(codeOf)).toEqual(['SUCCEEDED', ...strangers.map(() => code)]);
    }
    const paid = await Promise.all([withdraw(0), withdraw(1), withdraw(2)]);
    expect(paid.map(codeOf)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect((await stack.service.get('/health/ready')).status).toBe(200);
  });
});
