import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { SwapVerdicts } from '../../swaps/ports/swap-verdicts.port.js';

export interface SwapVerdictsHarness {
  /** Of a ledger without attempts. */
  readonly subject: SwapVerdicts;
  /** An attempt of this role ends; resolves to its id. Attempts of one key follow each other. */
  end(attempt: {
    readonly key: string;
    readonly role: 'swap_owner' | 'relay';
    readonly state: 'reverted' | 'succeeded';
    readonly endedAtMs: number;
  }): Promise<string>;
  /** Another instance's, or this one's after a restart, on the same store. */
  reopen(): Promise<SwapVerdicts>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_760_000_000_000;
const AGAIN = { kind: 'again', decidedAtMs: NOW_MS } as const;
const OVER = { kind: 'over', decidedAtMs: NOW_MS + 1 } as const;

export function describeSwapVerdictsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapVerdictsHarness>,
): void {
  describe(`SwapVerdicts contract (${name})`, () => {
    let harness: SwapVerdictsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('keeps the first verdict of an attempt', async () => {
      const { subject } = harness;
      expect(await subject.find('a')).toBeNull();
      expect(await subject.decide('a', AGAIN)).toEqual({ standing: AGAIN, isOurs: true });
      expect(await subject.decide('a', OVER)).toEqual({ standing: AGAIN, isOurs: false });
      expect(await subject.decide('b', OVER)).toEqual({ standing: OVER, isOurs: true });
      expect([await subject.find('a'), await subject.find('b')]).toEqual([AGAIN, OVER]);
    });

    it('lets one of many decide, also in two instances', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const decided = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).decide('a', {
            kind: 'again',
            decidedAtMs: NOW_MS + index,
          }),
        ),
      );
      expect(decided.filter(({ isOurs }) => isOurs)).toHaveLength(1);
      expect(new Set(decided.map(({ standing }) => standing.decidedAtMs)).size).toBe(1);
    });

    it('finds swaps that have reverted of late, and have neither a verdict nor a later attempt', async () => {
      const { subject } = harness;
      const reverted = { role: 'swap_owner', state: 'reverted' } as const;
      await harness.end({ ...reverted, key: 'old', endedAtMs: NOW_MS - 1 });
      const first = await harness.end({ ...reverted, key: 'twice', endedAtMs: NOW_MS });
      await harness.end({ ...reverted, key: 'withdrawal', role: 'relay', endedAtMs: NOW_MS });
      await harness.end({ ...reverted, key: 'done', state: 'succeeded', endedAtMs: NOW_MS });
      const once = await harness.end({ ...reverted, key: 'once', endedAtMs: NOW_MS + 1 });
      expect(await subject.undecided(NOW_MS, 10)).toEqual([first, once]);
      expect(await subject.undecided(NOW_MS, 1)).toEqual([first]);
      const second = await harness.end({ ...reverted, key: 'twice', endedAtMs: NOW_MS + 2 });
      expect(await subject.undecided(NOW_MS, 10)).toEqual([once, second]);
      await subject.decide(once, AGAIN);
      expect(await subject.undecided(NOW_MS, 10)).toEqual([second]);
    });

    it('knows verdicts after a restart', async () => {
      await harness.subject.decide('a', OVER);
      expect(await (await harness.reopen()).find('a')).toEqual(OVER);
    });

    it('rejects with an error when the store does not answer', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.decide('a', OVER)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.find('a')).rejects.toBeInstanceOf(DomainError);
      await expect(subject.undecided(NOW_MS, 1)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
