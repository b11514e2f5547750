import { close, listen } from '../http/server.js';
import { SOLVER_PATHS, createSolverServer } from './server.js';
import { Solver, type SolverSettings } from './solver.js';

/** Start options of the solver; all have a default. */
export interface SolverOptions extends Partial<SolverSettings> {
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** @default 0, a free port */
  readonly port?: number | undefined;
  /** Clock in milliseconds since the Unix epoch. @default the machine's */
  readonly nowMs?: (() => number) | undefined;
}

/** A running solver. */
export interface RunningSolver {
  /** URL of the specification's `/quote` and `/status`. */
  readonly bridgeUrl: string;
  /** URL of 1Click's `/v0/…`. */
  readonly oneClickUrl: string;
  /** URL that receives commands by POST. */
  readonly controlUrl: string;
  readonly control: Solver;
  /** Stops the server and closes open connections. */
  stop(): Promise<void>;
}

/** Starts a bridge solver that plays its source chains; several can run in one process. */
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
