import { FLOWS, type Flow, type FlowName } from './flow.js';
import type { Node } from './node.js';
import { Service } from './service.js';
import type { Postgres } from './store.js';
import { Usual } from './usual.js';
import { lanesOf } from './world.js';

const isFlowName = (name: string): name is FlowName => Object.hasOwn(FLOWS, name);
const NAMES = Object.keys(FLOWS).filter(isFlowName);

/** Processes, folder and output that a flow needs. */
interface FlowSurroundings {
  readonly node: Node;
  readonly postgres: Postgres;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** Starts and stops the flows that the cases compare. */
export class Flows {
  /** Running flows that are not stopped after a case, because the next case uses them again. */
  readonly #kept = new Map<FlowName, Flow>();

  /**
   * Creates the flows.
   * @param keeps true to run each flow until the end of the run, for all cases. Figures of a case
   *   are then affected by unfinished work of earlier cases, and by flows that the case does not
   *   measure.
   */
  constructor(private readonly keeps: boolean) {}

  /**
   * Starts the flows, each with separate accounts. The flow with PostgreSQL is omitted if no server
   * is installed.
   */
  async start(
    surroundings: FlowSurroundings,
    names: readonly FlowName[],
    lanes: number,
  ): Promise<ReadonlyMap<FlowName, Flow>> {
    const flows = new Map<FlowName, Flow>();
    for (const name of names) {
      const flow = this.#kept.get(name) ?? (await startFlow(surroundings, name, lanes));
      if (flow === null) continue;
      flows.set(name, flow);
      if (this.keeps) this.#kept.set(name, flow);
    }
    return flows;
  }

  /** Starts one flow that can run on every machine. */
  async startOne(
    surroundings: FlowSurroundings,
    name: Exclude<FlowName, 'postgres'>,
    lanes: number,
  ): Promise<Flow> {
    const flow = (await this.start(surroundings, [name], lanes)).get(name);
    if (flow === undefined) throw new Error(`${name} does not run`);
    return flow;
  }

  /** Stops the flows of a finished case, unless the next case uses them again. */
  async release(flows: Iterable<Flow>): Promise<void> {
    if (!this.keeps) for (const flow of flows) await flow.stop();
  }

  async stop(): Promise<void> {
    for (const flow of this.#kept.values()) await flow.stop();
  }
}

async function startFlow(
  { folder, node, postgres, say }: FlowSurroundings,
  name: FlowName,
  count: number,
): Promise<Flow | null> {
  const common = { folder, node: node.urls, lanes: lanesOf(NAMES.indexOf(name), count) };
  switch (name) {
    case 'sotto':
      return Service.start({ ...common, name });
    case 'untouched':
      return Service.start({ ...common, name, settings: 'default' });
    case 'pushed':
      return Service.start({
        ...common,
        name,
        settings: 'default',
        env: { STARKNET_WS_URL: node.urls.wsUrl },
      });
    case 'postgres': {
      const store = await postgres.store();
      if (store === null) say('no PostgreSQL runs here');
      return store === null ? null : Service.start({ ...common, name, store });
    }
    case 'usual':
      return Usual.start(common);
    case 'ourHash':
      return Usual.start({ ...common, hash: 'ours' });
  }
}
