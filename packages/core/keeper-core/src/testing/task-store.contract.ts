import type { TestRunner } from '@sotto/kernel/testing';
import type { TaskName } from '@sotto/facts';
import { toFelt, type Felt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { skipped, type TaskReport } from '../ports/keeper-task.js';
import type { EarnedFee, TaskStore, TaskControl } from '../ports/task-store.port.js';

export interface TaskStoreHarness {
  /** Store that contains neither commands of operators nor checks. */
  readonly subject: TaskStore;
  /** Opens the same store again, as another instance or after a restart. */
  reopen(): Promise<TaskStore>;
  /** Sets the time of the store's clock. */
  setTime(nowMs: number): void;
  /** Adds a submission of this kind that ended at this time, with the given charged gas. */
  end(kind: string, gasPaidFri: bigint, endedAtMs: number): Promise<void>;
  /**
   * Adds a submission of this kind that ended at this time in this state. If it had succeeded, it
   * would have earned the given fee.
   */
  earn(
    kind: string,
    fee: EarnedFee,
    endedAtMs: number,
    end: 'succeeded' | 'reverted',
  ): Promise<void>;
  /** Accepts a submission of this kind with the given maximum L2 gas. */
  begin(kind: string, l2Gas: bigint): Promise<void>;
  /** Creates a submission in this state; resolves to its id. */
  submitted(state: 'accepted' | 'succeeded' | 'reverted' | 'refused'): Promise<string>;
  /**
   * Records one check for each subject. The subjects' names are the numbers from `from` up to but
   * excluding `to`.
   */
  polled(task: TaskName, from: number, to: number): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_760_000_000_000;
const DAY_MS = 86_400_000;
const acted = (submissionId: string): TaskReport => ({
  outcome: 'acted',
  submissionId,
  details: { amountSats: '1250000' },
});
/** An amount above the range of database integers and doubles. */
const HUGE_FRI = 2n ** 90n;

export function describeTaskStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TaskStoreHarness>,
): void {
  describe(`TaskStore contract (${name})`, () => {
    let harness: TaskStoreHarness;
    beforeEach(async () => {
      harness = await start();
      harness.setTime(NOW_MS);
    });
    afterEach(async () => {
      await harness.stop();
    });
    const controlOf = async (
      task: TaskControl['task'],
      subject: string | null,
    ): Promise<TaskControl | undefined> =>
      (await harness.subject.controls()).find(
        (control) => control.task === task && control.subject === subject,
      );

    describe('controls', () => {
      it('a new store contains no pauses and no resumes of keeper tasks', async () => {
        expect(await harness.subject.controls()).toEqual([]);
      });

      it('pauses only the specified task or subject', async () => {
        const { subject } = harness;
        await subject.pause('curator', null, 'upgrade');
        await subject.pause('batches', 'pool_1', 'a doubt');
        harness.setTime(NOW_MS + 5);
        await subject.pause('curator', null, 'a longer upgrade');
        expect(await subject.controls()).toHaveLength(2);
        expect(await controlOf('curator', null)).toEqual({
          task: 'curator',
          subject: null,
          paused: { reason: 'a longer upgrade', sinceMs: NOW_MS },
          resumedAtMs: 0,
        });
        expect(await controlOf('batches', 'pool_1')).toEqual({
          task: 'batches',
          subject: 'pool_1',
          paused: { reason: 'a doubt', sinceMs: NOW_MS },
          resumedAtMs: 0,
        });
      });

      it('resumes only the specified task or subject and stores the time of the resume', async () => {
        const { subject } = harness;
        await subject.pause('curator', null, 'upgrade');
        await subject.pause('curator', 'trident', 'upgrade');
        harness.setTime(NOW_MS + 9);
        await subject.resume('curator', 'trident');
        await subject.resume('batches', null);
        expect(await controlOf('curator', 'trident')).toMatchObject({
          paused: null,
          resumedAtMs: NOW_MS + 9,
        });
        expect(await controlOf('batches', null)).toMatchObject({
          paused: null,
          resumedAtMs: NOW_MS + 9,
        });
        expect(await controlOf('curator', null)).toMatchObject({
          paused: { reason: 'upgrade' },
          resumedAtMs: 0,
        });
        harness.setTime(NOW_MS + 20);
        await subject.pause('curator', 'trident', 'again');
        expect(await controlOf('curator', 'trident')).toMatchObject({
          paused: { reason: 'again', sinceMs: NOW_MS + 20 },
          resumedAtMs: NOW_MS + 9,
        });
      });

      it('a second instance on the same store sees a stored pause, also after a restart', async () => {
        await harness.subject.pause('curator', 'trident', 'upgrade');
        expect(await (await harness.reopen()).controls()).toMatchObject([
          { task: 'curator', subject: 'trident', paused: { reason: 'upgrade' } },
        ]);
      });
    });

    describe('checks', () => {
      it('returns each subject’s last check and the last check with a submission', async () => {
        const { subject } = harness;
        expect(await subject.looks()).toEqual([]);
        await subject.note('curator', 'trident', acted('id-1'));
        harness.setTime(NOW_MS + 5);
        const report = skipped(
          'NOT_DUE',
          { text: 'with \u0000 and é', count: 3, isSmart: true },
          NOW_MS + 60_000,
        );
        await subject.note('curator', 'trident', report);
        expect(await subject.looks()).toEqual([
          {
            task: 'curator',
            subject: 'trident',
            atMs: NOW_MS + 5,
            report,
            sinceMs: NOW_MS + 5,
            lastActed: { atMs: NOW_MS, submissionId: 'id-1', isSettled: false },
          },
        ]);
        harness.setTime(NOW_MS + 6);
        await subject.note('curator', 'trident', acted('id-2'));
        expect(await subject.looks()).toEqual([
          {
            task: 'curator',
            subject: 'trident',
            atMs: NOW_MS + 6,
            report: acted('id-2'),
            sinceMs: NOW_MS + 6,
            lastActed: { atMs: NOW_MS + 6, submissionId: 'id-2', isSettled: false },
          },
        ]);
      });

      it('returns isSettled as true for a subject once the chain has executed the subject’s last submission', async () => {
        const { subject } = harness;
        const settled = new Map<string, boolean>();
        for (const state of ['accepted', 'succeeded', 'reverted', 'refused'] as const) {
          const submissionId = await harness.submitted(state);
          harness.setTime(NOW_MS);
          await subject.note('curator', state, acted(submissionId));
          await subject.note('curator', state, skipped('NOT_DUE'));
        }
        for (const poll of await subject.looks())
          settled.set(poll.subject, poll.lastActed?.isSettled ?? false);
        expect(Object.fromEntries(settled)).toEqual({
          accepted: false,
          succeeded: true,
          reverted: true,
          refused: false,
        });
      });

      it('the start time of an outcome does not change if only the details of the next check differ', async () => {
        const { subject } = harness;
        const since = async (): Promise<number | undefined> => (await subject.looks())[0]?.sinceMs;
        const note = async (afterMs: number, report: TaskReport): Promise<void> => {
          harness.setTime(NOW_MS + afterMs);
          await subject.note('curator', 'trident', report);
        };
        await note(0, skipped('PRICE_UNAVAILABLE'));
        await note(DAY_MS / 2, skipped('PRICE_UNAVAILABLE', { age: 7 }, NOW_MS));
        expect(await since()).toBe(NOW_MS);
        await note(DAY_MS, skipped('NOT_DUE'));
        expect(await since()).toBe(NOW_MS + DAY_MS);
        await note(DAY_MS + 1, acted('id-1'));
        await note(DAY_MS + 2, acted('id-2'));
        expect(await since()).toBe(NOW_MS + DAY_MS + 1);
        await note(DAY_MS + 3, skipped('PRICE_UNAVAILABLE'));
        expect(await since()).toBe(NOW_MS + DAY_MS + 3);
      });

      it('computes the start time of a subject’s outcome from the duration that the keeper reports', async () => {
        const { subject } = harness;
        const note = async (afterMs: number, report: TaskReport, lastedMs?: number) => {
          harness.setTime(NOW_MS + afterMs);
          await subject.note('curator', 'trident', report, lastedMs);
          return (await subject.looks())[0]?.sinceMs;
        };
        expect(await note(0, skipped('NODE_BEHIND'))).toBe(NOW_MS);
        expect(await note(10, skipped('LASTING_FAILURE'), 7)).toBe(NOW_MS + 3);
        // A repeated report with the same outcome does not change the stored start.
        expect(await note(20, skipped('LASTING_FAILURE'), 17)).toBe(NOW_MS + 3);
        expect(await note(30, skipped('LASTING_FAILURE'), 5)).toBe(NOW_MS + 3);
        expect(await note(40, skipped('NODE_BEHIND'))).toBe(NOW_MS + 40);
        await subject.note('curator', 'turbo', skipped('LASTING_FAILURE'), 50);
        const turbo = (await subject.looks()).find((poll) => poll.subject === 'turbo');
        expect(turbo).toMatchObject({ atMs: NOW_MS + 40, sinceMs: NOW_MS - 10 });
      });

      it('deletes outdated checks, the oldest first, in batches of limited size', async () => {
        const { subject } = harness;
        await harness.polled('purchases', 0, 6_000);
        await subject.note('curator', '1', skipped('NOT_DUE'));
        harness.setTime(NOW_MS + 10);
        await harness.polled('purchases', 6_000, 10_000);
        expect(await subject.looks()).toHaveLength(10_001);
        await subject.note('purchases', '7', skipped('NOT_DUE'));
        expect(await subject.forget(11, 10_000)).toBe(0);
        expect(await subject.forget(10, 4_000)).toBe(4_000);
        expect(await subject.looks()).toHaveLength(6_001);
        expect(await subject.forget(10, 4_000)).toBe(2_000);
        expect(await subject.forget(10, 4_000)).toBe(0);
        const kept = new Set((await subject.looks()).map((poll) => `${poll.task} ${poll.subject}`));
        expect(kept.size).toBe(4_001);
        for (const order of [7, 6_000, 9_999]) expect(kept).toContain(`purchases ${order}`);
      });

      it('stores the checks of each task and subject separately', async () => {
        const { subject } = harness;
        await subject.note('curator', 'turbo', skipped('BELOW_THRESHOLD'));
        await subject.note('leverage', 'turbo', skipped('AT_TARGET'));
        await subject.note('curator', 'trident', acted('id-1'));
        const looks = new Map(
          (await (await harness.reopen()).looks()).map((poll) => [
            `${poll.task} ${poll.subject}`,
            [poll.report, poll.lastActed?.submissionId ?? null],
          ]),
        );
        expect(looks).toEqual(
          new Map<string, unknown>([
            ['curator turbo', [skipped('BELOW_THRESHOLD'), null]],
            ['leverage turbo', [skipped('AT_TARGET'), null]],
            ['curator trident', [acted('id-1'), 'id-1']],
          ]),
        );
      });

      it('omits a subject’s check after a day', async () => {
        const { subject } = harness;
        await subject.note('purchases', 'order 1', acted('id-1'));
        harness.setTime(NOW_MS + DAY_MS - 1);
        expect(await subject.looks()).toHaveLength(1);
        harness.setTime(NOW_MS + DAY_MS);
        expect(await subject.looks()).toEqual([]);
        await subject.note('purchases', 'order 1', skipped('ORDER_ENDED'));
        expect(await subject.looks()).toMatchObject([{ lastActed: { submissionId: 'id-1' } }]);
      });

      it('stores one check per subject when two instances write concurrently', async () => {
        const other = await harness.reopen();
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (index % 2 === 0 ? harness.subject : other).note(
              'curator',
              'trident',
              index === 7 ? acted('id-7') : skipped('NOT_DUE', { index }),
            ),
          ),
        );
        expect(await harness.subject.looks()).toMatchObject([
          { subject: 'trident', lastActed: { submissionId: 'id-7' } },
        ]);
      });
    });

    describe('spending', () => {
      it('adds up the gas charges of ended submissions by kind and end time', async () => {
        await harness.end('deploy_idle_funds', 7n, NOW_MS - 1);
        await harness.end('deploy_idle_funds', HUGE_FRI, NOW_MS);
        await harness.end('deploy_idle_funds', 2n, NOW_MS + 1);
        await harness.end('deploy_batch', 30n, NOW_MS + 2);
        await harness.end('withdraw', 500n, NOW_MS + 3);
        const spentFri = async (...kinds: readonly string[]) =>
          (await harness.subject.spending(kinds, NOW_MS)).spentFri;
        expect(await spentFri('deploy_idle_funds')).toBe(HUGE_FRI + 2n);
        expect(await spentFri('deploy_idle_funds', 'deploy_batch')).toBe(HUGE_FRI + 32n);
        expect(await spentFri('leverage_round')).toBe(0n);
        expect(await spentFri()).toBe(0n);
      });

      it('adds up the gas limits of all live submissions of the given kinds', async () => {
        await harness.begin('deploy_idle_funds', 5_000_000n);
        await harness.begin('deploy_idle_funds', 2n ** 70n);
        await harness.begin('withdraw', 35_000_000n);
        expect(await harness.subject.spending(['deploy_idle_funds'], NOW_MS + DAY_MS)).toEqual({
          spentFri: 0n,
          liveL2Gas: 5_000_000n + 2n ** 70n,
          earned: [],
        });
      });

      it('adds up, for each token, the fees of submissions that succeeded since the given time', async () => {
        const [wbtc, usdc] = [toFelt('0xb7c'), toFelt('0xdc')];
        const earn = (token: Felt, amount: bigint, afterMs: number) =>
          harness.earn('execute_order', { token, amount }, NOW_MS + afterMs, 'succeeded');
        await earn(usdc, 5n, -1);
        await earn(wbtc, HUGE_FRI, 0);
        await earn(usdc, 70n, 1);
        await earn(wbtc, 2n, 2);
        await harness.earn('execute_order', { token: wbtc, amount: 9n }, NOW_MS + 3, 'reverted');
        await harness.earn('withdraw', { token: wbtc, amount: 9n }, NOW_MS + 4, 'succeeded');
        const { earned } = await harness.subject.spending(['execute_order'], NOW_MS);
        expect(earned).toEqual([
          { token: wbtc, amount: HUGE_FRI + 2n },
          { token: usdc, amount: 70n },
        ]);
      });
    });

    it('calls of the task store reject with LedgerUnavailable while the store is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      for (const call of [
        subject.controls(),
        subject.pause('curator', null, 'upgrade'),
        subject.resume('curator', null),
        subject.looks(),
        subject.note('curator', 'trident', skipped('NOT_DUE')),
        subject.forget(0, 1),
        subject.spending(['deploy_idle_funds'], 0),
      ])
        await expect(call).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
