import { type Durations, durationsOf, figure, figureTable } from '@sotto/load-kit/report';
import type { Bench, BenchCase } from '../bench.js';
import { relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import { FLOWS, type Flow } from '../processes/flow.js';

const LANES = 4;

/** Measures the time until a single caller gets the response to a single withdrawal. */
export const solo: BenchCase = {
  title: 'Latency of a single withdrawal',
  async run(bench) {
    await bench.node.setLatency(0);
    const flows = await bench.flows.start(
      bench,
      ['untouched', 'pushed', 'sotto', 'usual', 'ourHash'],
      LANES,
    );
    const one = new Map([...flows].map(([name, flow]) => [name, () => alone(bench, flow)]));
    await inTurns(bench.plan.solo.warmUp, one);
    const found = new Map(
      [...(await inTurns(bench.plan.solo.count, one))].map(([name, ms]) => [name, durationsOf(ms)]),
    );
    await bench.flows.release(flows.values());
    return {
      raw: Object.fromEntries(found),
      headlines: [
        {
          what: 'response time of a single withdrawal at default settings, pre-confirmed after 100 ms',
          sotto: `${medianAndTail(found.get('untouched'))}; with WebSocket ${medianAndTail(found.get('pushed'))}`,
          usual: medianAndTail(found.get('usual')),
          ourHash: medianAndTail(found.get('ourHash')),
          wanted: '≤ 200 ms',
        },
      ],
      text: `${bench.plan.solo.count} withdrawals of each flow, one at a time, the flows in turns. Times are in milliseconds. The node pre-confirms a transaction 100 ms after its arrival, and the usual flow polls every 200 ms.\n\n${figureTable(
        ['', 'median', 'p95', 'lowest', 'highest'],
        [...found].map(([name, { p50, p95, min, max }]) => [
          name === 'sotto' ? `${FLOWS[name]}, polling every 200 ms` : FLOWS[name],
          figure(p50),
          figure(p95),
          figure(min),
          figure(max),
        ]),
      )}`,
    };
  },
};

async function alone({ withdrawals }: Bench, flow: Flow): Promise<number> {
  withdrawals.prepare(1);
  await flow.settled();
  const startMs = performance.now();
  await relay(flow, withdrawals);
  return performance.now() - startMs;
}

function medianAndTail(durations: Durations | undefined): string {
  return durations === undefined ? '' : `${figure(durations.p50)} ms, p95 ${figure(durations.p95)}`;
}
