import { OpenLoad } from '@sotto/load-kit';
import { systemClock } from '@sotto/kernel';
import { figure, figureTable } from '@sotto/load-kit/report';
import type { Bench, BenchCase } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import type { Flow } from '../processes/flow.js';
import type { RequestCounts } from '../processes/node.js';

const LANES = 4;

interface RoundTrips {
  readonly withdrawals: number;
  readonly perWithdrawal: number;
  /** Requests per withdrawal, by the JSON-RPC methods that a request contained. */
  readonly byContent: Readonly<Record<string, number>>;
}

/** Methods whose requests concern a single withdrawal. */
const OWN = /starknet_(simulateTransactions|addInvokeTransaction)/;
/** Methods that poll all transactions in flight. All withdrawals share such a request. */
const TRACKING = /starknet_(getNonce|getTransaction|blockNumber|blockHashAndNumber)/;

/** Counts HTTP requests to the node per withdrawal. A batch is one request. */
export const roundTrips: BenchCase = {
  title: 'Node round trips of a withdrawal',
  async run(bench) {
    const { plan, node, flows } = bench;
    const { perSecond, pacedMs, usual: usualCount } = plan.roundTrips;
    await node.setLatency(0);
    const service = await flows.startOne(bench, 'sotto', LANES);
    // Wait before counting, because a new service first reads the chain's history.
    await systemClock.sleep(plan.roundTrips.restMs);
    await node.resetCounts();
    await systemClock.sleep(plan.roundTrips.idleMs);
    const idlePerSecond = ((await node.counts()).httpRequests / plan.roundTrips.idleMs) * 1_000;
    const sotto = await counted(bench, service, async (one) => {
      const load = new OpenLoad(async () => void (await one()));
      load.start({ perSecond });
      await systemClock.sleep(pacedMs);
      await load.end();
      return load.begun;
    });
    await flows.release([service]);
    const usualFlow = await flows.startOne(bench, 'usual', LANES);
    const usual = await counted(bench, usualFlow, async (one) => {
      await inParallel(plan.cost.callers, usualCount, one);
      return usualCount;
    });
    await flows.release([usualFlow]);
    const own = ownPart(sotto);
    const tracker = sotto.perWithdrawal - own;
    return {
      raw: { idlePerSecond, sotto, usual },
      headlines: [
        {
          what: 'node round trips per withdrawal',
          sotto: `${figure(own)} + ${figure(tracker)} shared`,
          usual: figure(usual.perWithdrawal),
          ratio: `1/${figure(usual.perWithdrawal / sotto.perWithdrawal)}`,
          wanted: '≤ 2 + shared',
        },
      ],
      text: [
        `Sotto at ${perSecond} withdrawals/s sends ${figure(own)} requests for the withdrawal itself and ${figure(tracker)} as its share of the requests for all withdrawals. More withdrawals in flight make the share smaller. Without withdrawals, Sotto sends ${figure(idlePerSecond)} requests a second.`,
        figureTable(
          ['requests per withdrawal, by methods', 'Sotto', 'usual flow'],
          [...new Set([...Object.keys(sotto.byContent), ...Object.keys(usual.byContent)])]
            .toSorted()
            .map((methods) => [
              methods.replaceAll('starknet_', ''),
              figure(sotto.byContent[methods] ?? 0),
              figure(usual.byContent[methods] ?? 0),
            ]),
        ),
      ].join('\n\n'),
    };
  },
};

async function counted(
  { node, withdrawals, say }: Bench,
  flow: Flow,
  load: (one: () => Promise<unknown>) => Promise<number>,
): Promise<RoundTrips> {
  await relay(flow, withdrawals);
  await flow.settled();
  await node.resetCounts();
  const count = await load(() => relay(flow, withdrawals));
  await flow.settled();
  const result = perWithdrawal(await node.counts(), count);
  say(`${figure(result.perWithdrawal)} requests per withdrawal`);
  return result;
}

function perWithdrawal(
  { httpRequests, httpRequestsByContent }: RequestCounts,
  withdrawals: number,
): RoundTrips {
  const byContent = Object.fromEntries(
    Object.entries(httpRequestsByContent).map(([methods, count]) => [methods, count / withdrawals]),
  );
  return { withdrawals, perWithdrawal: httpRequests / withdrawals, byContent };
}

/** Returns the number of requests that were made for one withdrawal only. */
function ownPart({ byContent }: RoundTrips): number {
  return Object.entries(byContent).reduce(
    (sum, [methods, count]) => sum + (OWN.test(methods) || !TRACKING.test(methods) ? count : 0),
    0,
  );
}
