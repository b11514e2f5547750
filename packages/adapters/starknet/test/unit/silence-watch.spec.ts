import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { PROBE_EVERY_MS, SilenceWatch } from '../../src/rpc/silence-watch.js';

/** Sent requests; a test can resolve or fail each request. */
class Requests {
  readonly sent: { readonly answer: (text: string) => void; readonly fail: () => void }[] = [];

  send = (): Promise<string> =>
    new Promise((resolve, reject) => {
      this.sent.push({ answer: resolve, fail: () => reject(new Error('failed')) });
    });
}

describe('SilenceWatch', () => {
  let clock: ManualClock;
  let probes: Requests;
  let watch: SilenceWatch;
  let reads: Requests;
  beforeEach(() => {
    clock = new ManualClock();
    probes = new Requests();
    reads = new Requests();
    watch = new SilenceWatch(clock, probes.send);
  });

  /**
   * Advances the time by `ms`. The pending probes fail in every interval of {@link PROBE_EVERY_MS}.
   */
  const silentFor = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += PROBE_EVERY_MS) {
      await setImmediate();
      clock.advance(PROBE_EVERY_MS);
      for (const probe of probes.sent) probe.fail();
      await setImmediate();
    }
  };

  it('T15: pending reads are sent again when a silent node responds to a probe', async () => {
    const answers = [watch.run(reads.send), watch.run(reads.send)];
    await silentFor(5_000);
    expect(reads.sent).toHaveLength(2);
    clock.advance(PROBE_EVERY_MS);
    await setImmediate();
    probes.sent.at(-1)?.answer('there');
    await setImmediate();
    expect(reads.sent).toHaveLength(4);
    for (const read of reads.sent.slice(2)) read.answer('again');
    expect(await Promise.all(answers)).toEqual(['again', 'again']);
  });

  it('a pending read is not sent again while a slow node responds to probes', async () => {
    const answer = watch.run(reads.send);
    for (let second = 0; second < 8; second += 1) {
      clock.advance(PROBE_EVERY_MS);
      await setImmediate();
      probes.sent.at(-1)?.answer('there');
      await setImmediate();
    }
    reads.sent[0]?.answer('slow');
    expect(await answer).toBe('slow');
    expect(reads.sent).toHaveLength(1);
    expect(probes.sent.length).toBeGreaterThan(4);
  });

  it('no probe is sent to a node while no read is pending', async () => {
    const answer = watch.run(reads.send);
    reads.sent[0]?.answer('one');
    await answer;
    clock.advance(60_000);
    await setImmediate();
    expect([probes.sent.length, clock.sleeping]).toEqual([0, 0]);
  });

  it('a pending read is sent again at most once', async () => {
    void watch.run(reads.send);
    for (const answered of [1, 2]) {
      await silentFor(4_000);
      clock.advance(PROBE_EVERY_MS);
      await setImmediate();
      probes.sent.at(-1)?.answer('there');
      await setImmediate();
      expect([answered, reads.sent.length]).toEqual([answered, 2]);
    }
  });

  it('a read that was sent again fails only after both requests have failed', async () => {
    const answer = watch.run(reads.send);
    const failed = answer.then(
      () => false,
      () => true,
    );
    await silentFor(4_000);
    clock.advance(PROBE_EVERY_MS);
    await setImmediate();
    probes.sent.at(-1)?.answer('there');
    await setImmediate();
    reads.sent[0]?.fail();
    await setImmediate();
    reads.sent[1]?.fail();
    expect(await failed).toBe(true);
  });

  it('a pending read fails immediately if its request fails while the node responds', async () => {
    const answer = watch.run(reads.send);
    reads.sent[0]?.fail();
    await expect(answer).rejects.toThrow('failed');
  });
});
