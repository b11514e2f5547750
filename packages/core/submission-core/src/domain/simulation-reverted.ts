import { publicRevertReason } from '@sotto/kernel';
import { SimulationReverted } from '../errors.js';

/**
 * Returns the error for a call that its contract would revert. The error contains the contract's
 * reason in the form that callers may see.
 */
export function simulationReverted(reason: string): SimulationReverted {
  return new SimulationReverted({ details: { reason: publicRevertReason(reason) } });
}
