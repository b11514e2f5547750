import { rmSync } from 'node:fs';
import {
  figure,
  figureTable,
  multiple,
  ratiosOf,
  type Rounds,
  roundsOf,
  spread,
} from '@sotto/load-kit/report';
import { Child, jsonLine } from '@sotto/process-kit';
import { z } from 'zod';
import type { Bench, BenchCase } from '../bench.js';

const PROGRAM = new URL('../processes/ledger-writer.js', import.meta.url).href;
const Round = z.object({ perSecond: z.number(), longestBlockMs: z.number() });
type Round = z.output<typeof Round>;

interface Written {
  readonly perSecond: Rounds;
  /** Longest time for which the event loop was blocked, in ms. */
  readonly longestBlockMs: Rounds;
}

/**
 * Measures the ledger without a relayer. Compares two settings for syncing SQLite's write-ahead
 * log.
 */
export const ledger: BenchCase = {
  title: 'The ledger alone',
  async run(bench) {
    const each: Round[] = [];
    const shared: Round[] = [];
    // Alternate the two variants, so that other load on the machine affects both.
    for (let round = 0; round < bench.plan.rounds; round += 1) {
      each.push(await written(bench, true));
      shared.push(await written(bench, false));
    }
    const [before, after] = [writtenIn(each), writtenIn(shared)];
    const { submissions, inFlight } = bench.plan.ledger;
    return {
      raw: { each: before, shared: after },
      headlines: [],
      text: `${submissions} submissions from the request to the settled nonce on SQLite, ${inFlight} at a time. Each submission has three writes, and each write returns when it is on disk.\n\n${figureTable(
        ['', 'SQLite syncs each commit', 'commits share a sync', 'ratio'],
        [
          row('submissions a second', before.perSecond, after.perSecond),
          row('longest stall of the event loop, ms', before.longestBlockMs, after.longestBlockMs),
        ],
      )}`,
    };
  },
};

function row(what: string, before: Rounds, after: Rounds): readonly string[] {
  return [what, spread(before), spread(after), multiple(ratiosOf(after, before))];
}

function writtenIn(rounds: readonly Round[]): Written {
  return {
    perSecond: roundsOf(rounds.map(({ perSecond }) => perSecond)),
    longestBlockMs: roundsOf(rounds.map(({ longestBlockMs }) => longestBlockMs)),
  };
}

async function written({ folder, plan, say }: Bench, syncsEach: boolean): Promise<Round> {
  const file = `${folder}/ledger-alone.sqlite`;
  const { submissions, inFlight } = plan.ledger;
  const writer = new Child({
    name: 'ledger writer',
    program: PROGRAM,
    args: [
      `--file=${file}`,
      `--submissions=${submissions}`,
      `--in-flight=${inFlight}`,
      ...(syncsEach ? ['--sync-each-commit'] : []),
    ],
  });
  try {
    const round = await writer.line(jsonLine(Round));
    const how = syncsEach ? 'each commit synced' : 'shared syncs';
    say(`${how}: ${figure(round.perSecond)} a second, ${figure(round.longestBlockMs)} ms at most`);
    return round;
  } finally {
    await writer.stop();
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(`${file}${suffix}`, { force: true });
  }
}
