import { systemClock } from '@sotto/kernel';
import { z } from 'zod';
import { getJson, postJson } from './json-request.js';
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

/** Response of the service to a withdrawal, with the path of its submission. */
export interface WithdrawalAnswer extends z.output<typeof TransactionResult> {
  /** Path of the submission, from the Location header. */
  readonly location: string;
}

const UNKNOWN_TIMEOUT_MS = 60_000;
const POLL_EVERY_MS = 500;

/**
 * Posts a withdrawal and polls its submission while the outcome is UNKNOWN. Returns UNKNOWN if no
 * outcome is known after a minute.
 * @throws Error containing the service's message if the service rejects the withdrawal
 */
export async function postWithdrawal(
  baseUrl: string,
  body: WithdrawalBody,
): Promise<WithdrawalAnswer> {
  const posted = await postJson(`${baseUrl}/api/relayer/withdraw`, body);
  const answer = TransactionResult.parse(posted.body);
  const location = posted.headers.get('location');
  if (location === null) throw new Error('the service returned no location of the submission');
  if (answer.execution_status !== 'UNKNOWN') return { ...answer, location };
  return { ...(await followed(`${baseUrl}${location}`, answer)), location };
}

async function followed(
  url: string,
  first: z.output<typeof TransactionResult>,
): Promise<z.output<typeof TransactionResult>> {
  const untilMs = systemClock.monotonicMs() + UNKNOWN_TIMEOUT_MS;
  while (systemClock.monotonicMs() < untilMs) {
    await systemClock.sleep(POLL_EVERY_MS);
    const now = Submission.parse((await getJson(url)).body);
    if (now.execution_status === null)
      throw new Error(
        `the withdrawal ended without a transaction: ${now.code ?? 'no reason given'}`,
      );
    if (now.execution_status !== 'UNKNOWN') return TransactionResult.parse(now);
  }
  return first;
}
