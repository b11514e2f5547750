import { afterEach, describe, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { depositBody } from './support/deposits.js';
import { anyWithdrawal, fillPool } from './support/load.js';
import { Stack } from './support/stack.js';

const { accounts, pools, tokens } = sandboxWorld;
const pool = pools.sentinel_1x;
const ASYNC = { prefer: 'respond-async' };

describe('a service that has just started', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  it('T10: a service accepts withdrawals immediately after its start from a pool with 28 free leaves', async () => {
    stack = await Stack.start({
      whole: true,
      cadence: 'manual',
      verificationKey: trapdoorKey,
      deposit: async (chain) => {
        await chain.deposit();
        await chain.depositInto(pool, [7_000_001n, 7_000_002n]);
        fillPool(chain);
        const { address, denomination } = pool;
        await chain.approve(accounts.depositor, tokens.WBTC.address, address, denomination);
      },
    });
    const { service } = stack;
    await service.ready();
    const withdraw = async (index: number): Promise<number> =>
      (await service.withdraw(anyWithdrawal(index), { headers: ASYNC })).status;
    expect(await withdraw(0)).toBe(202);
    const deposit = depositBody(pool, 7_000_003n, accounts.depositor);
    await service.post('/api/relayer/deposit', deposit, ASYNC);
    expect(await withdraw(1)).toBe(202);
  });
});
