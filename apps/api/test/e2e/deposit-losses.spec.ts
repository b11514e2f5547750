import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { type Answer, eventually } from '@sotto/process-kit';
import { extraLane, sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import { depositBody } from './support/deposits.js';
import { commitmentsOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools, tokens } = sandboxWorld;
const pool = pools.sentinel_1x;
const otherPool = pools.sentinel_2x;
/** Index of the first additional account of the genesis. */
const FIRST_EXTRA = 4;
/** Loss budget in fri, enough for six deposits. Each deposit costs about 0.0064 STRK. */
const BUDGET_FRI = 40n * 10n ** 15n;
const depositors: readonly SandboxAccount[] = Array.from({ length: 20 }, (_, index) =>
  extraLane(FIRST_EXTRA + index),
);
const commitments = commitmentsOf(notesOf(84n, depositors.length));

describe('T12 reverting deposits, each of another depositor and network', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      genesis: { extraLanes: depositors.length },
      deposit: async (chain) => {
        for (const { address } of depositors)
          chain.control.mint(address, otherPool.denomination, tokens.WBTC.address);
        chain.control.mine();
      },
      env: { TRUST_PROXY: '1', LOSS_BUDGET_PER_POOL_FRI: String(BUDGET_FRI) },
    });
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const allow = (index: number, { address }: SandboxPool, amount: bigint): void => {
    const owner = (depositors[index]?.address ?? 0n).toString(16);
    const key = `allowance:${owner}:${address.toString(16)}`;
    stack.chain.control.setStorage(tokens.WBTC.address, key, amount);
  };
  const post = async (index: number, into: SandboxPool): Promise<Answer> => {
    const [depositor, commitment] = [depositors[index], commitments[index]];
    if (depositor === undefined || commitment === undefined) throw new Error('no such depositor');
    return stack.service.post('/api/relayer/deposit', depositBody(into, commitment, depositor), {
      'x-forwarded-for': `203.0.${index}.1`,
      prefer: 'respond-async',
    });
  };
  const deposit = async (index: number, into: SandboxPool = pool): Promise<Answer> => {
    allow(index, into, into.denomination);
    stack.chain.control.mine();
    return post(index, into);
  };
  const ended = (answer: Answer): Promise<unknown> =>
    eventually('the deposit to end', async () => {
      const { body } = await stack.service.get(answer.headers.get('location') ?? '');
      const { state } = Object(body);
      return ['reverted', 'succeeded'].includes(state) && state;
    });
  /**
   * Requests a deposit and revokes the depositor's allowance before the deposit is included, so
   * that it reverts.
   */
  async function depositAndRevert(index: number): Promise<unknown> {
    const { control } = stack.chain;
    allow(index, pool, pool.denomination);
    control.mine();
    control.pause();
    const answer = await post(index, pool);
    if (answer.status === 202) {
      await eventually('the deposit to be sent', () => stack.chain.waiting().length === 1);
      allow(index, pool, 0n);
    }
    control.resume();
    return answer.status === 202 ? ended(answer) : Object(answer.body).code;
  }

  it('T12: reverting deposits of many depositors cost at most the loss budget of their pool', async () => {
    const { chain } = stack;
    const before = (await chain.lane()).balanceFri;
    const ends: unknown[] = [];
    for (let index = 0; index < 12; index += 1) ends.push(await depositAndRevert(index));
    const costFri = before - (await chain.lane()).balanceFri;
    expect(ends.filter((end) => end === 'reverted').length).toBeGreaterThan(3);
    expect(ends.slice(8)).toEqual([
      'BUDGET_EXHAUSTED',
      'BUDGET_EXHAUSTED',
      'BUDGET_EXHAUSTED',
      'BUDGET_EXHAUSTED',
    ]);
    expect(costFri).toBeGreaterThan(BUDGET_FRI / 2n);
    expect(costFri).toBeLessThan(BUDGET_FRI + BUDGET_FRI / 5n);

    const refused = await deposit(12);
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'BUDGET_EXHAUSTED', details: { scope: 'losses' } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    const elsewhere = await deposit(13, otherPool);
    expect(elsewhere.status).toBe(202);
    expect(await ended(elsewhere)).toBe('succeeded');
  });
});
