import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@sotto/kernel';
import type { CallSimulator, SimulatedCall } from '../ports/call-simulator.port.js';

export interface CallSimulatorHarness {
  readonly subject: CallSimulator;
  readonly succeeds: SimulatedCall;
  readonly reverts: { readonly call: SimulatedCall; readonly reason: string };
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeCallSimulatorContract(name: string, start: () => Promise<CallSimulatorHarness>): void {
  describe(`CallSimulator contract (${name})`, () => {
    let harness: CallSimulatorHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('lets a good call pass, any number of times', async () => {
      expect(await harness.subject.simulate(harness.succeeds)).toEqual({ ok: true });
      expect(await harness.subject.simulate(harness.succeeds)).toEqual({ ok: true });
    });

    it("gives the contract's own words for a revert", async () => {
      const { call, reason } = harness.reverts;
      expect(await harness.subject.simulate(call)).toEqual({ ok: false, reason });
    });

    it('rejects with a fault when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.simulate(harness.succeeds)).rejects.toBeInstanceOf(Fault);
    });
  });
}
