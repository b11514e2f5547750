import type { DeployIdleFunds } from '@sotto/curator-core';
import { type IdleFundsDeployment } from '@sotto/curator-core';
import { z } from 'zod';
import type { HttpPolicy } from '../../../composition/bindings.js';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { LOOK_AGAIN_SECONDS } from '../../look-again.js';
import { AmountText, SMALL_BODY_BYTES } from '../../schemas.js';
import { DeploymentUndecided } from '../../service-errors.js';

const CuratorRequest = z
  .strictObject({
    vaultId: z.string().min(1).max(40).meta({
      description: 'One of `sentinel`, `citadel`, `trident`, `delta_neutral`, `turbo` and `apex`.',
      example: 'sentinel',
    }),
  })
  .meta({ id: 'CuratorRequest' });

const CuratorResult = z
  .object({
    status: z
      .enum(['deployed', 'no_idle_funds'])
      .meta({ description: 'no_idle_funds: there was nothing to deploy, and nothing was sent.' }),
    tx: z.string().optional().meta({ description: 'Hash of the deployment; only when deployed.' }),
    amount: AmountText.optional().meta({
      description: 'WBTC deployed, in sats; only when deployed.',
    }),
  })
  .meta({ id: 'CuratorResult' });

const curator = describeRoute({
  method: 'post',
  path: '/api/curator',
  operationId: 'deployIdleFunds',
  summary: 'Deploy a vault’s idle WBTC to its strategy',
  description:
    'Reads what lies idle in the vault, runs its deployment method and waits for the outcome. One deployment of a vault is on its way at a time: ' +
    'calls in the meantime get its answer. One whose outcome is not known is never repeated. A failure carries what went wrong in `error`.',
  tag: 'curator',
  credential: 'curator',
  limitedAs: 'submissions',
  body: {
    schema: CuratorRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: { sentinel: { summary: 'The vault sentinel', value: { vaultId: 'sentinel' } } },
  },
  replies: {
    200: {
      description: 'Deployed, or nothing to deploy',
      schema: CuratorResult,
      examples: {
        deployed: {
          summary: 'Deployed',
          value: {
            status: 'deployed',
            tx: '0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0',
            amount: '1250000',
          },
        },
        nothing: { summary: 'Nothing to deploy', value: { status: 'no_idle_funds' } },
      },
    },
  },
  errors: ERRORS_OF.curator,
});

/** `POST /api/curator`. A caller who goes away stops the waiting, never the deployment. */
export class CuratorRoute implements Route {
  static readonly definition = curator;
  readonly definition = curator;
  readonly handler = handlerFor(curator, (input) => this.#answer(input));

  constructor(
    private readonly deployIdleFunds: DeployIdleFunds,
    private readonly policy: HttpPolicy,
  ) {}

  async #answer({ body, signal }: InputOf<typeof curator>): Promise<AnswerOf<typeof curator>> {
    const waitMs = this.policy.waitForConfirmationMs;
    const deployment = await this.deployIdleFunds.execute({
      vaultId: body.vaultId,
      waitMs,
      signal,
    });
    return { status: 200, body: resultOf(deployment) };
  }
}

/**
 * @throws DeploymentUndecided: the interface has no status for it, and it must be taken for neither
 *   of the two
 */
function resultOf(deployment: IdleFundsDeployment): z.input<typeof CuratorResult> {
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
