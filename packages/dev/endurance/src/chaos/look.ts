import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { systemClock } from '@sotto/kernel';
import type { Service } from '@sotto/process-kit';
import { z } from 'zod';

/** What opens the operator's routes of a service under chaos. */
export const OPERATOR_TOKEN = 'chaos-operator-token-0123456789abcdef';

const Reason = z.object({ code: z.string(), component: z.string() });
const Lane = z.object({
  state: z.string(),
  reason: z.string().nullable(),
  configured: z.boolean(),
  openNonces: z.int(),
});
const Status = z.object({
  verdict: z.object({
    reasons: z.array(Reason),
    pools: z.array(
      z.object({ key: z.string(), canWithdraw: z.boolean(), reasons: z.array(Reason) }),
    ),
  }),
  lanes: z.array(Lane),
  alarms: z.object({ foreignTransactions: z.int(), sharedInstanceIds: z.int() }),
  ledger: z.object({ state: z.string() }),
  clockSkewSeconds: z.object({ store: z.number().nullable(), chain: z.number().nullable() }),
  nodes: z.array(z.object({ disagreements: z.array(z.string()) })),
});

/** What an operator sees in one look at the status of a service. */
export interface Look {
  /** False when the service did not answer the look: that is what the operator sees then. */
  readonly isAnswered: boolean;
  /** Codes that stand in the way of a withdrawal, of the instance and of its pools. */
  readonly codes: ReadonlySet<string>;
  readonly canWithdraw: boolean;
  readonly lanes: readonly z.output<typeof Lane>[];
  readonly foreignTransactions: number;
  readonly sharedInstanceIds: number;
  /** The larger one of those against the store and the chain. */
  readonly clockSkewSeconds: number;
  /** In what nodes differ from each other. */
  readonly disagreements: readonly string[];
}

const NO_ANSWER: Look = {
  isAnswered: false,
  codes: new Set(),
  canWithdraw: false,
  lanes: [],
  foreignTransactions: 0,
  sharedInstanceIds: 0,
  clockSkewSeconds: 0,
  disagreements: [],
};

/** An operator waits no longer for a page. */
const LOOK_TIMEOUT_MS = 2_000;

/** Over a connection of its own, as a first look comes. @throws what keeps an answer from coming */
async function askAnew(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const asked = get(url, {
    agent: false,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
  });
  const [response]: IncomingMessage[] = await once(asked, 'response');
  if (response === undefined) throw new Error('no answer');
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
}

async function lookAt(service: Service): Promise<Look> {
  const answer = await askAnew(`${service.url}/api/operator/status`).catch(() => null);
  if (answer === null) return NO_ANSWER;
  if (answer.status !== 200) {
    const code = z.object({ code: z.string() }).safeParse(answer.body).data?.code ?? '';
    return { ...NO_ANSWER, isAnswered: true, codes: new Set([code]) };
  }
  const { verdict, lanes, alarms, clockSkewSeconds, nodes } = Status.parse(answer.body);
  const { store, chain } = clockSkewSeconds;
  const { reasons, pools } = verdict;
  return {
    isAnswered: true,
    codes: new Set([...reasons, ...pools.flatMap((pool) => pool.reasons)].map(nameOf)),
    canWithdraw: pools.some(({ canWithdraw }) => canWithdraw),
    lanes,
    ...alarms,
    clockSkewSeconds: Math.max(Math.abs(store ?? 0), Math.abs(chain ?? 0)),
    disagreements: nodes.flatMap(({ disagreements }) => disagreements),
  };
}

/** That a look at something did not end says which only by its component. */
const nameOf = ({ code, component }: z.output<typeof Reason>): string =>
  code === 'TIMED_OUT' ? `${code} ${component}` : code;

const LOOK_EVERY_MS = 250;

/** What looks one after the other have shown. */
export interface Watched {
  /** Until the first look that showed the fault; null when none did in the time. */
  readonly afterMs: number | null;
  /** What stood in the way meanwhile, in the order of its first sight. */
  readonly seen: readonly string[];
}

/** Looks again and again until one shows what it should. */
export async function watch(
  service: () => Service,
  shows: (look: Look) => boolean,
  withinMs: number,
): Promise<Watched> {
  const seen = new Set<string>();
  const startMs = systemClock.monotonicMs();
  for (;;) {
    const look = await lookAt(service());
    for (const code of look.isAnswered ? look.codes : ['no answer']) seen.add(code);
    const afterMs = systemClock.monotonicMs() - startMs;
    if (shows(look)) return { afterMs, seen: [...seen] };
    if (afterMs > withinMs) return { afterMs: null, seen: [...seen] };
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
