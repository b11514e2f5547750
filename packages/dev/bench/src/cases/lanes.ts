import { mkdirSync } from 'node:fs';
import { figure, figureTable, multiple, ratiosOf, spread } from '@sotto/load-kit/report';
import type { BenchCase } from '../bench.js';
import { PressedFlow, servedRounds } from '../load/serve.js';
import { inTurns } from '../measure/in-turns.js';
import { Node } from '../processes/node.js';
import { Service } from '../processes/service.js';
import { lanesOf } from '../processes/world.js';

/** Shortest block time of the network, in ms. */
const BLOCK_MS = 2_000;

/**
 * Measures how much more throughput a service has with more accounts, with default settings and the
 * network's block time.
 */
export const lanes: BenchCase = {
  title: 'More accounts',
  async run(bench) {
    const { plan, say } = bench;
    const folder = `${bench.folder}/lanes`;
    mkdirSync(folder);
    const node = await Node.start(folder, { BLOCK_MS: String(BLOCK_MS) });
    const services = new Map<number, Service>();
    for (const [index, count] of plan.lanes.counts.entries())
      services.set(
        count,
        await Service.start({
          folder,
          name: `lanes-${count}`,
          node: node.urls,
          lanes: lanesOf(index, count),
          settings: 'default',
        }),
      );
    const { callersPerLane, windowMs } = plan.lanes;
    const found = await inTurns(
      plan.rounds,
      new Map(
        [...services].map(([count, service]) => {
          const pressed = new PressedFlow(bench, service);
          return [count, () => pressed.serve({ callers: count * callersPerLane, windowMs })];
        }),
      ),
    );
    for (const service of services.values()) await service.stop();
    await node.stop();
    const measured = [...found].map(([count, served]) => ({ count, ...servedRounds(served) }));
    const [fewest, most] = [measured[0], measured.at(-1)];
    if (fewest === undefined || most === undefined) throw new Error('no number of accounts');
    for (const { count, perSecond } of measured)
      say(`accounts: ${count}, ${spread(perSecond)} a second`);
    return {
      raw: measured,
      headlines: [
        {
          what: `accounts ${fewest.count} → ${most.count}, blocks of 2 s, default settings, withdrawals per second`,
          sotto: `${spread(fewest.perSecond)} → ${spread(most.perSecond)}`,
          ...(fewest.perSecond.min > 0
            ? { ratio: multiple(ratiosOf(most.perSecond, fewest.perSecond)) }
            : {}),
          wanted: '≥ 7×',
        },
      ],
      text: `Default settings, blocks of ${BLOCK_MS / 1_000} s, ${callersPerLane} callers for each account.\n\n${figureTable(
        ['accounts', 'withdrawals/s', 'UNKNOWN'],
        measured.map(({ count, perSecond, unknown }) => [
          figure(count),
          spread(perSecond),
          figure(unknown),
        ]),
      )}`,
    };
  },
};
