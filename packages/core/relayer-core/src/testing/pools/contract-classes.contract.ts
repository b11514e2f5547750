import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { ContractClasses, SierraVersion } from '../../pools/ports/contract-classes.port.js';

export interface ContractClassesHarness {
  readonly subject: ContractClasses;
  /** Addresses of two contracts that have the same class. */
  readonly contracts: readonly [Felt, Felt];
  readonly sierra: SierraVersion;
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeContractClassesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ContractClassesHarness>,
): void {
  describe(`ContractClasses contract (${name})`, () => {
    let harness: ContractClassesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns class hashes in the order of the addresses, with null for an address without a contract', async () => {
      const { subject, contracts, nowhere } = harness;
      const [first, none, second] = await subject.hashesAt([contracts[0], nowhere, contracts[1]]);
      expect([none, first === second, first?.startsWith('0x')]).toEqual([null, true, true]);
      expect(await subject.hashesAt([])).toEqual([]);
    });

    it('returns the Sierra version of a class', async () => {
      const [hash] = await harness.subject.hashesAt([harness.contracts[0]]);
      expect(
        hash === null || hash === undefined ? null : await harness.subject.sierraVersionOf(hash),
      ).toEqual(harness.sierra);
    });

    it('rejects with an error for a class that is not declared', async () => {
      await expect(harness.subject.sierraVersionOf(harness.nowhere)).rejects.toBeInstanceOf(
        DomainError,
      );
    });

    it('a read of class hashes or of a Sierra version rejects with an error if the node does not respond', async () => {
      const [hash] = await harness.subject.hashesAt([harness.contracts[0]]);
      await harness.breakDown();
      await expect(harness.subject.hashesAt(harness.contracts)).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.sierraVersionOf(hash ?? harness.nowhere)).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
