import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { LiveCall, TrafficStore } from '../../pools/ports/traffic-store.port.js';

export type StagedCall = Pick<
  LiveCall,
  'key' | 'kind' | 'subject' | 'memo' | 'fingerprint' | 'entrypoint' | 'acceptedAtMs'
>;

export interface TrafficStoreHarness {
  /** Traffic store under test, without any attempt when a test starts. */
  readonly subject: TrafficStore;
  begin(call: StagedCall): Promise<void>;
  /** Assigns a nonce to the next attempt under the key. */
  send(key: string): Promise<void>;
  /** Ends an attempt that was sent, in the given state. */
  end(key: string, state: 'succeeded' | 'reverted' | 'refused'): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const POOL = toFelt('0xaa1');
const NOW_MS = 1_760_000_000_000;

const aDeposit = (name: string, changes: Partial<StagedCall> = {}): StagedCall => ({
  key: `0x5e|0xaa1|deposit|${name}`,
  kind: 'deposit',
  subject: POOL,
  memo: name,
  fingerprint: `depositor of ${name}`,
  entrypoint: 'deposit',
  acceptedAtMs: NOW_MS,
  ...changes,
});

export function describeTrafficStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TrafficStoreHarness>,
): void {
  describe(`TrafficStore contract (${name})`, () => {
    let harness: TrafficStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns all calls that have not ended, oldest first', async () => {
      const withdrawal = {
        key: '0x5e|0xaa1|0x7',
        kind: 'withdraw',
        subject: POOL,
        memo: '0x7',
        fingerprint: 'of a note',
        entrypoint: 'withdraw',
        acceptedAtMs: NOW_MS,
      };
      const deposit = aDeposit('0x1', { acceptedAtMs: NOW_MS + 1 });
      await harness.begin(withdrawal);
      await harness.begin(deposit);
      await harness.send(withdrawal.key);
      expect(await harness.subject.live()).toEqual([
        { ...withdrawal, id: expect.any(String), isSent: true },
        { ...deposit, id: expect.any(String), isSent: false },
      ]);
    });

    it('returns only included deposits that were accepted at or after a given time', async () => {
      const landed = [aDeposit('0x1'), aDeposit('0x2', { acceptedAtMs: NOW_MS + 1 })];
      const early = aDeposit('0x3', { acceptedAtMs: NOW_MS - 1 });
      const refused = aDeposit('0x4');
      const batch = {
        ...aDeposit('0x5'),
        key: '0x5e|0xaa1|deploy|7',
        kind: 'deploy_batch',
        entrypoint: 'deploy_batch',
      };
      const ends = ['reverted', 'succeeded', 'succeeded', 'refused', 'succeeded'] as const;
      for (const [index, call] of [early, ...landed, refused, batch].entries()) {
        await harness.begin(call);
        await harness.send(call.key);
        await harness.end(call.key, call === landed[1] ? 'reverted' : (ends[index] ?? 'refused'));
      }
      await harness.begin(aDeposit('0x6'));
      expect(await harness.subject.depositsSince(NOW_MS)).toEqual(
        landed.map(({ subject, fingerprint, acceptedAtMs }, index) => ({
          id: expect.any(String),
          subject,
          fingerprint,
          acceptedAtMs,
          hasReverted: index === 1,
        })),
      );
      expect(await harness.subject.live()).toHaveLength(1);
    });

    it('calls of the traffic store reject with an error if the store does not respond', async () => {
      await harness.breakDown();
      await expect(harness.subject.live()).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.depositsSince(0)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
