import type { BridgeProtocol } from '@sotto/bridge-core';
import type {
  BridgeProtocolHarness,
  BridgeProtocolState,
} from '@sotto/bridge-core/testing/contracts';
import { startSolver, type RunningSolver, type Solver, type SolverFault } from '@sotto/sandbox';

const FAULTS: Readonly<Partial<Record<BridgeProtocolState, SolverFault>>> = {
  no_route: { kind: 'refuse', status: 400, message: 'No liquidity available' },
  amount_too_low: {
    kind: 'refuse',
    status: 400,
    message: 'Amount is too low for bridge, try at least 1000',
  },
  recipient_refused: { kind: 'refuse', status: 400, message: 'recipient is not valid' },
  unknown_word: { kind: 'word', word: 'RECALIBRATING' },
  down: { kind: 'cut' },
  failing: { kind: 'refuse', status: 500, message: 'Internal server error' },
  html: { kind: 'html' },
  malformed: { kind: 'answer', body: { unexpected: true } },
};

const QUOTE_STATES: readonly BridgeProtocolState[] = [
  'no_route',
  'amount_too_low',
  'recipient_refused',
];

/** Number of times that a fault is repeated, which exceeds the number of requests of any test. */
const ALWAYS = 1_000;

function stage(control: Solver, state: BridgeProtocolState): void {
  control.clearFaults();
  const fault = FAULTS[state];
  if (fault === undefined) return;
  control.addFault({
    endpoint: QUOTE_STATES.includes(state) ? 'quote' : '*',
    fault,
    times: ALWAYS,
  });
}

/** Starts a test harness of the port on a solver that advances only on command. */
export async function startHarness(
  connect: (solver: RunningSolver) => BridgeProtocol & { close(): void },
  unknownId: string,
): Promise<BridgeProtocolHarness> {
  const solver = await startSolver({ stepMs: 'manual', refundMs: 'manual' });
  const { control } = solver;
  const subject = connect(solver);
  return {
    subject,
    unknownId,
    stage: async (state) => stage(control, state),
    deposit: async (transactionId) => void control.deposit(transactionId),
    finishStep: async (transactionId) => control.finishStep(transactionId),
    failStep: async (transactionId) => control.failStep(transactionId),
    refund: async (transactionId) => control.refund(transactionId),
    async stop() {
      subject.close();
      await solver.stop();
    },
  };
}
