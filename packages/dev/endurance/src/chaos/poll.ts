import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { systemClock } from '@sotto/kernel';
import type { Service } from '@sotto/process-kit';
import { z } from 'zod';

/** Bearer token for the operator routes of every service in these tests. */
export const OPERATOR_TOKEN = 'chaos-operator-token-0123456789abcdef';

const Detail = z.union([z.string(), z.number(), z.boolean()]);
const Reason = z.object({
  code: z.string(),
  component: z.string(),
  details: z.record(z.string(), Detail),
});
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
    warnings: z.array(Reason),
  }),
  lanes: z.array(Lane),
  alarms: z.object({ foreignTransactions: z.int(), sharedInstanceIds: z.int() }),
  ledger: z.object({ state: z.string() }),
  clockSkewSeconds: z.object({ store: z.number().nullable(), chain: z.number().nullable() }),
  nodes: z.array(z.object({ lastErrorCode: z.string().nullable() })),
});

/** Reason or warning in the operator's status. */
interface Named {
  readonly code: string;
  readonly component: string;
  /**
   * Error code of a socket, the operating system or the database, or the code of the error itself;
   * null if the reason has no error code.
   */
  readonly cause: string | null;
  /** True for a warning, which does not block withdrawals. */
  readonly isWarning: boolean;
}

/** State of a service at one poll of the operator's status. */
export interface Poll {
  /** False if the service did not respond. The operator notices this as well. */
  readonly isAnswered: boolean;
  /** Reasons why the instance or its pools can't withdraw, and warnings. */
  readonly named: readonly Named[];
  readonly canWithdraw: boolean;
  readonly lanes: readonly z.output<typeof Lane>[];
  readonly foreignTransactions: number;
  readonly sharedInstanceIds: number;
  /** Larger of the two clock skews, against the store and against the chain, in s. */
  readonly clockSkewSeconds: number;
  /** Error codes of the nodes' last failures. */
  readonly nodeErrors: readonly string[];
}

const NO_ANSWER: Poll = {
  isAnswered: false,
  named: [],
  canWithdraw: false,
  lanes: [],
  foreignTransactions: 0,
  sharedInstanceIds: 0,
  clockSkewSeconds: 0,
  nodeErrors: [],
};

/** Maximum time in ms that an operator waits for the status. */
const POLL_TIMEOUT_MS = 2_000;

/**
 * Requests the URL over a new connection, as a first visit does. @throws Error if no response
 * arrives
 */
async function queryAgain(
  url: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const requested = get(url, {
    agent: false,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
  });
  const [response]: IncomingMessage[] = await once(requested, 'response');
  if (response === undefined) throw new Error('no answer');
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
}

async function inspect(service: Service): Promise<Poll> {
  const answer = await queryAgain(`${service.url}/api/operator/status`).catch(() => null);
  if (answer === null) return NO_ANSWER;
  if (answer.status !== 200) {
    const code = z.object({ code: z.string() }).safeParse(answer.body).data?.code ?? '';
    const named = [{ code, component: 'answer', cause: null, isWarning: false }];
    return { ...NO_ANSWER, isAnswered: true, named };
  }
  const { verdict, lanes, alarms, clockSkewSeconds, nodes } = Status.parse(answer.body);
  const { store, chain } = clockSkewSeconds;
  const { reasons, pools, warnings } = verdict;
  return {
    isAnswered: true,
    named: [
      ...[...reasons, ...pools.flatMap((pool) => pool.reasons)].map((reason) => ({
        ...reasonOf(reason),
        isWarning: false,
      })),
      ...warnings.map((reason) => ({ ...reasonOf(reason), isWarning: true })),
    ],
    canWithdraw: pools.some(({ canWithdraw }) => canWithdraw),
    lanes,
    ...alarms,
    clockSkewSeconds: Math.max(Math.abs(store ?? 0), Math.abs(chain ?? 0)),
    nodeErrors: nodes.flatMap(({ lastErrorCode }) => lastErrorCode ?? []),
  };
}

function reasonOf({ code, component, details }: z.output<typeof Reason>): Omit<Named, 'isWarning'> {
  const cause = details['cause'] ?? details['error'] ?? details['because'] ?? null;
  return { code, component, cause: cause === null ? null : String(cause) };
}

/**
 * Returns the text of a reason for the report. The text of a timeout contains the component that
 * timed out.
 */
function textOf({ code, component, cause, isWarning }: Named): string {
  const name = code === 'TIMED_OUT' ? `${code} ${component}` : code;
  return `${isWarning ? 'warning ' : ''}${name}${cause === null ? '' : ` (${cause})`}`;
}

/**
 * Returns the reasons and warnings of a status as texts. If there are no reasons and warnings,
 * returns the failures of the nodes.
 */
const shownBy = ({ named, nodeErrors }: Poll): readonly string[] =>
  named.length > 0 ? named.map(textOf) : nodeErrors.map((code) => `node failed (${code})`);

const POLL_EVERY_MS = 250;

/** Result of a series of polls. */
export interface Watched {
  /** Time in ms until the first poll that showed the fault; null if no poll showed it. */
  readonly afterMs: number | null;
  /** Reasons and warnings of all polls up to that poll, in order of first appearance. */
  readonly seen: readonly string[];
}

/** Polls the status until it shows the fault or the time limit is reached. */
export async function watch(
  service: () => Service,
  shows: (poll: Poll) => boolean,
  withinMs: number,
): Promise<Watched> {
  const seen = new Set<string>();
  const startMs = systemClock.monotonicMs();
  for (;;) {
    const poll = await inspect(service());
    for (const name of poll.isAnswered ? shownBy(poll) : ['no answer']) seen.add(name);
    const afterMs = systemClock.monotonicMs() - startMs;
    if (shows(poll)) return { afterMs, seen: [...seen] };
    if (afterMs > withinMs) return { afterMs: null, seen: [...seen] };
    await systemClock.sleep(POLL_EVERY_MS);
  }
}
