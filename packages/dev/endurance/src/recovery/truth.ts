import { systemClock, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';
import type { Inclusion } from '../stack/chain.js';
import type { Stack } from '../stack/stack.js';
import { withdrawals, type LoadRequest, type LoadRequests } from '../stack/load-requests.js';

const Answer = z.object({ execution_status: z.string(), transaction_hash: z.string() });

/**
 * Maximum duration of a recovery, in ms. A caller without an outcome after this time is a finding.
 */
const PATIENCE_MS = 240_000;
const QUERY_EVERY_MS = 500;
/** Number of callers that repeat their requests at a time. */
const AT_A_TIME = 8;

/** Outcomes that callers received, compared with the chain. */
export interface Truth {
  /** Number of requested withdrawals and private actions. */
  readonly callers: number;
  /**
   * Number of callers who received the transaction hash of their request, and whose transaction
   * succeeded.
   */
  readonly answered: number;
  /**
   * Number of withdrawals and private actions that the contracts have paid. These contracts pay a
   * note again each time it is spent.
   */
  readonly paid: number;
  /** Number of responses to repeated requests, by status and code. */
  readonly heard: Readonly<Record<string, number>>;
  /** Differences between the callers' outcomes and the chain. */
  readonly findings: readonly string[];
}

/**
 * Repeats every request until it returns an outcome, and compares the outcomes with the chain.
 * @param paidOutside number of withdrawals paid for other services
 * @param requests returns the request of each caller @default withdrawals
 */
export async function truthOf(
  stack: Stack,
  indexes: readonly number[],
  paidOutside = 0,
  requests: LoadRequests = withdrawals,
): Promise<Truth> {
  const heard = new Map<string, number>();
  const answers = new Map<number, Felt>();
  const findings: string[] = [];
  const waiting = [...indexes];
  const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
  const queryInTurn = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const last = await queryUntilAnswered(stack, await requests(index), untilMs, heard);
      if (last.startsWith('0x')) answers.set(index, toFelt(last));
      else findings.push(`request ${index} was last answered: ${last}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, queryInTurn));
  const [inclusions, paidInAll] = await Promise.all([
    stack.chain.inclusions(),
    stack.chain.paidOut(),
  ]);
  const paid = paidInAll - paidOutside;
  findings.push(...contradictions(answers, inclusions));
  if (paid !== indexes.length)
    findings.push(`the contracts have paid ${paid} times for ${indexes.length} requests`);
  return {
    callers: indexes.length,
    answered: answers.size,
    paid,
    heard: Object.fromEntries(heard),
    findings,
  };
}

/**
 * Repeats a request until the response is final. Returns the hash of the paying
 * transaction. If the final response contains no payment, or if the time is over, returns the last
 * response.
 */
async function queryUntilAnswered(
  stack: Stack,
  request: LoadRequest,
  untilMs: number,
  heard: Map<string, number>,
): Promise<string> {
  for (;;) {
    const { status, body, text } = await request.send(stack.service);
    const answer = Answer.safeParse(body);
    const outcome = answer.success
      ? answer.data.execution_status
      : (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '');
    heard.set(`${status} ${outcome}`, (heard.get(`${status} ${outcome}`) ?? 0) + 1);
    if (answer.success && outcome === 'SUCCEEDED') return answer.data.transaction_hash;
    // Status 5xx, 429 and `UNKNOWN` mean "not yet". Every other response is final, and the only
    // correct final response is the payment.
    if (status < 500 && status !== 429 && outcome !== 'UNKNOWN') return `${status} ${outcome}`;
    if (systemClock.monotonicMs() > untilMs) return `${status} ${outcome}`;
    await systemClock.sleep(QUERY_EVERY_MS);
  }
}

/**
 * Finds outcomes that callers received but the chain does not confirm. Also finds transactions that
 * two callers received as the payment of their request.
 */
export function contradictions(
  answers: ReadonlyMap<number, Felt>,
  inclusions: readonly Inclusion[],
): readonly string[] {
  const succeeded = new Set(
    inclusions
      .filter(({ executionStatus }) => executionStatus === 'SUCCEEDED')
      .map(({ hash }) => hash),
  );
  const tellers = new Map<Felt, number>();
  return [...answers].flatMap(([index, hash]) => {
    const other = tellers.get(hash);
    tellers.set(hash, index);
    return [
      ...(succeeded.has(hash)
        ? []
        : [`request ${index} was answered ${hash}, which the chain does not have as SUCCEEDED`]),
      ...(other === undefined
        ? []
        : [`requests ${other} and ${index} were answered the same transaction ${hash}`]),
    ];
  });
}
