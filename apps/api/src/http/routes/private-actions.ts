import {
  implement,
  prefersAsync,
  readBase64,
  readFelt,
  readFelts,
  type Route,
} from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import type { HttpPolicy } from '../http-policy.js';
import { judged, watchedBy } from './relaying.js';
import { dryRunReportOf } from './swaps.js';
import { loggedOf, transactionReply, transactionResultOf } from './transactions.js';

export const privateActionRoute = (
  { submitPrivateAction, notifySubmission }: UseCases,
  policy: HttpPolicy,
): Route =>
  implement(routes.privateAction, ({ body, query, headers, caller, signal, note }) => {
    const sponsorKey = headers['x-paymaster-api-key'];
    const action = {
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      calldata: readFelts('body.calldata', body.calldata),
      proofFacts: readFelts('body.proofFacts', body.proofFacts),
      proof: readBase64('body.proof', body.proof ?? ''),
      feeMode: body.feeMode,
      ...(sponsorKey === undefined ? {} : { sponsorKey }),
      caller,
    };
    // During the wait, only the parsed values remain in memory; the body does not.
    return (async () => {
      // A repeated request is recognized by its actions; its proof is not checked again.
      const notified = watchedBy({ headers, caller, note }, notifySubmission, false);
      if (query.dryRun === 'true')
        return {
          status: 200,
          body: dryRunReportOf(await judged(await submitPrivateAction.dryRun(action), notified)),
        };

      const preferredAsync = prefersAsync(headers);
      const { submissionId, answer } = await submitPrivateAction.execute({
        ...action,
        ...notified,
        waitMs: preferredAsync ? 0 : policy.waitForConfirmationMs,
        signal,
      });
      note(loggedOf(answer));
      return transactionReply(submissionId, answer, transactionResultOf(answer), preferredAsync);
    })();
  });
