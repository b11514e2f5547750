import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault, type Felt } from '@sotto/kernel';
import type { CallSimulator, SimulatedCall } from '../ports/call-simulator.port.js';

export interface CallSimulatorHarness {
  readonly subject: CallSimulator;
  readonly succeeds: SimulatedCall;
  readonly reverts: { readonly call: SimulatedCall; readonly reason: string };
  /** A call that only this account may make. */
  readonly restricted: { readonly call: SimulatedCall; readonly account: Felt; readonly refusal: string };
  /** No account of the chain. */
  readonly nobody: Felt;
  /** The restricted call's account sends a transaction of its own, which is accepted. */
  transact(): Promise<void>;
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

    it('makes a call as the account that it is told, and as nobody when it is told none', async () => {
      const { call, account, refusal } = harness.restricted;
      expect(await harness.subject.simulate(call)).toEqual({ ok: false, reason: refusal });
      expect(await harness.subject.simulate(call, account)).toEqual({ ok: true });
    });

    it('lets a good call of an account pass any number of times, before and after transactions of that account', async () => {
      const { call, account } = harness.restricted;
      expect(await harness.subject.simulate(call, account)).toEqual({ ok: true });
      await harness.transact();
      expect(await harness.subject.simulate(call, account)).toEqual({ ok: true });
      expect(await Promise.all([1, 2].map(async () => harness.subject.simulate(call, account)))).toEqual([{ ok: true }, { ok: true }]);
    });

    it("gives the contract's own words for a revert of an account's call", async () => {
      const { call, reason } = harness.reverts;
      expect(await harness.subject.simulate(call, harness.restricted.account)).toEqual({ ok: false, reason });
    });

    it('rejects with a fault for an account that does not exist', async () => {
      await expect(harness.subject.simulate(harness.succeeds, harness.nobody)).rejects.toBeInstanceOf(Fault);
    });

    it('rejects with a fault when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.simulate(harness.succeeds)).rejects.toBeInstanceOf(Fault);
      await expect(harness.subject.simulate(harness.succeeds, harness.restricted.account)).rejects.toBeInstanceOf(Fault);
    });
  });
}
