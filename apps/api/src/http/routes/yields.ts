import type { IdleFundsDeployment } from '@sotto/curator-core';
import { implement, implementCached, type BodyOf, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import { stakingPoolReply } from '@sotto/staking-core';
import type { HttpPolicy } from '../http-policy.js';
import { DeploymentUndecided } from '../errors.js';
import { LOOK_AGAIN_SECONDS } from './transactions.js';

export const stakingRoute = ({ listStakingPools }: UseCases): Route =>
  implementCached(routes.staking, {
    cacheKey: () => null,
    answer: async () => (await listStakingPools.execute()).map(stakingPoolReply),
  });

/** A caller who goes away stops the waiting, never the deployment. */
export const curatorRoute = ({ deployIdleFunds }: UseCases, policy: HttpPolicy): Route =>
  implement(routes.curator, async ({ body: { vaultId }, signal }) => {
    const waitMs = policy.waitForConfirmationMs;
    return {
      status: 200,
      body: resultOf(await deployIdleFunds.execute({ vaultId, waitMs, signal })),
    };
  });

/**
 * @throws DeploymentUndecided: the interface has no status for it, and it must be taken for neither
 *   of the two
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
        retryAfterSeconds: LOOK_AGAIN_SECONDS,
      });
    }
  }
}
