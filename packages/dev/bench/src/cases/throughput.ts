import { figure, figureTable, multiple, ratiosOf, spread } from '@sotto/load-kit/report';
import type { Bench, BenchCase, Headline } from '../bench.js';
import { PressedFlow, servedRounds, type ServedRounds } from '../load/serve.js';
import { inTurns } from '../measure/in-turns.js';
import { FLOWS, type FlowName } from '../processes/flow.js';

const LANES = 4;
const ALL = ['untouched', 'sotto', 'postgres', 'usual', 'ourHash'] as const;
/**
 * Flows that slow down if they have too many callers, because these flows do not reject requests.
 */
const CHOOSY: readonly FlowName[] = ['usual', 'ourHash'];

interface Measured extends ServedRounds {
  readonly flow: FlowName;
  readonly latencyMs: number;
  /** Number of callers. For the usual flow, this number gives the highest throughput. */
  readonly callers: number;
}

/**
 * Measures withdrawals per second at several latencies of the node. The usual flow is measured with
 * the number of callers that gives its highest throughput.
 */
export const throughput: BenchCase = {
  title: 'Throughput',
  async run(bench) {
    const { node, plan } = bench;
    await node.setLatency(0);
    const flows = await bench.flows.start(bench, ALL, LANES);
    const pressed = new Map([...flows].map(([name, flow]) => [name, new PressedFlow(bench, flow)]));
    await warmUp(bench, pressed);
    const measured: Measured[] = [];
    for (const latencyMs of plan.throughput.latenciesMs) {
      await node.setLatency(latencyMs);
      measured.push(...(await atDistance(bench, latencyMs, pressed)));
    }
    await node.setLatency(0);
    await bench.flows.release(flows.values());
    return {
      raw: measured,
      headlines: plan.throughput.latenciesMs.map((latencyMs) =>
        headline(
          measured.filter((each) => each.latencyMs === latencyMs),
          latencyMs,
        ),
      ),
      text: rendered(bench, measured),
    };
  },
};

/**
 * Warms up the flows. Skips the flows that warm up anyway while their best number of callers is
 * searched.
 */
async function warmUp({ plan }: Bench, flows: ReadonlyMap<FlowName, PressedFlow>): Promise<void> {
  const { callers, warmUpMs: windowMs } = plan.throughput;
  for (const [name, flow] of flows)
    if (!CHOOSY.includes(name)) await flow.serve({ callers, windowMs });
}

async function atDistance(
  bench: Bench,
  latencyMs: number,
  flows: ReadonlyMap<FlowName, PressedFlow>,
): Promise<readonly Measured[]> {
  const { plan, say } = bench;
  const { windowMs, callers } = plan.throughput;
  const chosen = new Map<FlowName, number>();
  for (const [name, flow] of flows)
    chosen.set(name, CHOOSY.includes(name) ? await bestCallers(bench, flow) : callers);
  const found = await inTurns(
    plan.rounds,
    new Map(
      [...flows].map(([name, flow]) => [
        name,
        () => flow.serve({ callers: chosen.get(name) ?? callers, windowMs }),
      ]),
    ),
  );
  return [...found].map(([flow, served]) => {
    const rounds = servedRounds(served);
    say(`${FLOWS[flow]}: ${spread(rounds.perSecond)} a second at ${latencyMs} ms`);
    return { flow, latencyMs, callers: chosen.get(flow) ?? callers, ...rounds };
  });
}

/** Returns the number of callers at which a flow has the highest throughput. */
async function bestCallers({ plan, say }: Bench, flow: PressedFlow): Promise<number> {
  const { usualCallers, searchMs: windowMs } = plan.throughput;
  let best = { callers: 1, perSecond: 0 };
  for (const callers of usualCallers) {
    const { perSecond } = await flow.serve({ callers, windowMs });
    if (perSecond > best.perSecond) best = { callers, perSecond };
  }
  say(`best at ${best.callers} callers: ${figure(best.perSecond)} a second`);
  return best.callers;
}

function headline(measured: readonly Measured[], latencyMs: number): Headline {
  const of = (flow: FlowName): Measured | undefined => measured.find((each) => each.flow === flow);
  const text = (flow: FlowName): string => {
    const found = of(flow);
    return found === undefined ? '' : spread(found.perSecond);
  };
  const [untouched, usual] = [of('untouched'), of('usual')];
  const isServed = usual !== undefined && usual.perSecond.min > 0;
  return {
    what: `withdrawals per second at default settings, node latency ${latencyMs} ms`,
    sotto: text('untouched'),
    usual: text('usual'),
    ourHash: text('ourHash'),
    ...(untouched !== undefined && isServed
      ? { ratio: multiple(ratiosOf(untouched.perSecond, usual.perSecond)) }
      : {}),
    wanted: '≥ 60',
  };
}

function rendered({ plan }: Bench, measured: readonly Measured[]): string {
  const { latenciesMs, callers } = plan.throughput;
  const cell = (flow: FlowName, latencyMs: number): string => {
    const found = measured.find((each) => each.flow === flow && each.latencyMs === latencyMs);
    if (found === undefined) return '';
    const unknown = found.unknown === 0 ? '' : `; ${figure(found.unknown)} UNKNOWN`;
    const at = found.callers === callers ? '' : `; ${figure(found.callers)} callers`;
    return `${spread(found.perSecond)}${at}${unknown}`;
  };
  return `Succeeded withdrawals per second, with ${LANES} accounts and ${callers} callers. For the usual flow, the best number of callers was chosen from ${plan.throughput.usualCallers.join(', ')}. Responses before the outcome was known are counted separately, as UNKNOWN.\n\n${figureTable(
    ['node latency', ...latenciesMs.map((ms) => `${ms} ms`)],
    ALL.filter((flow) => measured.some((each) => each.flow === flow)).map((flow) => [
      flow === 'sotto' || flow === 'postgres' ? `${FLOWS[flow]}, tuned` : FLOWS[flow],
      ...latenciesMs.map((latencyMs) => cell(flow, latencyMs)),
    ]),
  )}`;
}
