import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { DryRunReport } from '../../src/index.js';
import {
  ACCOUNT_CLASS,
  DENOMINATION,
  DEPOSITOR,
  aDepositWorld,
  depositsFrom,
  from,
  times,
} from '../support/deposit-world.js';
import { spoiled } from '../support/spoiled-deposits.js';
import { pool } from '../support/world.js';

const NO_ALLOWANCE = { classHash: ACCOUNT_CLASS, balance: DENOMINATION, allowance: 0n };
const WRONG = Felts.of([1n, 2n]);

const failedIn = ({ checks }: DryRunReport): readonly string[] =>
  checks.filter(({ status }) => status === 'failed').map(({ code }) => code);
const resultOf = ({ checks }: DryRunReport, name: string): unknown =>
  checks.find(({ check }) => check === name);

describe('RelayDeposit.dryRun', () => {
  it('reports every check of a deposit in the order of the checks, and submits nothing', async () => {
    const { dryRun, submissions, requested } = aDepositWorld();
    const report = await dryRun();
    expect(report.admissible).toBe(true);
    expect(report.checks.map(({ check, code, status }) => `${check} ${code} ${status}`)).toEqual([
      'pool_served POOL_NOT_SUPPORTED passed',
      'commitment COMMITMENT_INVALID passed',
      'not_in_ledger DEPOSIT_IN_PROGRESS passed',
      'expiry DEPOSIT_EXPIRED passed',
      'queue QUEUE_FULL passed',
      'not_deposited DEPOSIT_EXISTS passed',
      'leaves POOL_NEARLY_FULL passed',
      'pool_open POOL_PAUSED passed',
      'ration DEPOSITS_RATIONED passed',
      'losses DEPOSITS_RATIONED passed',
      'depositor_deployed DEPOSITOR_NOT_DEPLOYED passed',
      'balance DEPOSIT_BALANCE_TOO_LOW passed',
      'allowance DEPOSIT_ALLOWANCE_TOO_LOW passed',
      'signature DEPOSIT_SIGNATURE_INVALID passed',
      'roots DEPOSIT_QUEUED passed',
      'simulation SIMULATION_REVERTED passed',
    ]);
    expect(submissions.attempts).toEqual([]);
    expect(requested()).toEqual([1, 1, 1, 0]);
  });

  it.each(spoiled)('reports $code first when a deposit is rejected with it', async ({ spoil }) => {
    const world = aDepositWorld();
    const changes = (await spoil(world)) ?? {};
    const { waitMs: _waitMs, ...request } = changes;
    const report = await world.dryRun(request);
    const rejected = world.deposit(changes).then(
      () => 'accepted',
      (error: unknown) => String(Reflect.get(Object(error), 'code')),
    );
    expect(failedIn(report)[0]).toBe(await rejected);
    expect(report.admissible).toBe(false);
  });

  it('skips only the check of the signature if there is none', async () => {
    const { dryRun, requested } = aDepositWorld();
    const report = await dryRun({ signature: undefined });
    expect(resultOf(report, 'signature')).toEqual({
      check: 'signature',
      code: 'DEPOSIT_SIGNATURE_INVALID',
      status: 'skipped',
      detail: 'SIGNATURE_MISSING',
    });
    expect(report.checks.filter(({ status }) => status !== 'passed')).toHaveLength(1);
    expect(report.admissible).toBe(false);
    expect(requested()).toEqual([1, 0, 1, 0]);
  });

  it('runs the other checks before an approval exists, and skips the simulation', async () => {
    const { dryRun, reader } = aDepositWorld();
    reader.setDepositor(DEPOSITOR, NO_ALLOWANCE);
    const report = await dryRun();
    expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([
      {
        check: 'allowance',
        code: 'DEPOSIT_ALLOWANCE_TOO_LOW',
        status: 'failed',
        detail: expect.any(String),
        details: { required: String(DENOMINATION) },
      },
      {
        check: 'simulation',
        code: 'SIMULATION_REVERTED',
        status: 'skipped',
        detail: 'DEPOSIT_ALLOWANCE_TOO_LOW',
      },
    ]);
  });

  it('names the failed read of the checks that need it', async () => {
    const { dryRun, reader } = aDepositWorld();
    reader.failReads();
    const report = await dryRun();
    expect(resultOf(report, 'balance')).toMatchObject({
      status: 'skipped',
      detail: 'FAKE_UPSTREAM_DOWN',
    });
    expect(failedIn(report)).toEqual([]);
  });

  it('uses no ration: a hundred dry runs leave every limit of one deposit unused', async () => {
    const rations = { perDepositor: 1, perNetwork: 1, perPool: 1 };
    const world = aDepositWorld(rations);
    const caller = from('a', 'n');
    for (const _ of times(100, (index) => index)) {
      const report = await world.dryRun({ caller, signature: undefined });
      expect(resultOf(report, 'ration')).toMatchObject({ status: 'passed' });
    }
    expect((await world.poolDeposits(1))(pool.address, 7)).toMatchObject({
      left: 1,
      rationLeft: 1,
    });
    expect(await world.deposit({ caller })).toMatchObject({ submissionId: 'attempt-1' });
    const after = await world.dryRun({ caller, commitment: 2n, signature: undefined });
    expect(resultOf(after, 'ration')).toMatchObject({
      status: 'failed',
      details: { scope: 'depositor' },
      retryAfterSeconds: 3_600,
    });
  });

  it('reserves no root for a deposit that has to wait', async () => {
    const { dryRun, traffic } = aDepositWorld();
    traffic.roomFor = async () => false;
    const report = await dryRun();
    expect(failedIn(report)).toEqual(['DEPOSIT_QUEUED']);
    expect(traffic.isWithheld(pool.address, 7_000n, 36)).toBe(false);
  });

  describe('limits of strangers', () => {
    const depositors = times(13, (index) => toFelt(0xd00000n + BigInt(index)));

    it('answers one caller for twelve depositors an hour, without an effect on other callers and deposits', async () => {
      const world = aDepositWorld({ perNetwork: 2 });
      const stranger = from('stranger', 'n');
      const [last = DEPOSITOR] = depositors.slice(-1);
      for (const depositor of depositors.slice(0, 12))
        await world.dryRun({ caller: stranger, depositor, signature: undefined });
      const reads = world.reader.reads;
      await expect(world.dryRun({ caller: stranger, depositor: last })).rejects.toMatchObject({
        code: 'DEPOSITS_RATIONED',
        details: { scope: 'caller' },
        retryAfterSeconds: 3_600,
      });
      expect(world.reader.reads).toBe(reads);
      const [first = DEPOSITOR] = depositors;
      expect(await world.dryRun({ caller: stranger, depositor: first })).toBeDefined();
      expect(await world.dryRun({ caller: from('other', 'n') })).toMatchObject({
        admissible: true,
      });
      expect(await depositsFrom(world, [['n']])).toEqual(['accepted']);
      world.clock.pass(3_600_000);
      expect(await world.dryRun({ caller: stranger, depositor: last })).toBeDefined();
    });

    it('calls at most two accounts of unknown classes at a time, and never lets a dry run wait', async () => {
      const world = aDepositWorld();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const running = times(3, async (index) => {
        const depositor = depositors[index] ?? DEPOSITOR;
        world.fund(depositor, 1n);
        world.consents.thinkUntil(depositor, held);
        return world.dryRun({ depositor, caller: from(`of ${index}`, `n ${index}`) });
      });
      await new Promise((resolve) => void setImmediate(resolve));
      release();
      const details = (await Promise.all(running)).map((report) => resultOf(report, 'signature'));
      expect(details).toMatchObject([
        { status: 'failed' },
        { status: 'failed' },
        { status: 'skipped', detail: 'OVERLOADED' },
      ]);
    });

    it('shares the limit of failed signatures and of slow accounts with deposits', async () => {
      const world = aDepositWorld();
      for (const _ of times(12, (index) => index))
        expect(failedIn(await world.dryRun({ signature: WRONG }))).toEqual([
          'DEPOSIT_SIGNATURE_INVALID',
        ]);
      expect(failedIn(await world.dryRun())).toEqual(['DEPOSITS_RATIONED']);
      await expect(world.deposit()).rejects.toMatchObject({ details: { scope: 'caller' } });
      const slow = aDepositWorld();
      slow.consents.missDeadlines(DEPOSITOR);
      expect(failedIn(await slow.dryRun())).toEqual(['DEPOSIT_SIGNATURE_UNCHECKED']);
      expect(resultOf(await slow.dryRun(), 'signature')).toMatchObject({
        code: 'DEPOSITOR_TOO_SLOW',
        status: 'failed',
        retryAfterSeconds: 60,
      });
    });

    it('does not call an account without the pool’s denomination', async () => {
      const world = aDepositWorld();
      world.reader.setDepositor(DEPOSITOR, { ...NO_ALLOWANCE, balance: 0n });
      expect(resultOf(await world.dryRun(), 'signature')).toMatchObject({
        status: 'skipped',
        detail: 'DEPOSIT_BALANCE_TOO_LOW',
      });
      expect(world.consents.calls).toEqual([]);
    });
  });
});
