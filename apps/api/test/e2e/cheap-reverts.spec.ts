import { afterEach, describe, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Note } from '@sotto/wallet/advanced';
import { addressText, commitmentsOf, forgedWithdrawalOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { accounts, guard, pools } = sandboxWorld;
const pool = pools.sentinel_1x;
const TOKEN = 'token-of-the-operator';
const as = { authorization: `Bearer ${TOKEN}` };
const FEE = 900n;
const NOTES: readonly Note[] = notesOf(81n, 6);
/** Headers with the addresses of two callers, as a proxy sets them. */
const MALLORY = { 'x-forwarded-for': '203.0.113.7' };
const HONEST = { 'x-forwarded-for': '198.51.100.9' };
const PINNED = { address: toFelt(guard.address), classHash: toFelt(guard.classHash) };

const bodyOf = (index: number, fee = FEE) => ({
  poolAddress: addressText(pool),
  calldata: forgedWithdrawalOf({
    notes: NOTES,
    index,
    fee,
    recipient: accounts.recipient2.address,
  }),
});
const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;

describe('T8 notes that are spent while their withdrawal is in flight', () => {
  let stack: Stack;
  afterEach(() => stack.stop());

  async function start(profile: Readonly<Record<string, unknown>>): Promise<void> {
    stack = await Stack.start({
      verificationKey: trapdoorKey,
      profile,
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        TRUST_PROXY: '1',
        // A revert costs about 0.3 STRK, so two reverts use up a caller's quarter of this budget.
        LOSS_BUDGET_PER_POOL_FRI: String(2n * 10n ** 18n),
        SHUTDOWN_DRAIN_MS: '0',
      },
      deposit: (chain) => chain.depositInto(pool, commitmentsOf(NOTES)),
    });
    await stack.service.ready();
  }
  const withdraw = (caller: typeof MALLORY, index: number): Promise<Answer> =>
    stack.service.withdraw(bodyOf(index), { headers: caller });
  const warnings = async (): Promise<unknown> =>
    Object((await stack.service.get('/api/operator/status', as)).body).verdict?.warnings;
  const revertsOfPool = async (): Promise<unknown> => {
    const { body } = await stack.service.get('/api/operator/status', as);
    const listed: readonly { readonly key: string }[] = Object(body).pools;
    return Object(listed.find(({ key }) => key === 'sentinel_1x')).money?.reverted;
  };
  const settled = ({ headers }: Answer): Promise<unknown> =>
    eventually('the submission to end', async () => {
      const { body } = await stack.service.get(headers.get('location') ?? '');
      return ['reverted', 'succeeded'].includes(Object(body).state) && body;
    });

  /**
   * Requests a withdrawal whose note is spent from another account while the withdrawal is in
   * flight. @returns the revert reason and the fee that the lane paid
   */
  async function spendMeanwhile(index: number): Promise<{ reason: string; feeFri: bigint }> {
    const { control } = stack.chain;
    const before = (await stack.chain.lane()).balanceFri;
    control.pause();
    await stack.chain.relayByAnother(bodyOf(index).calldata, pool.address);
    const late = withdraw(MALLORY, index);
    await eventually('the withdrawal to be sent', () => stack.chain.waiting().length === 1);
    control.resume();
    const answer = await late;
    await settled(answer);
    const { balanceFri } = await stack.chain.lane();
    return { reason: String(Object(answer.body).revert_reason), feeFri: before - balanceFri };
  }

  it('a pool’s third and later reverts are cheaper than the first two reverts', async () => {
    await start({ guard: PINNED });
    await eventually('the guard to be read', () =>
      stack.service.output.includes('has the pinned class'),
    );
    const quoted = await stack.service.post('/api/relayer/quote', {
      poolAddress: addressText(pool),
    });
    const { quoteId, fee } = Object(quoted.body).quote ?? Object(quoted.body);
    const first = await spendMeanwhile(0);
    const second = await spendMeanwhile(1);
    expect([first.reason, second.reason]).toEqual(['already withdrawn', 'already withdrawn']);
    await eventually('both reverts to be counted', async () => (await revertsOfPool()) === 2);
    const third = await spendMeanwhile(2);
    expect(third.reason).toBe('guard: differs');
    expect(third.feeFri).toBeLessThan(second.feeFri / 2n);
    // The service is killed while a guarded transaction is in flight. After the restart, the
    // service sends the same signed bytes again.
    stack.chain.control.pause();
    void withdraw(HONEST, 3).catch(() => undefined);
    const [sent] = await eventually('the withdrawal to be sent', () => {
      const waiting = stack.chain.waiting();
      return waiting.length === 1 && waiting;
    });
    stack.service.kill('SIGKILL');
    await stack.service.ended;
    await stack.restart();
    stack.chain.control.resume();
    const repeated = await eventually('the withdrawal to be paid', async () => {
      const answer = await withdraw(HONEST, 3);
      return codeOf(answer) === 'SUCCEEDED' && answer;
    });
    expect(BigInt(Object(repeated.body).transaction_hash)).toBe(sent);
    const cited = { ...bodyOf(4, BigInt(fee)), quoteId: String(quoteId) };
    expect(codeOf(await stack.service.post('/api/relayer/withdraw', cited, HONEST))).toBe(
      'SUCCEEDED',
    );
    expect(codeOf(await withdraw(MALLORY, 5))).toBe('SUCCEEDED');
    expect(await warnings()).toEqual([]);
  });

  it.each([
    ['GUARD_CLASS_UNEXPECTED', { ...PINNED, classHash: '0xbad' }],
    ['GUARD_NOT_DEPLOYED', { ...PINNED, address: '0xbad' }],
  ])(
    'withdrawals are sent without the guard contract if the guard contract’s class is not the pinned class: %s',
    async (code, wrong) => {
      await start({ guard: wrong });
      await eventually('the guard to be rejected', () => stack.service.output.includes(code));
      for (const index of [0, 1])
        expect((await spendMeanwhile(index)).reason).toBe('already withdrawn');
      const refused = await eventually('the share to be seen as spent', async () => {
        const answer = await withdraw(MALLORY, 2);
        return codeOf(answer) === 'CALLER_BUDGET_EXHAUSTED' && answer;
      });
      expect(refused.status).toBe(429);
      expect(await warnings()).toMatchObject([{ code, component: 'guard' }]);
    },
  );
});
