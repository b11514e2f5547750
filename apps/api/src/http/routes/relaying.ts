import {
  InvalidRequest,
  implement,
  prefersAsync,
  type Route,
  readFelt,
  readFelts,
} from '@sotto/http-server';
import * as routes from '@sotto/routes';
import type { Caller, LogFields } from '@sotto/kernel';
import type { DryRunReport, SubmissionWatch } from '@sotto/relayer-core';
import type { UseCases } from '@sotto/relayer';
import type { HttpPolicy } from '../http-policy.js';
import type { OperatorTokens } from '../credentials.js';
import { dryRunReportOf, ppmOf } from './swaps.js';
import {
  depositFieldsOf,
  inForceFieldsOf,
  locationOf,
  loggedOf,
  submissionOf,
  swapFieldsOf,
  transactionReply,
  transactionResultOf,
  whenToPollAgain,
} from './transactions.js';

interface WatchedRequest {
  readonly headers: { readonly 'sotto-notify'?: string | undefined };
  readonly caller: Caller;
  readonly note: (fields: LogFields, message?: string) => void;
}

// If a caller disconnects, the service only stops waiting for the outcome; the submission
// continues.

/**
 * Logs the submission. If the request names a webhook endpoint, adds the endpoint to the
 * submission. The endpoint's name is checked last, so that a request rejected for another reason
 * does not reveal which names exist.
 * @param isProven true if the proof of a repeated request has been verified. The signature of a
 *   repeated deposit is not checked, and a batch has no proof.
 */
export function watchedBy(
  { headers, caller, note }: WatchedRequest,
  notifySubmission: UseCases['notifySubmission'],
  isProven: boolean,
): Required<SubmissionWatch> {
  const endpoint = headers['sotto-notify'];
  const check = async (): Promise<void> => {
    if (endpoint !== undefined) await notifySubmission.check(endpoint);
  };
  return {
    beforeSubmission: check,
    onSubmission: async (submissionId, began) => {
      note({ submission: submissionId }, began ? 'submission accepted' : 'submission joined');
      if (began) notifySubmission.begun(submissionId, caller);
      if (endpoint === undefined) return;
      if (!began && !isProven) notifySubmission.checkBeginner(submissionId, caller);
      if (!began) await check();
      await notifySubmission.add(submissionId, endpoint, caller);
    },
  };
}

/**
 * Returns the report of a dry run. If the request is admissible, also checks the webhook endpoint.
 */
export async function judged(
  report: DryRunReport,
  watch: Required<SubmissionWatch>,
): Promise<DryRunReport> {
  if (report.admissible) await watch.beforeSubmission();
  return report;
}

export const withdrawRoute = (
  { submitWithdrawal, notifySubmission }: UseCases,
  policy: HttpPolicy,
): Route =>
  implement(routes.withdraw, ({ body, query, headers, caller, signal, note }) => {
    const withdrawal = {
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      calldata: readFelts('body.calldata', body.calldata),
      ...(body.leafIndex === undefined ? {} : { leafIndex: body.leafIndex }),
      ...(body.quoteId === undefined ? {} : { quoteId: body.quoteId }),
      recipientGasFri: BigInt(body.recipientGasFri ?? 0),
      caller,
    };
    // During the wait, only the parsed values remain in memory; the body does not.
    return (async () => {
      const notified = watchedBy({ headers, caller, note }, notifySubmission, true);
      if (query.dryRun === 'true')
        return {
          status: 200,
          body: dryRunReportOf(await judged(await submitWithdrawal.dryRun(withdrawal), notified)),
        };

      const preferredAsync = prefersAsync(headers);
      const waitMs = preferredAsync ? 0 : policy.waitForConfirmationMs;
      const { submissionId, answer } = await submitWithdrawal.execute({
        ...withdrawal,
        ...notified,
        waitMs,
        signal,
      });
      note(loggedOf(answer));
      return transactionReply(submissionId, answer, transactionResultOf(answer), preferredAsync);
    })();
  });

export const privateSwapRoute = (
  { privateSwaps: swaps, notifySubmission }: UseCases,
  policy: HttpPolicy,
): Route =>
  implement(routes.privateSwap, ({ body, query, headers, caller, signal, note }) => {
    const swap = {
      wbtcPool: readFelt('body.wbtcPool', body.wbtcPool),
      proofCalldata: readFelts('body.proofCalldata', body.proofCalldata),
      newCommitment: body.newCommitment,
      outputToken: readFelt('body.outputToken', body.outputToken),
      slippagePpm: ppmOf(body.slippage, policy.swap?.minSlippagePpm ?? null),
      minAmountOut: body.minAmountOut,
      quoteId: body.quoteId,
      caller,
    };
    // During the wait, only the parsed values remain in memory; the body does not.
    return (async () => {
      const notified = watchedBy({ headers, caller, note }, notifySubmission, true);
      if (query.dryRun === 'true')
        return {
          status: 200,
          body: dryRunReportOf(await judged(await swaps.dryRun(swap), notified)),
        };

      const preferredAsync = prefersAsync(headers);
      const waitMs = preferredAsync ? 0 : policy.waitForConfirmationMs;
      const { submissionId, answer, inForce, ...outcome } = await swaps.execute({
        ...swap,
        ...notified,
        waitMs,
        signal,
      });
      note(loggedOf(answer));
      return transactionReply(
        submissionId,
        answer,
        { ...transactionResultOf(answer), ...swapFieldsOf(outcome), ...inForceFieldsOf(inForce) },
        preferredAsync,
      );
    })();
  });

export const depositRoute = (
  { relayDeposit, notifySubmission }: UseCases,
  policy: HttpPolicy,
): Route =>
  implement(routes.deposit, async ({ body, query, headers, caller, signal, note }) => {
    const notified = watchedBy({ headers, caller, note }, notifySubmission, false);
    const deposit = {
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      commitment: body.commitment,
      depositor: readFelt('body.depositor', body.depositor),
      expiresAtMs: body.expiresAt * 1_000,
      caller,
    };
    const signature =
      body.signature === undefined ? undefined : readFelts('body.signature', body.signature);
    if (query.dryRun === 'true') {
      const report = await relayDeposit.dryRun({ ...deposit, signature });
      return { status: 200, body: dryRunReportOf(await judged(report, notified)) };
    }
    if (signature === undefined)
      throw new InvalidRequest([
        { path: 'body.signature', message: 'is required, except with dryRun=true' },
      ]);
    const preferredAsync = prefersAsync(headers);
    const { submissionId, answer, ...outcome } = await relayDeposit.execute({
      ...deposit,
      ...notified,
      signature,
      waitMs: preferredAsync ? 0 : policy.waitForConfirmationMs,
      signal,
    });
    note(loggedOf(answer));
    return transactionReply(
      submissionId,
      answer,
      { ...transactionResultOf(answer), ...depositFieldsOf(outcome) },
      preferredAsync,
    );
  });

export const deployBatchRoute = (
  { deployBatch, notifySubmission }: UseCases,
  operators: OperatorTokens,
  policy: HttpPolicy,
): Route =>
  implement(routes.deployBatch, async ({ body, headers, caller, signal, note }) => {
    const preferredAsync = prefersAsync(headers);
    const { authorization } = headers;
    const { submissionId, answer } = await deployBatch.execute({
      ...watchedBy({ headers, caller, note }, notifySubmission, false),
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      count: body.count,
      partial: body.partial,
      requester:
        authorization !== undefined && operators.holderOf(authorization) !== null
          ? 'operator'
          : 'anyone',
      waitMs: preferredAsync ? 0 : policy.waitForConfirmationMs,
      signal,
    });
    note(loggedOf(answer));
    return transactionReply(submissionId, answer, transactionResultOf(answer), preferredAsync);
  });

export const lookUpRoute = ({ lookUpSubmission, swapOutcomes }: UseCases): Route =>
  implement(routes.lookUp, async ({ body, caller, note }) => {
    const pool = readFelt('body.poolAddress', body.poolAddress);
    const calldata = readFelts('body.calldata', body.calldata);
    const answer = await lookUpSubmission.execute(pool, calldata, caller);
    note(loggedOf(answer));
    const swap = await swapOutcomes.describe(answer);
    const view = { answer, swap, deposit: null };
    const headers = { Location: locationOf(answer.attempt.id), ...whenToPollAgain(view) };
    return { status: 200, body: submissionOf(view), headers };
  });
