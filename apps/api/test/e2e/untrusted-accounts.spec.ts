import { afterEach, describe, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { type Answer } from '@sotto/process-kit';
import { extraLane, sandboxWorld, type SandboxAccount } from '@sotto/sandbox';
import { depositBody } from './support/deposits.js';
import { addressText, commitmentsOf, forgedWithdrawalOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, pools, tokens } = sandboxWorld;
const honestPool = pools.sentinel_1x;
const attackedPool = pools.sentinel_2x;
const IS_VALID = selectorOf('is_valid_signature');
const HONEST = { 'x-forwarded-for': '198.51.100.9' };
const OWNER = { 'x-forwarded-for': '198.51.100.77' };
const notes = notesOf(81n, 3);
const [ownCommitment = 0n] = commitmentsOf(notesOf(82n, 1));
const strangersCommitments = commitmentsOf(notesOf(83n, 40));
/** The first number of the genesis' extra accounts. */
const FIRST_EXTRA = 4;
/** Longer than a read of the node may take here. */
const SLOW_MS = 20_000;
const READ_TIMEOUT_MS = 8_000;

const strangers: readonly SandboxAccount[] = Array.from({ length: 40 }, (_, index) =>
  extraLane(FIRST_EXTRA + index),
);
/** Two addresses of each of 20 networks. */
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
      deposit: async (chain) => {
        await chain.depositInto(honestPool, commitmentsOf(notes));
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
    const target = stack.environment['STARKNET_RPC_URL'] ?? '';
    nodes = await Promise.all(
      Array.from({ length: count }, async () => startFaultProxy({ target })),
    );
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    await stack.restart({
      STARKNET_RPC_URL: '',
      STARKNET_RPC_URLS: nodes.map(({ url }, index) => `node${index}=${url}`).join(','),
      TRUST_PROXY: '1',
      NODE_TIMEOUT_MS: String(READ_TIMEOUT_MS),
      BREAKER_UPSTREAM_FAILURES: '2',
    });
    await stack.service.ready();
  }

  /** How the accounts of strangers answer, on every node. */
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
      strangers.map(async (stranger, index) =>
        stack.service.post(
          '/api/relayer/deposit',
          {
            ...depositBody(attackedPool, strangersCommitments[index] ?? 0n, stranger),
            signature: ['0x1', '0x2'],
          },
          strangerAt(index),
        ),
      ),
    );
  const withdraw = async (index: number): Promise<Answer> =>
    stack.service.post(
      '/api/relayer/withdraw',
      {
        poolAddress: addressText(honestPool),
        calldata: forgedWithdrawalOf({
          notes,
          index,
          fee: 900n,
          recipient: accounts.recipient2.address,
        }),
      },
      OWNER,
    );
  const depositHonestly = async (): Promise<Answer> =>
    stack.service.post(
      '/api/relayer/deposit',
      depositBody(honestPool, ownCommitment, accounts.depositor),
      HONEST,
    );

  it('T10 40 slow accounts of 20 networks disturb neither a depositor nor withdrawals from another pool', async () => {
    await start();
    strangersAnswer({ kind: 'answer-late', delayMs: SLOW_MS });
    const attacks = attack();
    const honest = await Promise.all([withdraw(0), withdraw(1), depositHonestly()]);
    expect(honest.map(codeOf)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(codeOf(await withdraw(2))).toBe('SUCCEEDED');
    expect((await stack.service.get('/health/ready')).status).toBe(200);
    const late = (await attacks).map((answer) => [answer.status, codeOf(answer)]);
    expect(late).toEqual(strangers.map(() => [504, 'DEPOSIT_SIGNATURE_UNCHECKED']));

    const [first] = await attack();
    expect(first).toMatchObject({ status: 429, body: { code: 'DEPOSITOR_TOO_SLOW' } });
    expect(Number(first?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(first?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('T10 accounts that answer at length, revert, or make the node fail, disturb nobody', async () => {
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
    const withdrawals = await Promise.all([withdraw(0), withdraw(1), withdraw(2)]);
    expect(withdrawals.map(codeOf)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect((await stack.service.get('/health/ready')).status).toBe(200);
  });
});
