import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { toFelt, type LogFields, type Logger } from '@sotto/kernel';
import type { AttemptRef } from '@sotto/submission-core';
import { ExecutePrivateSwap, RetriedSubmissions, RetrySwaps, SwapTries } from '../../src/index.js';
import { InMemorySwapVerdicts, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import {
  NEW_COMMITMENT,
  FAIR_RATE,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  deposit,
  swapPolicy,
} from '../support/swap-world.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import { pool } from '../support/world.js';

const TOO_LITTLE = 'Insufficient tokens received';
const hashOf = (id: string) => toFelt(BigInt(`0x${Buffer.from(id).toString('hex')}`));

/** A relayer that tries swaps again, in as many instances as a test asks for. */
function aTryingWorld() {
  const world = aSwapWorld();
  const { submissions, clock } = world;
  const verdicts = new InMemorySwapVerdicts(() =>
    submissions.attempts
      .filter(
        ({ state, key, attempt }) =>
          state === 'reverted' &&
          !submissions.attempts.some((row) => row.key === key && row.attempt > attempt),
      )
      .map(({ id }) => id),
  );
  const logged: LogFields[] = [];
  const note = (fields: LogFields): void => void logged.push(fields);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const ledger = {
    attempt: async ({ key, attempt }: AttemptRef) =>
      submissions.attempts.find((row) => row.key === key && row.attempt === attempt) ?? null,
    calldata: async (id: string) =>
      submissions.accepted[submissions.attempts.findIndex((row) => row.id === id)]?.calldata ??
      null,
  };
  const instance = () => {
    const tries = new SwapTries({ ledger, submissions, verdicts, clock });
    const retried = new RetriedSubmissions(submissions, tries, clock);
    const swaps = new ExecutePrivateSwap(
      { ...world.swapPorts, submissions: retried },
      world.guarding,
      world.outcomes,
      swapPolicy,
      WITHDRAWAL_LIMITS,
    );
    const retry = new RetrySwaps(
      { ledger, submissions, verdicts, tries, swaps, clock, logger },
      600_000,
    );
    return { tries, retried, retry, swap: (waitMs = 0) => swaps.execute({ ...aSwap, waitMs }) };
  };
  const price = (bought: bigint): void =>
    world.aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought, sold: SELL_AMOUNT },
    ]);
  const revert = (id: string, reason = TOO_LITTLE): void =>
    submissions.execute(id, 'REVERTED', reason);
  return { ...world, ...instance(), instance, verdicts, logged, price, revert };
}

const UNKNOWN = { answer: { kind: 'pending' }, leafIndex: null };
const REVERTED = { answer: { kind: 'executed', execution: 'REVERTED' }, leafIndex: -1 };

describe('a swap that met too bad a price', () => {
  it('is tried again above its floor, and reported as one with its try', async () => {
    const { swap, retried, outcomes, retry, revert, price, submissions, deposits, pins } =
      aTryingWorld();
    const { submissionId } = await swap();
    const floor = pins.all[0]?.floor ?? 0n;
    revert('attempt-1');
    expect(await retried.find(submissionId)).toMatchObject({
      kind: 'pending',
      attempt: { id: 'attempt-1', state: 'accepted' },
    });
    price((FAIR_RATE * SELL_AMOUNT * 995n) / 1_000n);
    await retry.execute();
    const calldata = submissions.accepted[1]?.calldata;
    const at = goodCalldata.length + 4;
    expect([calldata?.at(at), calldata?.at(at + 1)]).toEqual([
      floor & (2n ** 128n - 1n),
      floor >> 128n,
    ]);
    expect(await retried.find(submissionId)).toMatchObject({
      kind: 'pending',
      attempt: { id: 'attempt-1', attempt: 2 },
    });
    submissions.execute('attempt-2', 'SUCCEEDED');
    deposits.set(hashOf('attempt-2'), deposit);
    const answer = await retried.find(submissionId);
    expect(answer).toMatchObject({
      execution: 'SUCCEEDED',
      transactionHash: hashOf('attempt-2'),
      attempt: { id: 'attempt-1' },
    });
    expect(answer && (await outcomes.describe(answer))).toMatchObject({ leafIndex: 3 });
    await retry.execute();
    expect(submissions.accepted).toHaveLength(2);
  });

  it('is tried again twice at most; its revert is reported only then, and nothing follows it', async () => {
    const { swap, retried, retry, revert, submissions, instance } = aTryingWorld();
    const { submissionId } = await swap();
    for (const id of ['attempt-1', 'attempt-2']) {
      revert(id);
      expect(await retried.find(submissionId)).toMatchObject({ kind: 'pending' });
      await retry.execute();
    }
    revert('attempt-3');
    expect(await retried.find(submissionId)).toMatchObject({
      kind: 'executed',
      execution: 'REVERTED',
      transactionHash: hashOf('attempt-3'),
    });
    for (const { retry: any } of [{ retry }, instance()]) await any.execute();
    expect(submissions.accepted).toHaveLength(3);
  });

  it('has its tries counted again only after a new request', async () => {
    const { swap, retried, retry, revert, submissions } = aTryingWorld();
    await swap();
    for (const id of ['attempt-1', 'attempt-2', 'attempt-3']) {
      revert(id);
      await retry.execute();
    }
    const { submissionId } = await swap();
    expect(submissions.accepted).toHaveLength(4);
    revert('attempt-4');
    expect(await retried.find(submissionId)).toMatchObject({ kind: 'pending' });
    expect(await retried.find('attempt-1')).toMatchObject({
      execution: 'REVERTED',
      transactionHash: hashOf('attempt-3'),
    });
    await retry.execute();
    expect(submissions.accepted).toHaveLength(5);
  });

  it('is not tried below its floor: then the revert is final', async () => {
    const { swap, retried, retry, revert, price, submissions, simulator, pins } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1');
    price((pins.all[0]?.floor ?? 0n) - 1n);
    await retry.execute();
    expect(await retried.find(submissionId)).toMatchObject({
      execution: 'REVERTED',
      transactionHash: hashOf('attempt-1'),
    });
    price(FAIR_RATE * SELL_AMOUNT);
    await retry.execute();
    expect([submissions.accepted.length, simulator.simulated.length]).toEqual([1, 1]);
  });

  it('waits for node, prices and aggregator until its deadline, and says so once', async () => {
    const { swap, retried, retry, revert, aggregator, submissions, logged } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1');
    aggregator.fail();
    await retry.execute();
    await retry.execute();
    expect(logged).toHaveLength(1);
    expect(await retried.find(submissionId)).toMatchObject({ kind: 'pending' });
    aggregator.fail(null);
    await retry.execute();
    expect(submissions.accepted).toHaveLength(2);
  });

  it('is over at its deadline: then its revert is reported, and nothing is sent', async () => {
    const { swap, retried, tries, retry, revert, submissions, clock } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1');
    const answer = await submissions.find(submissionId);
    if (answer === null) throw new Error('nothing was submitted');
    const late = { ...answer, attempt: { ...answer.attempt, deadlineMs: clock.nowMs() - 1 } };
    expect(await tries.withTries(late)).toMatchObject({ kind: 'executed', execution: 'REVERTED' });
    expect(await retried.find(submissionId)).toMatchObject({
      kind: 'executed',
      execution: 'REVERTED',
    });
    await retry.execute();
    expect(submissions.accepted).toHaveLength(1);
  });

  it('is sent by one of two instances, and found again after a restart', async () => {
    const { swap, retry, revert, instance, submissions } = aTryingWorld();
    await swap();
    revert('attempt-1');
    const [other, restarted] = [instance(), instance()];
    await Promise.all([retry.execute(), other.retry.execute()]);
    expect(submissions.accepted).toHaveLength(2);
    revert('attempt-2');
    await restarted.retry.execute();
    expect(submissions.accepted).toHaveLength(3);
  });

  it('is undecided for whom waits, and not for longer than they wait', async () => {
    const { swap, retried, revert, retry, submissions, clock } = aTryingWorld();
    await swap();
    revert('attempt-1');
    expect(await swap(0)).toMatchObject({ submissionId: 'attempt-2', ...UNKNOWN });
    revert('attempt-2');
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms) => {
      await sleep(ms);
      clock.sleep = sleep;
      await retry.execute();
      submissions.execute('attempt-3', 'SUCCEEDED');
    };
    expect(await retried.waitFor('attempt-2', 5_000)).toMatchObject({
      execution: 'SUCCEEDED',
      attempt: { id: 'attempt-2', attempt: 3 },
    });
  });

  it.each([
    ['for another reason', 'SwapPool: paused'],
    ['without a reason', ''],
  ])('but one that reverted %s is reported at once and never repeated', async (_, reason) => {
    const { swap, retried, retry, revert, submissions } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1', reason);
    expect(await retried.find(submissionId)).toMatchObject({ execution: 'REVERTED' });
    await retry.execute();
    expect(submissions.accepted).toHaveLength(1);
  });

  it('but a plain withdrawal that takes its note ends the tries', async () => {
    const { swap, retried, retry, revert, submit, submissions, verifier } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1');
    const plain = calldataWith({ recipient: 0x7e11e5n });
    verifier.accept(proofOf(plain));
    await submit(plain);
    await retry.execute();
    expect(submissions.accepted.map(({ role }) => role)).toEqual(['swap_owner', 'relay']);
    expect(await retried.find(submissionId)).toMatchObject({
      kind: 'executed',
      execution: 'REVERTED',
      transactionHash: hashOf('attempt-1'),
    });
  });

  it('and whose store is down is reported as an error, never as reverted', async () => {
    const { swap, retried, revert, verdicts } = aTryingWorld();
    const { submissionId } = await swap();
    revert('attempt-1');
    verdicts.fail();
    await expect(retried.find(submissionId)).rejects.toBeInstanceOf(FakeUpstreamDown);
  });
});

describe('a swap on its way', () => {
  it('that a pre-confirmed block shows as reverted by its price is undecided', async () => {
    const { swap, tries, submissions } = aTryingWorld();
    await swap();
    const [attempt] = submissions.attempts;
    if (attempt === undefined) throw new Error('nothing was submitted');
    const shown = {
      kind: 'executed',
      transactionHash: hashOf('attempt-1'),
      execution: 'REVERTED',
      finality: 'PRE_CONFIRMED',
    } as const;
    expect(await tries.withTries({ ...shown, attempt, revertReason: TOO_LITTLE })).toMatchObject({
      kind: 'pending',
      attempt: { state: 'accepted' },
    });
    expect(
      await tries.withTries({ ...shown, attempt, revertReason: 'unknown root' }),
    ).toMatchObject(REVERTED.answer);
  });

  it('keeps the terms of its note when it is tried again', async () => {
    const { swap, retry, revert, pins, submissions } = aTryingWorld();
    await swap();
    revert('attempt-1');
    await retry.execute();
    const at = goodCalldata.length + 1;
    expect(submissions.accepted[1]?.calldata.at(at)).toBe(NEW_COMMITMENT & (2n ** 128n - 1n));
    expect(pins.all).toHaveLength(1);
  });
});
