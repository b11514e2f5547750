import { systemClock, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';
import type { Inclusion } from '../stack/chain.js';
import type { Stack } from '../stack/stack.js';
import { withdrawalBody } from '../stack/withdrawals.js';

const Answer = z.object({ execution_status: z.string(), transaction_hash: z.string() });

/** A recovery ends within this time, or a caller is left without the truth. */
const PATIENCE_MS = 240_000;
const ASK_EVERY_MS = 500;
/** Callers who ask at a time. */
const AT_A_TIME = 8;

/** What became of the callers of one run, held against the chain. */
export interface Truth {
  /** Withdrawals that callers wanted. */
  readonly callers: number;
  /** Callers whose answer was the one transaction that paid them. */
  readonly answered: number;
  /** Withdrawals that the contract has paid out: it pays a note as often as it is asked to. */
  readonly paid: number;
  /** What callers heard while they asked again. */
  readonly heard: Readonly<Record<string, number>>;
  /** What did not hold. */
  readonly findings: readonly string[];
}

/**
 * Every caller asks for the same withdrawal once more until there is an outcome, which is compared
 * with the chain.
 * @param paidOutside withdrawals of others
 */
export async function truthOf(
  stack: Stack,
  indexes: readonly number[],
  paidOutside = 0,
): Promise<Truth> {
  const heard = new Map<string, number>();
  const answers = new Map<number, Felt>();
  const findings: string[] = [];
  const waiting = [...indexes];
  const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
  const askInTurn = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const last = await askUntilAnswered(stack, index, untilMs, heard);
      if (last.startsWith('0x')) answers.set(index, toFelt(last));
      else findings.push(`withdrawal ${index} was last answered: ${last}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, askInTurn));
  const [inclusions, paidInAll] = await Promise.all([
    stack.chain.inclusions(),
    stack.chain.paidOut(),
  ]);
  const paid = paidInAll - paidOutside;
  findings.push(...contradictions(answers, inclusions));
  if (paid !== indexes.length)
    findings.push(`the contract has paid ${paid} times for ${indexes.length} withdrawals`);
  return {
    callers: indexes.length,
    answered: answers.size,
    paid,
    heard: Object.fromEntries(heard),
    findings,
  };
}

/** The hash of the transaction that paid, or what was heard last. */
async function askUntilAnswered(
  stack: Stack,
  index: number,
  untilMs: number,
  heard: Map<string, number>,
): Promise<string> {
  for (;;) {
    const { status, body, text } = await stack.service.withdraw(withdrawalBody(index));
    const answer = Answer.safeParse(body);
    const outcome = answer.success
      ? answer.data.execution_status
      : (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '');
    heard.set(`${status} ${outcome}`, (heard.get(`${status} ${outcome}`) ?? 0) + 1);
    if (answer.success && outcome === 'SUCCEEDED') return answer.data.transaction_hash;
    // Any answer but "not yet" is an end, and the only true one here is that it was paid.
    if (status < 500 && status !== 429 && outcome !== 'UNKNOWN') return `${status} ${outcome}`;
    if (systemClock.monotonicMs() > untilMs) return `${status} ${outcome}`;
    await systemClock.sleep(ASK_EVERY_MS);
  }
}

/** Each caller has a transaction of its own, and the chain has it. */
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
        : [`withdrawal ${index} was answered ${hash}, which the chain does not have as SUCCEEDED`]),
      ...(other === undefined
        ? []
        : [`withdrawals ${other} and ${index} were answered the same transaction ${hash}`]),
    ];
  });
}
