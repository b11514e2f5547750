import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Answer } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { ONE, SPONSOR_KEY } from './support/private-actions.js';
import { PrivateAttackStage, countsOf } from './support/private-attacks.js';
import { HONEST, at, codeOf, neighbour, repeated, type Caller } from './support/strangers.js';

const { accounts } = sandboxWorld;
/** Loss budget of the pool; one network may use up a quarter. */
const LOSS_BUDGET_FRI = 20n * ONE;
const SHARE_FRI = LOSS_BUDGET_FRI / 4n;
/** Upper bound of the cost of one transaction here. */
const DEAREST_FRI = (9n * ONE) / 10n;
/** Bytes that are no proof of anything. A simulation does not notice them. */
const FALSE_PROOF = Buffer.from('no proof').toString('base64');

const falsely = (request: PrivateRequest): PrivateRequest => ({ ...request, proof: FALSE_PROOF });

describe('private actions of strangers', () => {
  let stage: PrivateAttackStage;
  beforeAll(async () => {
    stage = await PrivateAttackStage.start({
      LOSS_BUDGET_PER_POOL_FRI: String(LOSS_BUDGET_FRI),
      BREAKER_REVERTS: '2',
      BREAKER_LOSSES: '2',
    });
  });
  afterEach(() => {
    const { control } = stage.stack.chain;
    control.setHostile({ revertWhen: 'never', burnWhen: 'never' });
    control.resume();
  });
  afterAll(() => stage.stack.stop());

  const lostFri = async (): Promise<bigint> => BigInt((await stage.pool()).money.lostFri);
  const honest = async (caller: Caller = HONEST): Promise<Answer> =>
    stage.send(await stage.withdrawal(stage.honest), caller);

  it('false proofs are refused, cost a few no-ops, pause nothing, and end after 16', async () => {
    const paidBefore = stage.paidFri();
    const answers: Answer[] = [];
    for (let burst = 0; burst < 7; burst += 1) {
      const requests = await Promise.all(
        Array.from({ length: 4 }, () => stage.withdrawal(stage.stranger)),
      );
      answers.push(
        ...(await Promise.all(
          requests.map((request, index) =>
            stage.send(falsely(request), at(`198.18.0.${10 * burst + index}`)),
          ),
        )),
      );
      await stage.settled();
    }
    expect(countsOf(answers)).toEqual({ SUBMISSION_REFUSED: 16, CALLER_BUDGET_EXHAUSTED: 12 });
    const noOps = stage.stack.chain.inclusions().length;
    // A no-op costs less than a hundredth of private actions.
    expect(stage.paidFri() - paidBefore).toBeLessThan(BigInt(noOps + 1) * (ONE / 100n));
    expect((await stage.pool()).withdrawals.state).toBe('open');
    expect(codeOf(await honest())).toBe('SUCCEEDED');
  });

  it('a burst of reverts from one network costs at most its share, and pauses nothing', async () => {
    const { control } = stage.stack.chain;
    control.setHostile({ revertWhen: 'signed' });
    control.pause();
    const requests = await Promise.all(Array.from({ length: 16 }, () => stage.hostile()));
    let decided = 0;
    const answers = requests.map(async (request, index) => {
      const answer = await stage.send(request, neighbour(index));
      decided += 1;
      return answer;
    });
    await eventually('all requests to be accepted or rejected', () => {
      return decided + stage.stack.chain.waiting(accounts.lane1).length >= requests.length;
    });
    control.resume();
    const counts = countsOf(await Promise.all(answers));
    await stage.settled();
    expect(Object.keys(counts).toSorted()).toEqual(['CALLER_BUDGET_EXHAUSTED', 'REVERTED']);
    expect(await lostFri()).toBeLessThanOrEqual(SHARE_FRI + DEAREST_FRI);
    expect((await stage.pool()).withdrawals.state).toBe('open');
    expect(codeOf(await honest())).toBe('SUCCEEDED');
  });

  it('gas beyond the simulation is limited, and charged to the caller', async () => {
    const { control } = stage.stack.chain;
    control.setHostile({ burnL2Gas: 1_000_000_000n, burnWhen: 'signed' });
    const before = await stage.stack.chain.lane();
    const answer = await stage.send(await stage.hostile(), at('192.0.2.1'));
    expect(codeOf(answer)).toBe('REVERTED');
    await stage.settled();
    const { balanceFri } = await stage.stack.chain.lane();
    expect(before.balanceFri - balanceFri).toBeLessThan(DEAREST_FRI);
    expect(codeOf(await honest())).toBe('SUCCEEDED');
  });

  it('signed calls of an account are sent with one set of actions', async () => {
    const { control } = stage.stack.chain;
    control.pause();
    const invoke = await stage.signed(accounts.depositor);
    const [first, second] = await Promise.all([
      stage.withdrawal(stage.stranger),
      stage.withdrawal(stage.stranger),
    ]);
    const sent = stage.executeInvoke(first, invoke, at('198.18.1.1'));
    await eventually(
      'the first request to be sent',
      () => stage.stack.chain.waiting(accounts.lane1).length === 1,
    );
    const repeat = await stage.executeInvoke(second, invoke, at('198.18.2.1'));
    expect(String(Object(repeat.body).error.data)).toMatch(/^PRIVATE_ACTIONS_IN_PROGRESS/);
    control.resume();
    expect(Object((await sent).body).result.transaction_hash).toMatch(/^0x/);
    await stage.settled();
    const late = await stage.executeInvoke(second, invoke, at('198.18.2.1'));
    expect(Object(late.body).error.code).toBe(156);
  });

  it('40 callers from 13 networks: all honest requests succeed, the loss stays in the budget', async () => {
    const { control } = stage.stack.chain;
    await stage.settled();
    const lostBefore = await lostFri();
    control.setHostile({ revertWhen: 'signed' });
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    const deeds: readonly ((caller: Caller) => Promise<Answer>)[] = [
      async (caller) => stage.send(await stage.hostile(), caller),
      async (caller) => stage.send(falsely(await stage.withdrawal(stage.stranger)), caller),
      async (caller) => stage.send(await hugeAndTampered(stage), caller),
      async (caller) => stage.send(await stage.hostile(), caller),
      async (caller) => {
        const sponsored = await stage.withdrawal(stage.stranger);
        const as = { ...caller, 'x-paymaster-api-key': SPONSOR_KEY };
        return stage.send(sponsored, as, { feeMode: 'sponsored' });
      },
      async (caller) => {
        const { service } = stage.stack;
        const response = await fetch(`${service.url}/paymaster`, {
          method: 'POST',
          body: bomb,
          headers: { ...caller, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        });
        return service.get('/api/relayer/pools', {
          ...caller,
          'x-status': String(response.status),
        });
      },
    ];
    const strangers = Array.from({ length: 20 }, async (_, index) => {
      const caller = at(`203.0.${120 + (index % 3)}.${index + 1}`);
      const answers: Answer[] = [];
      for (let turn = 0; turn < 3; turn += 1)
        answers.push(await (deeds[(index + turn) % deeds.length] ?? honest)(caller));
      return answers;
    });
    const callers = Array.from({ length: 20 }, async (_, index) => {
      const caller = at(`198.51.${100 + (index % 10)}.${index + 1}`);
      const answers: Answer[] = [];
      for (let turn = 0; turn < 3; turn += 1) answers.push(await honest(caller));
      return answers;
    });
    const [ofHonest, ofStrangers] = [
      (await Promise.all(callers)).flat(),
      (await Promise.all(strangers)).flat(),
    ];
    await stage.settled();
    const lost = (await lostFri()) - lostBefore;
    expect(ofHonest.map(codeOf)).toEqual(repeated(60, 'SUCCEEDED'));
    expect(Object.keys(countsOf(ofStrangers))).toEqual(
      expect.arrayContaining(['REVERTED', 'SUBMISSION_REFUSED', 'PROOF_FACTS_MISMATCH']),
    );
    expect(lost).toBeLessThanOrEqual(3n * (SHARE_FRI + DEAREST_FRI));
    expect((await stage.pool()).withdrawals.state).toBe('open');
  });
});

/** Actions of the largest size, of which one felt was changed after the proof. */
async function hugeAndTampered(stage: PrivateAttackStage): Promise<PrivateRequest> {
  const { to, token, amount } = stage.fee();
  const values = Array.from({ length: 4_700 }, (_, index) => BigInt(index + 1));
  const huge = await stage.stranger.prover.prove([
    [0n, 0x999n, BigInt(values.length), ...values],
    [3n, to, token, amount],
  ]);
  return {
    ...huge,
    calldata: huge.calldata.with(9, '0x5'),
    proof: Buffer.alloc(2 ** 20).toString('base64'),
  };
}
