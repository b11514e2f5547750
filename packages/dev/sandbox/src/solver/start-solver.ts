import { close, listen } from '../http/server.js';
import { SOLVER_PATHS, createSolverServer } from './server.js';
import { Solver, type SolverSettings } from './solver.js';

/** Options to start the solver. All options have defaults. */
export interface SolverOptions extends Partial<SolverSettings> {
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** @default 0, which selects a free port */
  readonly port?: number | undefined;
  /**
   * Function that returns the time in milliseconds since the Unix epoch. @default the machine's
   * clock
   */
  readonly nowMs?: (() => number) | undefined;
}

/** A running solver. */
export interface RunningSolver {
  /** URL of the endpoints `/quote` and `/status` of the specification. */
  readonly bridgeUrl: string;
  /** URL of 1Click's endpoints `/v0/…`. */
  readonly oneClickUrl: string;
  /** URL that accepts control commands for the solver, with POST. */
  readonly controlUrl: string;
  readonly control: Solver;
  /** Stops the server and closes open connections. */
  stop(): Promise<void>;
}

/**
 * Starts a bridge solver that also simulates the source chains. One process can run several
 * solvers.
 */
export async function startSolver({
  host = '127.0.0.1',
  port = 0,
  nowMs = Date.now,
  ...settings
}: SolverOptions = {}): Promise<RunningSolver> {
  const control = new Solver(nowMs, settings);
  const server = createSolverServer(control);
  const origin = await listen(server, host, port);
  return {
    bridgeUrl: origin + SOLVER_PATHS.spec,
    oneClickUrl: origin + SOLVER_PATHS.oneClick,
    controlUrl: origin + SOLVER_PATHS.control,
    control,
    stop: () => close(server),
  };
}
