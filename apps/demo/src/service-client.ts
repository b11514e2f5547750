import { systemClock } from '@sotto/kernel';
import { z } from 'zod';
import type { WithdrawalBody } from './wallet/wallet.js';

const TransactionResult = z.object({
  transaction_hash: z.string(),
  execution_status: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']),
  revert_reason: z.string().nullable(),
});

const Submission = TransactionResult.extend({
  transaction_hash: z.string().nullable(),
  execution_status: TransactionResult.shape.execution_status.nullable(),
  code: z.string().nullable(),
});

const ErrorBody = z.object({ error: z.string(), code: z.string() });

/** What the service answered, with where it keeps the submission. */
export interface WithdrawalAnswer extends z.output<typeof TransactionResult> {
  /** Path of the submission. */
  readonly location: string;
}

/** Above the service's own wait for an outcome. */
const ANSWER_TIMEOUT_MS = 60_000;
const UNKNOWN_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 500;

/**
 * Posts a withdrawal and follows the submission while the outcome is UNKNOWN.
 * @throws Error with the service's own words when it refuses; when the outcome is still UNKNOWN after a minute it is returned so
 */
export async function postWithdrawal(baseUrl: string, body: WithdrawalBody): Promise<WithdrawalAnswer> {
  const response = await fetch(`${baseUrl}/api/relayer/withdraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const answer = TransactionResult.parse(await readAnswer(response));
  const location = response.headers.get('location');
  if (location === null) throw new Error('the service did not say where it keeps the submission');
  if (answer.execution_status !== 'UNKNOWN') return { ...answer, location };
  return { ...(await followed(`${baseUrl}${location}`, answer)), location };
}

async function followed(url: string, first: z.output<typeof TransactionResult>): Promise<z.output<typeof TransactionResult>> {
  const untilMs = systemClock.nowMs() + UNKNOWN_TIMEOUT_MS;
  while (systemClock.nowMs() < untilMs) {
    await systemClock.sleep(LOOK_EVERY_MS);
    const now = Submission.parse(await readAnswer(await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })));
    if (now.execution_status === null) throw new Error(`the withdrawal ended without a transaction: ${now.code ?? 'no reason given'}`);
    if (now.execution_status !== 'UNKNOWN') return TransactionResult.parse(now);
  }
  return first;
}

async function readAnswer(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const refusal = ErrorBody.safeParse(body);
  throw new Error(`the service answered ${response.status}${refusal.success ? ` ${refusal.data.code}: ${refusal.data.error}` : ''}`);
}
