import type { Bench } from '../bench.js';
import { FLOWS, type Flow, type FlowName } from './flow.js';
import { Service } from './service.js';
import { Usual } from './usual.js';
import { lanesOf } from './world.js';

const isFlowName = (name: string): name is FlowName => Object.hasOwn(FLOWS, name);
const NAMES = Object.keys(FLOWS).filter(isFlowName);

/** Starts them beside each other, each with accounts of its own; PostgreSQL's only where it is. */
export async function startFlows(
  bench: Bench,
  names: readonly FlowName[],
  lanes: number,
): Promise<ReadonlyMap<FlowName, Flow>> {
  const flows = new Map<FlowName, Flow>();
  for (const name of names) {
    const flow = await startFlow(bench, name, lanes);
    if (flow !== null) flows.set(name, flow);
  }
  return flows;
}

export async function stopFlows(flows: ReadonlyMap<FlowName, Flow>): Promise<void> {
  for (const flow of flows.values()) await flow.stop();
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
