import type { Bench } from '../bench.js';
import { FLOWS, type Flow, type FlowName } from './flow.js';
import { Service } from './service.js';
import { Usual } from './usual.js';
import { lanesOf } from './world.js';

const isFlowName = (name: string): name is FlowName => Object.hasOwn(FLOWS, name);
const NAMES = Object.keys(FLOWS).filter(isFlowName);

/** The flows that cases measure beside each other. */
export class Flows {
  /** Those that the next case gets too. */
  readonly #kept = new Map<FlowName, Flow>();

  /**
   * @param keeps true: a flow runs until the end, for all cases. What another case has left behind,
   *   and flows that it does not measure, are in its figures then.
   */
  constructor(private readonly keeps: boolean) {}

  /** Starts them beside each other, each with accounts of its own; PostgreSQL's only where it is. */
  async start(
    bench: Bench,
    names: readonly FlowName[],
    lanes: number,
  ): Promise<ReadonlyMap<FlowName, Flow>> {
    const flows = new Map<FlowName, Flow>();
    for (const name of names) {
      const flow = this.#kept.get(name) ?? (await startFlow(bench, name, lanes));
      if (flow === null) continue;
      flows.set(name, flow);
      if (this.keeps) this.#kept.set(name, flow);
    }
    return flows;
  }

  /** The same for one flow that runs everywhere. */
  async startOne(bench: Bench, name: Exclude<FlowName, 'postgres'>, lanes: number): Promise<Flow> {
    const flow = (await this.start(bench, [name], lanes)).get(name);
    if (flow === undefined) throw new Error(`${name} does not run`);
    return flow;
  }

  /** A case has measured them. */
  async release(flows: Iterable<Flow>): Promise<void> {
    if (!this.keeps) for (const flow of flows) await flow.stop();
  }

  async stop(): Promise<void> {
    for (const flow of this.#kept.values()) await flow.stop();
  }
}

async function startFlow(
  { folder, node, postgres, say }: Bench,
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
