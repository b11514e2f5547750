import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { FairLanes } from '../../src/application/lane/fair-lanes.js';

const LANE = toFelt(1n);
const OTHER = toFelt(2n);
const MINUTE_MS = 60_000;

describe('the rest of an instance that was unable to send', () => {
  let clock: ManualClock;
  let announced: readonly Felt[];
  let lanes: FairLanes;
  beforeEach(() => {
    clock = new ManualClock();
    announced = [];
    const ledger = {
      announce: async (_instance: string, able: readonly Felt[]) => {
        announced = able;
        return [];
      },
    };
    lanes = new FairLanes(
      { ledger, clock, logger: silentLogger, lanesChanged: () => undefined },
      { instance: 'one', leaseTtlMs: 15_000, lanes: [{ address: LANE, role: 'relay' }] },
    );
  });

  /** Hands a lane over while this instance is unable. Returns the length of the rest in minutes. */
  async function rest(): Promise<number> {
    lanes.expire();
    await lanes.share([]);
    lanes.handedOver({ address: LANE, to: 'two' }, { waitsForNode: false });
    for (let minutes = 0; ; minutes += 1) {
      lanes.expire();
      await lanes.share([OTHER]);
      if (announced.length > 0) return minutes;
      clock.advance(MINUTE_MS);
    }
  }

  it('a rest doubles with each repetition, up to fifteen minutes', async () => {
    const rests: number[] = [];
    for (let repetition = 0; repetition < 6; repetition += 1) rests.push(await rest());
    expect(rests).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('a rest has its first length again after fifteen minutes without a hand-over', async () => {
    await rest();
    await rest();
    clock.advance(15 * MINUTE_MS);
    expect(await rest()).toBe(1);
  });

  it('a second hand-over during a rest does not extend the rest', async () => {
    await lanes.share([]);
    lanes.handedOver({ address: LANE, to: 'two' }, { waitsForNode: false });
    clock.advance(MINUTE_MS / 2);
    lanes.handedOver({ address: LANE, to: 'two' }, { waitsForNode: false });
    clock.advance(MINUTE_MS / 2);
    await lanes.share([OTHER]);
    expect(announced).toEqual([OTHER]);
  });
});
