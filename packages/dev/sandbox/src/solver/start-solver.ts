import { close, listen } from '../http/server.js';
import { SOLVER_PATHS, createSolverServer } from './server.js';
import { Solver, type SolverSettings } from './solver.js';

/** How the solver starts; everything has a default. */
export interface SolverOptions extends Partial<SolverSettings> {
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** @default 0, a free port */
  readonly port?: number | undefined;
  /** Its time, in milliseconds since the Unix epoch. @default the machine's */
  readonly nowMs?: (() => number) | undefined;
}

/** A running solver. */
export interface RunningSolver {
  /** Where `/quote` and `/status` of the specification are served. */
  readonly bridgeUrl: string;
  /** Where `/v0/…` of 1Click is served. */
  readonly oneClickUrl: string;
  /** Takes control orders by POST. */
  readonly controlUrl: string;
  readonly control: Solver;
  /** Ends server and open connections. */
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
