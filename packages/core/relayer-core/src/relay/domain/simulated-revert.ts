import { publicRevertReason } from '@sotto/kernel';
import { CommitmentExists, SimulationReverted, SlippageTooTight } from '../../errors.js';

/** The router's words when less comes out than the minimum. */
const TOO_LITTLE_OUT = 'Insufficient tokens received';
/** The swap pool's words when it has a leaf with the new commitment. */
const KNOWN_COMMITMENT = 'SwapPool: commitment exists';

/**
 * The refusal of a call that a contract would revert, with the contract's words as callers may see
 * them.
 */
export function simulationReverted(reason: string): SimulationReverted {
  return new SimulationReverted({ details: { reason: publicRevertReason(reason) } });
}

/**
 * The same for `private_swap`, two of whose reverts have a code of their own: the caller can do
 * something about them.
 */
export function privateSwapReverted(
  reason: string,
): SimulationReverted | SlippageTooTight | CommitmentExists {
  if (bringsTooLittle(reason)) return new SlippageTooTight();
  if (reason.includes(KNOWN_COMMITMENT)) return new CommitmentExists();
  return simulationReverted(reason);
}

/** Whether a swap reverted, or would, because less came out than it had to bring. */
export function bringsTooLittle(reason: string): boolean {
  return reason.includes(TOO_LITTLE_OUT);
}
