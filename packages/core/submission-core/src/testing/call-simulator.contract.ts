import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { CallSimulator, SimulatedCall } from '../ports/call-simulator.port.js';

export interface CallSimulatorHarness {
  readonly subject: CallSimulator;
  readonly succeeds: SimulatedCall;
  readonly reverts: { readonly call: SimulatedCall; readonly reason: string };
  /** Call that only this account may make. */
  readonly restricted: {
    readonly call: SimulatedCall;
    readonly account: Felt;
    readonly rejection: string;
  };
  /** Address without an account on the chain. */
  readonly noContract: Felt;
  /**
   * Sends another transaction of the account that may make the `restricted` call; the chain accepts
   * it.
   */
  transact(): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeCallSimulatorContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<CallSimulatorHarness>,
): void {
  /**
   * Expected success with gas. Every transaction uses L2 gas. Only transactions that send messages
   * to L1 use L1 gas.
   */
  const withGas = {
    ok: true,
    gas: { l2Gas: expect.any(BigInt), l1Gas: 0n, l1DataGas: expect.any(BigInt) },
  };
  describe(`CallSimulator contract (${name})`, () => {
    let harness: CallSimulatorHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('a valid call can be simulated successfully any number of times', async () => {
      expect(await harness.subject.simulate(harness.succeeds)).toEqual({ ok: true });
      expect(await harness.subject.simulate(harness.succeeds)).toEqual({ ok: true });
    });

    it('returns the contract’s revert reason unchanged', async () => {
      const { call, reason } = harness.reverts;
      expect(await harness.subject.simulate(call)).toEqual({ ok: false, reason });
    });

    it('simulates a call as the given account, or without a caller if no account is given', async () => {
      const { call, account, rejection } = harness.restricted;
      expect(await harness.subject.simulate(call)).toEqual({ ok: false, reason: rejection });
      expect(await harness.subject.simulate(call, account)).toEqual(withGas);
    });

    it('a valid call of an account can be simulated before and after other transactions of this account', async () => {
      const { call, account } = harness.restricted;
      expect(await harness.subject.simulate(call, account)).toEqual(withGas);
      await harness.transact();
      expect(await harness.subject.simulate(call, account)).toEqual(withGas);
      expect(
        await Promise.all([1, 2].map(async () => harness.subject.simulate(call, account))),
      ).toEqual([withGas, withGas]);
    });

    it('returns the same gas each time for the same call of an account', async () => {
      const { call, account } = harness.restricted;
      const [first, second] = [
        await harness.subject.simulate(call, account),
        await harness.subject.simulate(call, account),
      ];
      expect(first).toEqual(second);
      expect(first.ok && (first.gas?.l2Gas ?? 0n) > 0n).toBe(true);
    });

    it('returns the simulated calls of the watched entry point, and no calls of other entry points', async () => {
      const { call, account } = harness.restricted;
      const { to, entrypoint, calldata } = call;
      const watching = async (watch: string) =>
        harness.subject.simulate(call, account, { at: 'pre_confirmed', watch });
      expect(await watching(entrypoint)).toEqual({ ...withGas, watched: [{ to, calldata }] });
      expect(await watching('no_such_entrypoint')).toEqual({ ...withGas, watched: [] });
    });

    it('calls are simulated on the pre-confirmed block', async () => {
      const { call, account } = harness.restricted;
      const at = 'pre_confirmed';
      expect(await harness.subject.simulate(harness.succeeds, undefined, { at })).toEqual({
        ok: true,
      });
      expect(await harness.subject.simulate(call, account, { at })).toEqual(withGas);
      await harness.transact();
      expect(await harness.subject.simulate(call, account, { at })).toEqual(withGas);
    });

    it('returns the contract’s revert reason unchanged for a call of an account', async () => {
      const { call, reason } = harness.reverts;
      expect(await harness.subject.simulate(call, harness.restricted.account)).toEqual({
        ok: false,
        reason,
      });
    });

    it('rejects with an error for an account that is not on the chain', async () => {
      await expect(
        harness.subject.simulate(harness.succeeds, harness.noContract),
      ).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.simulate(harness.succeeds)).rejects.toBeInstanceOf(DomainError);
      await expect(
        harness.subject.simulate(harness.succeeds, harness.restricted.account),
      ).rejects.toBeInstanceOf(DomainError);
    });
  });
}
