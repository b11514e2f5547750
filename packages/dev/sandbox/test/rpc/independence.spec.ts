import { describe, expect, it } from '@jest/globals';
import { startHarness } from '../support/harness.js';
import { ALICE, COUNTER_1 } from '../support/world.js';

describe('several sandboxes in one process', () => {
  it('several sandboxes in one process have separate faults, clocks and chains', async () => {
    const [one, other] = [await startHarness(), await startHarness()];
    try {
      one.control.addFault({ method: 'starknet_blockNumber', fault: { kind: 'html' } });
      one.control.moveClock(1_000_000);
      await one.send({ account: ALICE, calls: [{ to: COUNTER_1, entrypoint: 'increase' }] });
      one.control.mine();
      expect(await other.result('starknet_blockNumber')).toBe(0);
      expect([
        await other.nonce(ALICE.address),
        other.control.paidInclusions(),
        other.control.counters().deliveries,
      ]).toEqual(['0x0', [], {}]);
      expect(other.control.nowMs()).toBeLessThan(one.control.nowMs());
    } finally {
      await one.stop();
      await other.stop();
    }
  });
});
