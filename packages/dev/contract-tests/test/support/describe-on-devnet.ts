import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';

/** Tests that need starknet-devnet; shown as skipped where it is not installed. */
export function describeOnDevnet(name: string, tests: () => void): void {
  (findDevnet() === undefined ? describe.skip : describe)(name, tests);
}
