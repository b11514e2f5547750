import { type Durations, durationsOf, figure, figureTable } from '@sotto/load-kit/report';
import { z } from 'zod';
import type { Bench, BenchCase } from '../bench.js';
import { post } from '../load/http-client.js';
import { bodyOf, calldataOf } from '../load/withdrawals.js';

const LANES = 2;
/** Position of the proof's point A in the calldata, after the length felt. */
const POINT_A = { from: 1, to: 9 } as const;
/** Number that is added to a note's number to get a note that is never withdrawn. */
const FAR_AWAY = 5_000_000;
/** Index of a felt among the proof's hints. */
const SOME_FELT = 1_000;

interface Rejection {
  readonly what: string;
  /** HTTP status and error code, which are the same for all responses. */
  readonly answer: string;
  readonly durationsMs: Durations;
}

/** Measures the time until the service rejects a request. */
export const rejections: BenchCase = {
  title: 'Rejections',
  async run(bench) {
    const { node, flows, withdrawals } = bench;
    await node.setLatency(0);
    const service = await flows.startOne(bench, 'sotto', LANES);
    const url = `${service.url}/api/relayer/withdraw`;
    const done = withdrawals.note();
    const relayed = await post(url, bodyOf(calldataOf({ note: done })));
    if (relayed.status !== 200) throw new Error(`not relayed: ${relayed.text}`);
    await service.settled();
    const recipients = withdrawals.note();
    const found = [
      await timed(bench, url, 'malformed body', () =>
        bodyOf(calldataOf({ note: done }).with(SOME_FELT, 'no felt')),
      ),
      await timed(bench, url, 'proof that fails the pairing check', () =>
        badProof(withdrawals.note()),
      ),
      await timed(bench, url, 'duplicate: another withdrawal spent the note', () =>
        bodyOf(calldataOf({ note: done, recipient: recipients })),
      ),
      await timed(bench, url, 'repeated request of a succeeded withdrawal (not rejected)', () =>
        bodyOf(calldataOf({ note: done })),
      ),
    ];
    await flows.release([service]);
    return {
      raw: found,
      headlines: [],
      text: `One request at a time, ${bench.plan.rejections.count} of each kind, in milliseconds. The usual flow rejects none of them: it sends and pays.\n\n${figureTable(
        ['', 'response', 'p50', 'p95', 'p99'],
        found.map(({ what, answer, durationsMs: { p50, p95, p99 } }) => [
          what,
          answer,
          figure(p50),
          figure(p95),
          figure(p99),
        ]),
      )}`,
    };
  },
};

async function timed(
  { plan, say }: Bench,
  url: string,
  what: string,
  body: () => Buffer,
): Promise<Rejection> {
  const answers = new Set<string>();
  const durations: number[] = [];
  for (let index = 0; index < plan.rejections.warmUp + plan.rejections.count; index += 1) {
    const bytes = body();
    const startMs = performance.now();
    const { status, text } = await post(url, bytes);
    if (index >= plan.rejections.warmUp) durations.push(performance.now() - startMs);
    answers.add(`${status} ${Code.parse(JSON.parse(text)).code ?? ''}`.trim());
  }
  say(`${what}: ${[...answers].join(', ')}`);
  return { what, answer: [...answers].join(', '), durationsMs: durationsOf(durations) };
}

const Code = z.object({ code: z.string().optional() });

/**
 * Returns the calldata of a proof that belongs to another statement. All points are valid, so only
 * the pairing check fails.
 */
function badProof(note: number): Buffer {
  const own = calldataOf({ note });
  const anothers = calldataOf({ note: note + FAR_AWAY });
  return bodyOf([
    ...own.slice(0, POINT_A.from),
    ...anothers.slice(POINT_A.from, POINT_A.to),
    ...own.slice(POINT_A.to),
  ]);
}
