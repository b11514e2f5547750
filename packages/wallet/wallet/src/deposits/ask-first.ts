import type { Retry } from '@sotto/client';

import { reported, type JourneyError } from '../journeys/journey-error.js';
import { answerWithin } from '../journeys/sleep.js';
import { clientOf, type Relayer } from '../relayers/relayers.js';
import type { DepositEntry } from './deposit-entry.js';

/** Maximum time in ms until a relayer reports whether it would accept a deposit. */
const REPORT_TIMEOUT_MS = 15_000;

const RETRY_WORDS: readonly Retry[] = ['same', 'later', 'new-quote', 'new-proof', 'never'];

/**
 * Returns the reason why the relayer would reject the deposit once the account has approved it;
 * undefined if there is none. Nothing is signed or sent, so the account pays no approval for a
 * deposit that the relayer rejects. Also undefined if the relayer does not answer or is older than
 * this query: without a signature such a relayer rejects the request.
 * @throws the signal's reason when the signal aborts
 */
export async function rejectionBeforeApproval(
  relayer: Relayer,
  { pool, commitment, depositor }: Pick<DepositEntry, 'pool' | 'commitment' | 'depositor'>,
  consentSeconds: number,
  signal: AbortSignal,
): Promise<JourneyError | undefined> {
  const expiresAt = Math.floor(Date.now() / 1_000) + consentSeconds;
  const answer = await answerWithin(REPORT_TIMEOUT_MS, signal, async (inTime) =>
    clientOf(relayer, 1).POST('/api/relayer/deposit', {
      params: { query: { dryRun: 'true' } },
      body: { poolAddress: pool, commitment, depositor, expiresAt },
      signal: inTime,
    }),
  );
  const checks: unknown = Object(answer?.data).checks;
  if (!Array.isArray(checks)) return undefined;
  const failed = checks
    .map((check: unknown): Readonly<Record<string, unknown>> => Object(check))
    // The allowance is missing because the account has not approved yet.
    .find(({ status, code }) => status === 'failed' && code !== 'DEPOSIT_ALLOWANCE_TOO_LOW');
  if (failed === undefined) return undefined;
  const { code, detail, retry, retryAt } = failed;
  return reported(
    {
      code: String(code),
      error: String(detail),
      // The chain shows this deposit soon, so the deposit waits instead of failing.
      retry: code === 'DEPOSIT_EXISTS' ? 'same' : retryWord(retry),
      ...(typeof retryAt === 'number' ? { retryAt } : {}),
    },
    relayer.baseUrl,
  );
}

function retryWord(word: unknown): Retry {
  return RETRY_WORDS.find((known) => known === word) ?? 'same';
}
