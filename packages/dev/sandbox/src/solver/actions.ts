import { z } from 'zod';
import { Natural } from '../control/natural.js';
import { HTTP_FAULTS } from '../http/faults.js';
import type { Solver, SolverSettings } from './solver.js';
import { SOLVER_STEPS } from './transfer.js';

/**
 * Control interface of the solver as JSON. The members of a control command have the names of the
 * parameters of the {@link Solver} methods.
 */

const transactionId = z.string();
const Delay = z.union([z.int().nonnegative(), z.literal('manual')]);

const Settings = z.strictObject({
  stepMs: Delay.optional(),
  refundMs: Delay.optional(),
  feeBps: z.int().min(0).max(10_000).optional(),
  minimumUsdCents: z.int().nonnegative().optional(),
  showSteps: z.boolean().optional(),
});

const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('refuse'),
    status: z.int().min(400).max(599),
    message: z.string(),
  }),
  ...HTTP_FAULTS,
  z.strictObject({ kind: z.literal('word'), word: z.string() }),
]);

/** Control command for the solver: the name of a method and its arguments. */
export const SolverAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('configure'), settings: Settings }),
  z.strictObject({ action: z.literal('deposit'), transactionId, amount: Natural.optional() }),
  z.strictObject({ action: z.literal('finishStep'), transactionId }),
  z.strictObject({ action: z.literal('failStep'), transactionId }),
  z.strictObject({ action: z.literal('failAt'), transactionId, step: z.enum(SOLVER_STEPS) }),
  z.strictObject({ action: z.literal('refund'), transactionId }),
  z.strictObject({ action: z.literal('transfer'), transactionId }),
  z.strictObject({
    action: z.literal('addFault'),
    endpoint: z.enum(['quote', 'status', 'tokens', '*']),
    fault: Fault,
    times: z.int().positive().optional(),
  }),
  z.strictObject({ action: z.literal('clearFaults') }),
  z.strictObject({ action: z.literal('requests') }),
]);

/**
 * Performs a control command and returns the result of the method. @throws RangeError if the
 * command is impossible
 */
export function performSolverAction(solver: Solver, order: z.output<typeof SolverAction>): unknown {
  switch (order.action) {
    case 'configure':
      return solver.configure(given(order.settings));
    case 'deposit':
      return solver.deposit(order.transactionId, order.amount);
    case 'finishStep':
      return solver.finishStep(order.transactionId);
    case 'failStep':
      return solver.failStep(order.transactionId);
    case 'failAt':
      return solver.failAt(order.transactionId, order.step);
    case 'refund':
      return solver.refund(order.transactionId);
    case 'transfer':
      return solver.transfer(order.transactionId);
    case 'addFault':
      return solver.addFault(order);
    case 'clearFaults':
      return solver.clearFaults();
    case 'requests':
      return solver.requests();
  }
}

function given({
  stepMs,
  refundMs,
  feeBps,
  minimumUsdCents,
  showSteps,
}: z.output<typeof Settings>): Partial<SolverSettings> {
  return {
    ...(stepMs !== undefined && { stepMs }),
    ...(refundMs !== undefined && { refundMs }),
    ...(feeBps !== undefined && { feeBps }),
    ...(minimumUsdCents !== undefined && { minimumUsdCents }),
    ...(showSteps !== undefined && { showSteps }),
  };
}
