import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import type { Attempt, WantedSubmission } from '@sotto/submission-core';
import { WithdrawalAdmission, notePurpose, withdrawalKey } from '../../src/index.js';
import {
  ACCOUNT_CLASS,
  DENOMINATION,
  DEPOSITOR,
  aDepositWorld,
  depositPool,
  type DepositWorld,
} from '../support/deposit-world.js';
import { goodCalldata, vector } from '../support/vector.js';
import { aWorld, policy, pool, poolState } from '../support/world.js';

const [ROOT = 0n, NULLIFIER = 0n] = vector.publicInputs.map(BigInt);

const withdrawal: WantedSubmission = {
  key: withdrawalKey(policy.chainId, pool.address, NULLIFIER),
  effect: 'of the note',
  fingerprint: 'of the note',
  ...notePurpose('withdraw', { pool: pool.address, nullifierHash: NULLIFIER }),
  role: 'relay',
  target: { to: pool.address, entrypoint: 'withdraw' },
  calldata: goodCalldata,
  limits: { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 1n },
  terms: null,
  replayProtected: true,
};

/**
 * Submits the withdrawal of the vector. The withdrawal’s root was once the newest root of the pool.
 * After that, the pool added as many leaves as `leaves` states.
 */
async function withdrawalBehind(world: DepositWorld, leaves: number): Promise<Attempt> {
  world.traffic.window.observe(pool.address, { nextIndex: depositPool.nextIndex, lastRoot: ROOT });
  grown(world, leaves);
  return (await world.submissions.submit(withdrawal)).attempt;
}

function grown({ reader, withdrawals }: DepositWorld, leaves: number): void {
  const nextIndex = depositPool.nextIndex + leaves;
  reader.setDepositPool(pool.address, {
    ...depositPool,
    nextIndex,
    lastRoot: leaves === 0 ? ROOT : 1_000n + BigInt(leaves),
  });
  withdrawals.set(pool.address, {
    ...poolState,
    nextIndex,
    knownRoots: leaves < 30 ? poolState.knownRoots : [],
  });
}

const attemptOf = ({ submissions }: DepositWorld, index: number): Attempt => {
  const attempt = submissions.attempts[index];
  if (attempt === undefined) throw new Error('no such attempt');
  return attempt;
};

describe('DepositRevalidator', () => {
  it('returns null while the deposit can still succeed', async () => {
    const world = aDepositWorld();
    await world.deposit();
    expect(await world.revalidators.deposits.rejectionOf(attemptOf(world, 0))).toBeNull();
  });

  it.each([
    [
      'DEPOSIT_EXISTS',
      ({ reader }: DepositWorld) =>
        reader.setDepositPool(pool.address, { ...depositPool, commitments: [1n] }),
    ],
    [
      'DEPOSIT_ALLOWANCE_TOO_LOW',
      ({ reader }: DepositWorld) =>
        reader.setDepositor(DEPOSITOR, {
          classHash: ACCOUNT_CLASS,
          balance: DENOMINATION,
          allowance: 0n,
        }),
    ],
    [
      'DEPOSIT_BALANCE_TOO_LOW',
      ({ reader }: DepositWorld) =>
        reader.setDepositor(DEPOSITOR, {
          classHash: ACCOUNT_CLASS,
          balance: 0n,
          allowance: DENOMINATION,
        }),
    ],
  ])(
    'ends a deposit with %s before any gas is spent if the deposit can no longer succeed',
    async (code, spoil) => {
      const world = aDepositWorld();
      await world.deposit();
      spoil(world);
      expect(await world.revalidators.deposits.rejectionOf(attemptOf(world, 0))).toBe(code);
    },
  );

  it('delays a deposit while an earlier deposit may use the same allowance', async () => {
    const world = aDepositWorld();
    world.fund(DEPOSITOR, 2n);
    world.sign(2n);
    await world.deposit();
    await world.deposit({ commitment: 2n });
    world.fund(DEPOSITOR, 1n);
    const { deposits } = world.revalidators;
    await expect(deposits.rejectionOf(attemptOf(world, 1))).rejects.toMatchObject({
      code: 'DEPOSIT_QUEUED',
      details: { scope: 'funds' },
    });
    expect(await deposits.rejectionOf(attemptOf(world, 0))).toBeNull();
    world.submissions.end('attempt-1', 'refused', 'X');
    expect(await deposits.rejectionOf(attemptOf(world, 1))).toBeNull();
  });

  it('rethrows the error of a failed read', async () => {
    const world = aDepositWorld();
    await world.deposit();
    const attempt = attemptOf(world, 0);
    world.reader.failReads();
    await expect(world.revalidators.deposits.rejectionOf(attempt)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
    expect(
      await world.revalidators.deposits.rejectionOf({ ...attempt, kind: withdrawal.kind }),
    ).toBeNull();
    expect(await world.revalidators.withdrawals.rejectionOf(attempt)).toBeNull();
  });
});

describe('deposits and the roots of withdrawals', () => {
  it('S5: a deposit waits in the queue if its leaf would remove the root of an admitted withdrawal', async () => {
    const early = aDepositWorld();
    await withdrawalBehind(early, 28);
    expect(await early.deposit()).toMatchObject({ submissionId: 'attempt-2' });
    const late = aDepositWorld();
    await withdrawalBehind(late, 29);
    await expect(late.deposit()).rejects.toMatchObject({
      code: 'DEPOSIT_QUEUED',
      kind: 'unavailable',
      retryAfterSeconds: 10,
    });
  });

  it('a deposit waits only for withdrawals that were admitted before the deposit', async () => {
    const world = aDepositWorld();
    const first = await withdrawalBehind(world, 29);
    const ports = { ...aWorld().ports, poolReader: world.withdrawals };
    const admission = new WithdrawalAdmission(ports, { ...policy, roots: world.traffic });
    const rejection = async (): Promise<string | undefined> => {
      const read = admission.read(pool.address, goodCalldata);
      return admission.checks.rejection(await admission.examine(read))?.code;
    };
    // No deposit waits yet, so the root is not reserved.
    expect(await rejection()).toBeUndefined();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(world.deposit()).rejects.toMatchObject({ code: 'DEPOSIT_QUEUED' });
      expect(await rejection()).toBe('ROOT_UNKNOWN');
      world.clock.pass(10_000);
    }
    world.submissions.execute(first.id, 'SUCCEEDED');
    expect(await rejection()).toBe('ROOT_UNKNOWN');
    expect(await world.deposit()).toBeDefined();
  });

  it('new withdrawals can’t use roots that a waiting deposit would remove until 30 seconds after the deposit’s last attempt', async () => {
    const world = aDepositWorld();
    await withdrawalBehind(world, 29);
    const next = depositPool.nextIndex + 29;
    await expect(world.deposit()).rejects.toMatchObject({ code: 'DEPOSIT_QUEUED' });
    world.clock.pass(29_999);
    expect(world.traffic.isWithheld(pool.address, ROOT, next)).toBe(true);
    world.clock.pass(1);
    expect(world.traffic.isWithheld(pool.address, ROOT, next)).toBe(false);
  });

  it('new withdrawals can use roots that a waiting deposit will not remove', async () => {
    const world = aDepositWorld();
    await withdrawalBehind(world, 29);
    await expect(world.deposit()).rejects.toMatchObject({ code: 'DEPOSIT_QUEUED' });
    const nextIndex = depositPool.nextIndex + 29;
    world.traffic.window.observe(pool.address, { nextIndex: nextIndex - 28, lastRoot: 77n });
    expect(world.traffic.isWithheld(pool.address, 77n, nextIndex)).toBe(false);
  });

  it('T10: new withdrawals can’t use roots of unknown age for 30 s in every 10 minutes while deposits wait for more than a minute', () => {
    const world = aDepositWorld();
    const isWithheld = (): boolean => world.traffic.isWithheld(pool.address, 77n, 40);
    const withheldAt: number[] = [];
    for (let second = 0; second < 1_300; second += 10) {
      world.traffic.wait(pool.address, 1);
      if (isWithheld()) withheldAt.push(second);
      world.clock.pass(10_000);
    }
    expect(withheldAt).toEqual([60, 70, 80, 660, 670, 680, 1_260, 1_270, 1_280]);
  });

  it('a deposit waits for a withdrawal whose root was never observed as the newest root', async () => {
    const world = aDepositWorld();
    await world.submissions.submit(withdrawal);
    await expect(world.deposit()).rejects.toMatchObject({ code: 'DEPOSIT_QUEUED' });
    world.submissions.execute('attempt-1', 'SUCCEEDED');
    expect(await world.deposit()).toMatchObject({ submissionId: 'attempt-2' });
  });

  it('an unsent deposit waits for a withdrawal that was admitted after the deposit', async () => {
    const world = aDepositWorld();
    await world.deposit();
    const { attempt } = await world.submissions.submit(withdrawal);
    await expect(
      world.revalidators.deposits.rejectionOf(attemptOf(world, 0)),
    ).rejects.toMatchObject({
      code: 'DEPOSIT_QUEUED',
    });
    // The deposit waits for the withdrawal, but the withdrawal does not wait for the deposit. So
    // there is no deadlock.
    expect(await world.revalidators.withdrawals.rejectionOf(attempt)).toBeNull();
    world.submissions.execute(attempt.id, 'SUCCEEDED');
    expect(await world.revalidators.deposits.rejectionOf(attemptOf(world, 0))).toBeNull();
  });

  it('the check of a new withdrawal reads nothing if the pool has no deposits in flight', async () => {
    const world = aDepositWorld();
    const attempt = await withdrawalBehind(world, 0);
    world.withdrawals.failReads();
    expect(await world.revalidators.withdrawals.rejectionOf(attempt)).toBeNull();
    world.clock.pass(5_000);
    await expect(world.revalidators.withdrawals.rejectionOf(attempt)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it.each([
    ['ROOT_UNKNOWN', { knownRoots: [] }],
    ['NULLIFIER_SPENT', { spentNullifiers: [NULLIFIER], knownRoots: [] }],
    ['BATCH_OUT_OF_BOUNDS', { undeployedCount: 7 }],
  ])(
    'S5 a waiting withdrawal that can no longer succeed ends with %s and costs no gas',
    async (code, changes) => {
      const world = aDepositWorld();
      const attempt = await withdrawalBehind(world, 0);
      world.clock.pass(5_000);
      world.withdrawals.set(pool.address, { ...poolState, ...changes });
      world.spending.spentByAnother(pool.address, NULLIFIER);
      expect(await world.revalidators.withdrawals.rejectionOf(attempt)).toBe(code);
    },
  );

  it('a withdrawal waits while a broadcast deposit may remove its root from the pool’s known roots', async () => {
    const world = aDepositWorld();
    await world.deposit();
    world.submissions.send('attempt-1');
    const attempt = await withdrawalBehind(world, 29);
    await expect(world.revalidators.withdrawals.rejectionOf(attempt)).rejects.toMatchObject({
      code: 'DEPOSIT_QUEUED',
      details: { scope: 'roots' },
    });
    world.submissions.execute('attempt-1', 'SUCCEEDED');
    grown(world, 30);
    world.clock.pass(5_000);
    expect(await world.revalidators.withdrawals.rejectionOf(attempt)).toBe('ROOT_UNKNOWN');
  });

  it('a withdrawal treats a deposit as sent during the last reads before the deposit’s broadcast', async () => {
    const world = aDepositWorld();
    await world.deposit();
    const deciding = world.revalidators.deposits.rejectionOf(attemptOf(world, 0));
    const attempt = await withdrawalBehind(world, 29);
    const both = await Promise.allSettled([
      deciding,
      world.revalidators.withdrawals.rejectionOf(attempt),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('S5 an attacker with 40 accounts can’t make an honest withdrawal revert', async () => {
    const world = aDepositWorld();
    const { reader, submissions, revalidators } = world;
    // When the flood of deposits begins, the pool still accepts the withdrawal’s root for ten more
    // leaves.
    const honest = await withdrawalBehind(world, 19);
    let leaves = 19;
    const land = (id: string): void => {
      submissions.execute(id, 'SUCCEEDED');
      leaves += 1;
      grown(world, leaves);
    };
    const strangers = Array.from({ length: 40 }, (_, index) => ({
      commitment: 100n + BigInt(index),
      depositor: Felts.of([5_000n + BigInt(index)]).feltAt(0),
    }));
    for (const { commitment, depositor } of strangers) {
      world.fund(depositor, 1n);
      world.sign(commitment, depositor);
    }
    const codes: string[] = [];
    for (const stranger of strangers) {
      const begun = await world.deposit(stranger).then(
        ({ submissionId }) => submissionId,
        (error: unknown) => void codes.push(String(Reflect.get(Object(error), 'code'))),
      );
      if (typeof begun !== 'string') continue;
      const attempt = submissions.attempts.find(({ id }) => id === begun);
      if (attempt === undefined) throw new Error('no attempt');
      if ((await revalidators.deposits.rejectionOf(attempt)) === null) land(begun);
    }
    expect(new Set(codes)).toEqual(new Set(['DEPOSIT_QUEUED']));
    expect(leaves).toBe(29);
    expect(reader.reads).toBeGreaterThan(40);
    world.clock.pass(60_000);
    expect(await revalidators.withdrawals.rejectionOf(honest)).toBeNull();
    expect(
      await world.withdrawals.withdrawalFacts(pool.address, {
        root: ROOT,
        nullifierHash: NULLIFIER,
        batchStart: 0,
      }),
    ).toMatchObject({
      rootKnown: true,
    });
    // The strangers’ deposits are sent again once the withdrawal has ended.
    submissions.execute(honest.id, 'SUCCEEDED');
    const last = strangers.at(-1);
    world.sign(last?.commitment ?? 0n, last?.depositor, world.clock.nowMs() + 600_000);
    expect(
      await world.deposit({ ...last, expiresAtMs: world.clock.nowMs() + 600_000 }),
    ).toBeDefined();
  });
});
