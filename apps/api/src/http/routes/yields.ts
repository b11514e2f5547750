import type { IdleFundsDeployment, IdleFundsTrial } from '@sotto/curator-core';
import { implement, implementCached, type BodyOf, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import { wholeNumber } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import { stakingPoolReply } from '@sotto/staking-core';
import type { HttpPolicy } from '../http-policy.js';
import { DeploymentUndecided } from '../errors.js';
import { POLL_AGAIN_SECONDS } from './transactions.js';

export const stakingRoute = ({ listStakingPools }: UseCases): Route =>
  implementCached(routes.staking, {
    cacheKey: () => null,
    answer: async () => (await listStakingPools.execute()).map(stakingPoolReply),
  });

/**
 * Deploys idle funds. If the caller disconnects, the service only stops waiting for the outcome;
 * the deployment continues.
 */
export const curatorRoute = ({ deployIdleFunds }: UseCases, policy: HttpPolicy): Route =>
  implement(routes.curator, async ({ body: { vaultId }, query, signal }) => {
    if (query.dryRun === 'true')
      return { status: 200, body: trialOf(await deployIdleFunds.dryRun({ vaultId })) };
    const waitMs = policy.waitForConfirmationMs;
    return {
      status: 200,
      body: resultOf(await deployIdleFunds.execute({ vaultId, waitMs, signal })),
    };
  });

function trialOf(trial: IdleFundsTrial): BodyOf<typeof routes.curator> {
  const { status, method } = trial;
  const common = { dryRun: true, status, method } as const;
  switch (trial.status) {
    case 'no_idle_funds':
      return common;
    case 'in_flight':
      return { ...common, amount: String(trial.amountSats), submission: trial.submissionId };
    case 'deployable': {
      const { l2Gas, l1Gas, l1DataGas } = trial.gas;
      return {
        ...common,
        amount: String(trial.amountSats),
        gas: {
          l2Gas: wholeNumber(l2Gas),
          l1Gas: wholeNumber(l1Gas),
          l1DataGas: wholeNumber(l1DataGas),
          costFri: String(trial.costFri),
        },
      };
    }
  }
}

/**
 * Converts the outcome of a deployment to its API form.
 * @throws DeploymentUndecided while the outcome is unknown, because the interface has no status for
 *   that case
 */
function resultOf(deployment: IdleFundsDeployment): BodyOf<typeof routes.curator> {
  switch (deployment.status) {
    case 'deployed':
      return {
        status: 'deployed',
        tx: deployment.transactionHash,
        amount: String(deployment.amountSats),
      };
    case 'no_idle_funds':
      return { status: 'no_idle_funds' };
    case 'undecided': {
      const { submissionId, transactionHash } = deployment;
      throw new DeploymentUndecided({
        details: { submissionId, ...(transactionHash === null ? {} : { transactionHash }) },
        retryAfterSeconds: POLL_AGAIN_SECONDS,
      });
    }
  }
}
