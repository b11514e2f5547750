import { publicRevertReason } from '@sotto/kernel';
import { SimulationReverted } from '../errors.js';

/**
 * Returns the error of a call that a contract would revert, with the contract's reason as callers
 * may see it.
 */
export function simulationReverted(reason: string): SimulationReverted {
  return new SimulationReverted({ details: { reason: publicRevertReason(reason) } });
}
