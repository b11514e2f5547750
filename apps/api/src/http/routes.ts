import type { GetSubmission, SubmitWithdrawal } from '@sotto/relayer-core';
import type { Readiness } from '../readiness/readiness.js';
import type { Route } from './define-route.js';
import { liveRoute } from './routes/health/live.route.js';
import { readyRoute } from './routes/health/ready.route.js';
import { openApiRoute } from './routes/meta/openapi.route.js';
import { submissionRoute } from './routes/relayer/submission.route.js';
import { withdrawRoute } from './routes/relayer/withdraw.route.js';

/** What the routes are made of. */
export interface UseCases {
  readonly submitWithdrawal: Pick<SubmitWithdrawal, 'execute' | 'dryRun'>;
  readonly getSubmission: Pick<GetSubmission, 'execute'>;
  readonly readiness: Pick<Readiness, 'report'>;
  readonly waitForConfirmationMs: number;
}

/** Every route of the service. */
export function createRoutes({ submitWithdrawal, getSubmission, readiness, waitForConfirmationMs }: UseCases): readonly Route[] {
  const routes = [
    withdrawRoute(submitWithdrawal, { waitForConfirmationMs }),
    submissionRoute(getSubmission),
    liveRoute(),
    readyRoute(readiness),
  ];
  return [...routes, openApiRoute(routes)];
}
