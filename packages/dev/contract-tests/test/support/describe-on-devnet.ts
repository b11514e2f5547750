import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';

/** Declares tests that need starknet-devnet, and skips them if starknet-devnet is not installed. */
export function describeOnDevnet(name: string, tests: () => void): void {
  (findDevnet() === undefined ? describe.skip : describe)(name, tests);
}
