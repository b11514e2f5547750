import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { ONE, PrivateWallet, privateStack } from './support/private-actions.js';
import type { Stack } from './support/stack.js';
import { vector } from './support/withdrawals.js';

const STRK: bigint = sandboxWorld.tokens.STRK.address;
const RELAYER = BigInt(vector.relayer);
/** Fee above the cost of every transaction here. */
const FEE = { to: RELAYER, token: STRK, amount: ONE };
const PAYMENT = 5n * ONE;
/** Blocks after its base block in which the pool accepts a proof. */
const VALIDITY = 26;
/** A wallet proves on a block that has this age. */
const BASE_AGE = 10;
/** Blocks after the head in which a new proof is accepted. */
const LEFT = VALIDITY - BASE_AGE;
const OPERATOR = 'token-of-the-operator';
/** Header with the address of a caller, as a proxy sets it. */
const callerFrom = (network: number) => ({ 'x-forwarded-for': `198.51.${network}.9` });

type Body = Readonly<Record<string, unknown>>;

describe('private actions whose last block passes', () => {
  let stack: Stack;
  let wallet: PrivateWallet;
  beforeAll(async () => {
    stack = await privateStack({
      cadence: 'manual',
      genesis: { emptyBlocks: 12, enforceNullifier: false },
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR }),
        TRUST_PROXY: '1',
        // One revert uses up a caller's quarter of this budget.
        LOSS_BUDGET_PER_POOL_FRI: String(ONE / 10n),
      },
    });
    stack.chain.control.setPrivacyPool({ validityBlocks: VALIDITY });
    wallet = new PrivateWallet(stack, 'deadlines');
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  /** Actions that one case requests, possibly several times. */
  interface Actions {
    readonly to: bigint;
    readonly notes: readonly number[];
    /** Each case has its own caller, because a revert is charged to its caller. */
    readonly caller: ReturnType<typeof callerFrom>;
  }
  let cases = 0;
  const newActions = (): Actions => {
    cases += 1;
    return { to: 0x7e57_0000n + BigInt(cases), notes: [cases], caller: callerFrom(cases) };
  };
  const accepted = async (actions: Actions, request?: PrivateRequest): Promise<string> =>
    wallet.accepted(request ?? (await prove(actions)), actions.caller);
  /** Proves the actions on the newest block that is possible. */
  const prove = ({ to, notes }: Actions): Promise<PrivateRequest> =>
    wallet.prover.withdraw(
      { payments: [{ to, token: STRK, amount: PAYMENT }], fee: FEE },
      { notes },
    );
  const timesPaid = async ({ to }: Actions): Promise<number> =>
    Number((await stack.chain.balanceOf(STRK, to)) / PAYMENT);
  const fees = async (): Promise<number> =>
    Number((await stack.chain.balanceOf(STRK, RELAYER)) / ONE);
  const submission = async (path: string): Promise<Body> =>
    Object((await stack.service.get(path)).body);
  const ends = (path: string, state: string): Promise<Body> =>
    eventually(`the submission to be ${state}`, async () => {
      const body = await submission(path);
      return body['state'] === state && body;
    });
  const sent = (): Promise<bigint> =>
    eventually('the transaction to reach the node', () => stack.chain.waiting()[0]);
  const replaced = (hash: bigint): Promise<bigint> =>
    eventually('another transaction to replace it', () => {
      const [waiting] = stack.chain.waiting();
      return waiting !== undefined && waiting !== hash ? waiting : undefined;
    });
  /** Closes blocks without the waiting transactions. */
  const pass = (blocks: number): void => {
    for (let closed = 0; closed < blocks; closed += 1)
      stack.chain.control.advance('accepted_on_l2');
  };
  const heads = (): number => stack.chain.control.counters().calls['starknet_chainId'] ?? 0;
  /** Waits until the service has polled its chain several more times. */
  const polls = async (): Promise<void> => {
    const until = heads() + 12;
    await eventually('the service to poll', () => heads() >= until);
  };
  const alive = async (): Promise<void> => {
    if (stack.running !== null) return;
    await stack.restart();
    await stack.service.ready();
  };
  const killed = async (): Promise<void> => {
    stack.service.kill('SIGKILL');
    await stack.service.ended;
  };
  /** Closes all blocks that are left while the service is stopped, except for the first one. */
  const passUnseen = async (work: () => void): Promise<void> => {
    pass(1);
    await polls();
    stack.service.kill('SIGSTOP');
    pass(LEFT - 1);
    work();
    stack.service.kill('SIGCONT');
  };
  /** Includes the waiting transaction after its last block, unseen by the service. */
  const includedLate = (): Promise<void> => passUnseen(() => stack.chain.control.mine());
  /**
   * Undoes all blocks since the actions were proven, and adds one that shows the service that the
   * chain has changed. Undone transactions wait again.
   */
  const rollBack = async (): Promise<void> => {
    // The service has compared the newest block with the blocks that it knew before.
    await polls();
    stack.chain.control.rollback(LEFT + 1);
    pass(1);
  };
  /** A lane signs by the highest height of the last minute, which a new process does not know. */
  const forgetHeights = killed;
  /** Accepts a request in a process that dies before it signs anything. */
  const acceptedUnsigned = async (actions: Actions, request: PrivateRequest): Promise<string> => {
    if (stack.running !== null) await killed();
    await stack.restart({ SOTTO_FAILPOINT: 'accepted' });
    await stack.service.ready();
    const signed = stack.ledger().transactions.length;
    await accepted(actions, request).catch(() => undefined);
    expect(await stack.service.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const { attempts, transactions } = stack.ledger();
    const last = attempts.at(-1);
    expect(last?.state).toBe('accepted');
    expect(transactions).toHaveLength(signed);
    return `/api/relayer/submissions/${last?.id}`;
  };
  /** Requests the actions with a new proof, and expects one payment in total and one more fee. */
  const payableAgain = async (actions: Actions, again?: PrivateRequest): Promise<void> => {
    const earned = await fees();
    const other = { ...actions, caller: callerFrom(200) };
    const path = await accepted(other, again);
    await sent();
    stack.chain.control.mine();
    expect(await ends(path, 'succeeded')).toMatchObject({ attempt: 2 });
    expect(await timesPaid(actions)).toBe(1);
    expect(await fees()).toBe(earned + 1);
  };

  it('actions of which nothing was signed expire by height after a restart, without gas', async () => {
    const actions = newActions();
    const path = await acceptedUnsigned(actions, await prove(actions));
    const before = await stack.chain.lane();
    pass(LEFT);
    await alive();
    expect(await ends(path, 'expired')).toMatchObject({
      code: 'DEADLINE_BLOCK_PASSED',
      transaction_hash: null,
      execution_status: null,
    });
    expect(await stack.chain.lane()).toEqual(before);
    expect(await timesPaid(actions)).toBe(0);
    await payableAgain(actions);
  });

  it('actions that were sent expire only when a no-op has their nonce in a block', async () => {
    await alive();
    const actions = newActions();
    const path = await accepted(actions);
    const call = await sent();
    await killed();
    pass(LEFT);
    await alive();
    const noop = await replaced(call);
    expect(await submission(path)).toMatchObject({ state: 'broadcast', code: null });
    // A proof of the same actions does not replace a call that is signed.
    expect(await accepted(actions)).toBe(path);
    stack.chain.preConfirm();
    await polls();
    expect(await submission(path)).toMatchObject({ state: 'broadcast', code: null });
    pass(1);
    expect(await ends(path, 'expired')).toMatchObject({ code: 'DEADLINE_BLOCK_PASSED' });
    expect(stack.chain.inclusions().at(-1)?.hash).toBe(noop);
    expect(await timesPaid(actions)).toBe(0);
    await payableAgain(actions);
  });

  it('actions that are included late are reverted at the loss of their caller', async () => {
    await alive();
    const actions = newActions();
    const path = await accepted(actions);
    await sent();
    const before = await stack.chain.lane();
    await includedLate();
    expect(await ends(path, 'reverted')).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('PROOF_EXPIRED'),
    });
    expect((await stack.chain.lane()).balanceFri).toBeLessThan(before.balanceFri);
    await eventually('the revert to be counted', async () => {
      const as = { authorization: `Bearer ${OPERATOR}` };
      const { pools }: { pools: readonly Body[] } = Object(
        (await stack.service.get('/api/operator/status', as)).body,
      );
      const pool = pools.find(({ key }) => key === 'strk20');
      return Object(pool?.['money']).reverted === 1;
    });
    await expect(accepted(actions)).rejects.toThrow('CALLER_BUDGET_EXHAUSTED');
    await payableAgain(actions);
  });

  it('actions that were included late succeed if a rollback lets them be included in time', async () => {
    await alive();
    const actions = newActions();
    const earned = await fees();
    const path = await accepted(actions);
    const call = await sent();
    await includedLate();
    await ends(path, 'reverted');
    await rollBack();
    await ends(path, 'broadcast');
    stack.chain.control.mine();
    expect(await ends(path, 'succeeded')).toMatchObject({
      attempt: 1,
      transaction_hash: toFelt(call),
      reorged: { execution_status: 'REVERTED', transaction_hash: toFelt(call) },
    });
    expect(await timesPaid(actions)).toBe(1);
    expect(await fees()).toBe(earned + 1);
    await forgetHeights();
  });

  it('if the pool extends the time, the chain decides about actions that were sent', async () => {
    await alive();
    const actions = newActions();
    const earned = await fees();
    const path = await accepted(actions);
    const call = await sent();
    await killed();
    stack.chain.control.setPrivacyPool({ validityBlocks: 2 * VALIDITY });
    pass(LEFT);
    stack.chain.control.mine();
    await alive();
    expect(await ends(path, 'succeeded')).toMatchObject({ transaction_hash: toFelt(call) });
    expect(await timesPaid(actions)).toBe(1);
    expect(await fees()).toBe(earned + 1);
  });

  it('if the pool extends the time, actions of which nothing was signed expire, and the same proof is accepted again', async () => {
    stack.chain.control.setPrivacyPool({ validityBlocks: VALIDITY });
    const actions = newActions();
    const request = await prove(actions);
    const path = await acceptedUnsigned(actions, request);
    stack.chain.control.setPrivacyPool({ validityBlocks: 3 * VALIDITY });
    pass(LEFT);
    await alive();
    expect(await ends(path, 'expired')).toMatchObject({ code: 'DEADLINE_BLOCK_PASSED' });
    await payableAgain(actions, request);
    stack.chain.control.setPrivacyPool({ validityBlocks: VALIDITY });
  });

  it('actions whose no-op is undone together with their last block succeed in the remaining blocks', async () => {
    await alive();
    const actions = newActions();
    const earned = await fees();
    const path = await accepted(actions);
    const call = await sent();
    await passUnseen(() => {});
    await replaced(call);
    stack.chain.control.mine();
    await ends(path, 'expired');
    await rollBack();
    await ends(path, 'broadcast');
    await forgetHeights();
    stack.chain.control.mine();
    await alive();
    // The no-op has the nonce again, but now enough blocks are left for another transaction.
    await sent();
    stack.chain.control.mine();
    expect(await ends(path, 'succeeded')).toMatchObject({ attempt: 1, code: null });
    expect(await timesPaid(actions)).toBe(1);
    expect(await fees()).toBe(earned + 1);
  });
});
