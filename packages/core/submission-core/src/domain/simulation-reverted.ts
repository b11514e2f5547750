import { publicRevertReason } from '@sotto/kernel';
import { SimulationReverted } from '../errors.js';

/**
 * The refusal of a call that a contract would revert, with the contract's words as callers may see
 * them.
 */
export function simulationReverted(reason: string): SimulationReverted {
  return new SimulationReverted({ details: { reason: publicRevertReason(reason) } });
}
