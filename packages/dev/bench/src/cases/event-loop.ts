import { OpenLoad } from '@sotto/load-kit';
import { systemClock } from '@sotto/kernel';
import { figure, figureTable, type Rounds, roundsOf, spread } from '@sotto/load-kit/report';
import type { Bench, BenchCase } from '../bench.js';
import { relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import type { LoopDelay } from '../measure/loop-delay.js';
import { FLOWS, type Flow, type FlowName } from '../processes/flow.js';

const LANES = 4;

interface Window extends LoopDelay {
  /** Number of requests that received a response during the load. */
  readonly served: number;
}

interface Delay {
  readonly flow: FlowName;
  readonly perSecond: number;
  readonly served: Rounds;
  readonly p50Ms: Rounds;
  readonly p99Ms: Rounds;
  readonly timeP99Ms: Rounds;
  readonly maxMs: Rounds;
}

/**
 * Measures event-loop delay under a steady load. Each flow is measured only at rates that it can
 * serve.
 */
export const eventLoop: BenchCase = {
  title: 'Event-loop delay',
  async run(bench) {
    const { plan, node } = bench;
    await node.setLatency(0);
    const flows = await bench.flows.start(bench, ['sotto', 'usual', 'ourHash'], LANES);
    const found: Delay[] = [];
    for (const { perSecond, flows: names } of plan.eventLoop.rates)
      found.push(...(await atRate(bench, perSecond, new Map(chosen(flows, names)))));
    await bench.flows.release(flows.values());
    const offered = (perSecond: number): number => (perSecond * plan.eventLoop.windowMs) / 1_000;
    return {
      raw: found,
      headlines: plan.eventLoop.rates.map(({ perSecond }) => {
        const of = (flow: FlowName): string => {
          const delay = found.find((each) => each.flow === flow && each.perSecond === perSecond);
          return delay === undefined
            ? ''
            : `${spread(delay.p99Ms)} ms; of the time ${spread(delay.timeP99Ms)}`;
        };
        return {
          what: `event-loop delay, p99 of samples, at ${perSecond} withdrawals/s`,
          sotto: of('sotto'),
          usual: of('usual'),
          ourHash: of('ourHash'),
          wanted: '< 5 ms',
        };
      }),
      text: `Milliseconds, at rates that the flow can serve; the usual flow can’t serve the higher rate. A stall is one sample of any length. In the percentile of the time, a stall counts by its length.\n\n${figureTable(
        [
          '',
          'withdrawals/s offered',
          'requests served',
          'p50 of samples',
          'p99 of samples',
          'p99 of the time',
          'longest',
        ],
        found.map(({ flow, perSecond, served, p50Ms, p99Ms, timeP99Ms, maxMs }) => [
          FLOWS[flow],
          figure(perSecond),
          `${spread(served)} of ${figure(offered(perSecond))}`,
          spread(p50Ms),
          spread(p99Ms),
          spread(timeP99Ms),
          spread(maxMs),
        ]),
      )}`,
    };
  },
};

function chosen(
  flows: ReadonlyMap<FlowName, Flow>,
  names: readonly FlowName[],
): readonly (readonly [FlowName, Flow])[] {
  return [...flows].filter(([name]) => names.includes(name));
}

async function atRate(
  bench: Bench,
  perSecond: number,
  flows: ReadonlyMap<FlowName, Flow>,
): Promise<readonly Delay[]> {
  const window = new Map(
    [...flows].map(([name, flow]) => [name, () => watched(bench, flow, perSecond)]),
  );
  // The first window is slow because of the warm-up, so its results are discarded.
  await inTurns(1, window);
  const found = await inTurns(bench.plan.rounds, window);
  return [...found].map(([flow, windows]) => {
    const rounds = (of: (window: Window) => number): Rounds => roundsOf(windows.map(of));
    const delay = {
      flow,
      perSecond,
      served: rounds(({ served }) => served),
      p50Ms: rounds(({ p50Ms }) => p50Ms),
      p99Ms: rounds(({ p99Ms }) => p99Ms),
      timeP99Ms: rounds(({ timeP99Ms }) => timeP99Ms),
      maxMs: rounds(({ maxMs }) => maxMs),
    };
    bench.say(
      `${FLOWS[flow]} at ${perSecond}/s: event-loop delay p99 ${spread(delay.p99Ms)} ms, of the time ${spread(delay.timeP99Ms)} ms`,
    );
    return delay;
  });
}

/** Sends requests at a constant rate during the window and measures the event-loop delay. */
async function watched(
  { plan, withdrawals }: Bench,
  flow: Flow,
  perSecond: number,
): Promise<Window> {
  const { windowMs } = plan.eventLoop;
  withdrawals.prepare((perSecond * windowMs) / 1_000);
  let answered = 0;
  const load = new OpenLoad(async () => {
    await relay(flow, withdrawals);
    answered += 1;
  });
  flow.process.watchDelay();
  load.start({ perSecond });
  await systemClock.sleep(windowMs);
  const delay = await flow.process.delay();
  const served = answered;
  // Wait until all requests are complete, so that the node has no transactions left.
  await load.end();
  await flow.settled();
  return { served, ...delay };
}
