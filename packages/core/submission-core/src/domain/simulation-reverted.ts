import { publicRevertReason } from '@sotto/kernel';
import { SimulationReverted } from '../errors.js';

/**
 * Returns the error for a call that its contract would revert. The error contains the public form
 * of the contract's reason.
 */
export function simulationReverted(reason: string): SimulationReverted {
  return new SimulationReverted({ details: { reason: publicRevertReason(reason) } });
}
