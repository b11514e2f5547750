import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { Terms } from '@sotto/submission-core';
import type {
  SettlementHistory,
  MoneyEntry,
} from '../../circuit-breaker/ports/settlement-history.port.js';

/** Attempt that a test adds to the history, with its end. */
export interface StagedAttempt extends Omit<MoneyEntry, 'id' | 'state' | 'revertReason'> {
  /**
   * State in which the attempt ended. `cancelled`: a no-op consumed its nonce and was charged
   * `gasPaidFri`; the attempt expired.
   */
  readonly end: 'succeeded' | 'reverted' | 'refused' | 'cancelled';
  /** Effect of the attempt. @default a different effect for each attempt */
  readonly effect?: string;
}

export interface SettlementHistoryHarness {
  /** Settlement history under test, without any entry at the start. */
  readonly subject: SettlementHistory;
  end(attempt: StagedAttempt): Promise<void>;
  /** Adds an attempt in flight. @param isSent true if an account has signed the attempt's call */
  begin(
    attempt: Pick<StagedAttempt, 'key' | 'kind' | 'subject' | 'role' | 'terms' | 'acceptedAtMs'>,
    isSent?: boolean,
  ): Promise<void>;
  /** Redacts the private data of every ended attempt. */
  wipe(): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Revert reason of all reverted attempts in these tests. */
export const REVERT_REASON = 'already withdrawn';
const NOW_MS = 1_760_000_000_000;
const ALL = 1_000;

const terms: Terms = {
  // This amount exceeds the range of database integers and doubles.
  feeAmount: 2n ** 70n,
  feeToken: toFelt('0x37b'),
  costFri: 2n ** 100n,
  strkUsdE8: 4_300_000n,
  feeTokenUsdE8: 6_000_000_000_000n,
};

const PURPOSE = { kind: 'withdraw', subject: toFelt('0xaa1') };

const anAttempt = (name: string, changes: Partial<StagedAttempt> = {}): StagedAttempt => ({
  key: name,
  ...PURPOSE,
  end: 'succeeded',
  role: 'relay',
  terms,
  gasPaidFri: 2n ** 90n,
  acceptedAtMs: NOW_MS - 20_000,
  endedAtMs: NOW_MS,
  ...changes,
});

export function describeSettlementHistoryContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SettlementHistoryHarness>,
): void {
  describe(`SettlementHistory contract (${name})`, () => {
    let harness: SettlementHistoryHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });
    const keysSince = async (sinceMs: number, limit = ALL): Promise<readonly string[]> =>
      (await harness.subject.ended(sinceMs, limit)).map(({ key }) => key);

    it('returns the fee terms of an ended attempt and the gas charge that was paid for it', async () => {
      const { end: _, ...rest } = anAttempt('a');
      await harness.end(anAttempt('a'));
      expect(await harness.subject.ended(0, ALL)).toEqual([
        { ...rest, id: expect.any(String), state: 'succeeded', revertReason: null },
      ]);
    });

    it.each([
      ['reverted', 'reverted', 2n ** 90n],
      ['refused', 'refused', 0n],
      ['cancelled', 'expired', 2n ** 90n],
    ] as const)(
      'returns the gas charge and the terms of an attempt that was %s',
      async (end, state, gasPaidFri) => {
        await harness.end(anAttempt('a', { end, gasPaidFri }));
        expect(await harness.subject.ended(0, ALL)).toMatchObject([
          { state, gasPaidFri, terms, endedAtMs: NOW_MS },
        ]);
      },
    );

    it('returns the bounds of the terms, before and after private data is redacted', async () => {
      const sponsored = { ...terms, bounds: 'sponsor=wallet' };
      await harness.end(anAttempt('a', { terms: sponsored }));
      expect(await harness.subject.ended(0, ALL)).toMatchObject([{ terms: sponsored }]);
      await harness.wipe();
      expect(await harness.subject.ended(0, ALL)).toMatchObject([{ terms: sponsored }]);
    });

    it('returns null as the fee terms of an attempt that earns no fee', async () => {
      await harness.end(anAttempt('deploy', { terms: null }));
      await harness.begin(anAttempt('another', { terms: null }));
      expect(await harness.subject.ended(0, ALL)).toMatchObject([
        { terms: null, gasPaidFri: 2n ** 90n },
      ]);
      expect(await harness.subject.live()).toMatchObject([{ costFri: null }]);
    });

    it('returns the attempts that ended at or after a given time, oldest first', async () => {
      await harness.end(anAttempt('early', { endedAtMs: NOW_MS - 1 }));
      await harness.end(anAttempt('on-time', { endedAtMs: NOW_MS }));
      await harness.end(anAttempt('later', { endedAtMs: NOW_MS + 1 }));
      expect(await keysSince(NOW_MS)).toEqual(['on-time', 'later']);
      expect(await keysSince(0)).toEqual(['early', 'on-time', 'later']);
      expect(await keysSince(0, 2)).toEqual(['on-time', 'later']);
      expect(await keysSince(NOW_MS + 2)).toEqual([]);
    });

    it('returns the expected cost of each attempt that has not ended', async () => {
      await harness.end(anAttempt('over'));
      await harness.begin(anAttempt('first', { acceptedAtMs: NOW_MS - 5 }));
      await harness.begin(anAttempt('second', { acceptedAtMs: NOW_MS - 4 }));
      const each = { ...PURPOSE, role: 'relay', isWaiting: true, costFri: 2n ** 100n };
      expect(await harness.subject.live()).toEqual([
        { key: 'first', ...each, acceptedAtMs: NOW_MS - 5 },
        { key: 'second', ...each, acceptedAtMs: NOW_MS - 4 },
      ]);
      expect(await keysSince(0)).toEqual(['over']);
    });

    it('T6: returns the role of each attempt that has not ended', async () => {
      await harness.begin(anAttempt('sent', { acceptedAtMs: NOW_MS - 5 }), true);
      await harness.begin(
        anAttempt('waiting', { role: 'swap_owner', acceptedAtMs: NOW_MS - 4 }),
        false,
      );
      expect(await harness.subject.live()).toMatchObject([
        { key: 'sent', role: 'relay', isWaiting: false },
        { key: 'waiting', role: 'swap_owner', isWaiting: true },
      ]);
    });

    it('returns the revert reason of an attempt and the role of its account', async () => {
      await harness.end(anAttempt('a', { end: 'reverted', role: 'swap_owner' }));
      expect(await harness.subject.ended(0, ALL)).toMatchObject([
        { role: 'swap_owner', revertReason: REVERT_REASON },
      ]);
    });

    it('returns only the reverted attempts with the given key', async () => {
      const key = 'twice';
      const swap = { key, end: 'reverted', role: 'swap_owner' } as const;
      await harness.end(anAttempt('', { ...swap, effect: 'first', endedAtMs: NOW_MS - 9 }));
      await harness.end(
        anAttempt('', {
          ...swap,
          effect: 'again',
          acceptedAtMs: NOW_MS - 8,
          endedAtMs: NOW_MS - 5,
        }),
      );
      await harness.end(
        anAttempt('', { key, end: 'cancelled', endedAtMs: NOW_MS, acceptedAtMs: NOW_MS - 4 }),
      );
      await harness.end(anAttempt('other', { end: 'reverted' }));
      await harness.begin(anAttempt('', { key, acceptedAtMs: NOW_MS }));
      const reverted = { state: 'reverted', role: 'swap_owner', revertReason: REVERT_REASON };
      const reverts = await harness.subject.revertsOf(key);
      expect(reverts.toSorted((a, b) => a.endedAtMs - b.endedAtMs)).toEqual([
        { ...reverted, effect: 'first', endedAtMs: NOW_MS - 9 },
        { ...reverted, effect: 'again', endedAtMs: NOW_MS - 5 },
      ]);
      expect(await harness.subject.revertsOf('unknown')).toEqual([]);
    });

    it('ended attempts do not change when private data is redacted', async () => {
      await harness.end(anAttempt('a'));
      await harness.end(anAttempt('b', { end: 'cancelled' }));
      const before = await harness.subject.ended(0, ALL);
      await harness.wipe();
      expect(await harness.subject.ended(0, ALL)).toEqual(before);
      expect(before).toHaveLength(2);
    });

    it('calls of the settlement history reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.ended(0, ALL)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.revertsOf('a')).rejects.toBeInstanceOf(DomainError);
      await expect(subject.live()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
