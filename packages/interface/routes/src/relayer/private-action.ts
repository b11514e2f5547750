import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import {
  EXAMPLE_ACTIONS,
  EXAMPLE_PRIVACY_POOL,
  EXAMPLE_PROOF_FACTS,
  FeltText,
  MAX_CALLDATA,
  PRIVATE_ACTION_BODY_BYTES,
  SponsorHeader,
  SubmitHeaders,
} from '../schemas.js';
import {
  DRY_RUN_EXAMPLE,
  DryRunQuery,
  DryRunReport,
  SUCCEEDED_EXAMPLE,
  TransactionResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
} from './transactions.js';

const PrivateActionRequest = z
  .strictObject({
    poolAddress: FeltText.meta({
      description: 'Address of the privacy pool that this relayer serves.',
    }),
    calldata: z.array(FeltText).min(1).max(MAX_CALLDATA).meta({
      description: 'Calldata of `apply_actions` as the client built it, in felts.',
    }),
    proofFacts: z.array(FeltText).min(1).max(MAX_CALLDATA).meta({
      description: 'Facts of the proven execution as the prover returned them.',
    }),
    proof: z.string().optional().meta({
      description:
        'Proof as base64: standard alphabet, padded, without white space. Absent only on a development network whose node checks no proof.',
    }),
    feeMode: z.enum(['default', 'sponsored', 'sponsored_private']).default('default').meta({
      description:
        'Payer of the costs. `default`: the actions pay gas and the pool’s fee. `sponsored`: a sponsor pays both. `sponsored_private`: a sponsor pays the gas, and the actions pay the pool’s fee.',
    }),
  })
  .meta({ id: 'PrivateActionRequest' });

const replies = transactionReplies(TransactionResult, SUCCEEDED_EXAMPLE, UNDECIDED_EXAMPLE);

const EXAMPLE = {
  poolAddress: EXAMPLE_PRIVACY_POOL,
  calldata: EXAMPLE_ACTIONS,
  proofFacts: EXAMPLE_PROOF_FACTS,
  proof: 'c3R3bw==',
};

export const privateAction = describeRoute({
  method: 'post',
  path: '/api/relayer/private-action',
  operationId: 'submitPrivateAction',
  summary: 'Relay proven private actions to the privacy pool',
  description:
    'Checks the actions, the facts and the fee, puts them on chain exactly once and waits for the outcome. Actions are identified by the storage addresses that they write once: the same actions again, also with a newer proof, get the same submission and the same answer. ' +
    'A proof has a last block, after which the pool refuses it. `POST /paymaster` serves the same actions to wallets, and quotes their fee. With `dryRun=true` it only runs the checks and reports each, at no cost.',
  tag: 'relayer',
  limitedAs: 'submissions',
  felts: true,
  body: {
    schema: PrivateActionRequest,
    limitBytes: PRIVATE_ACTION_BODY_BYTES,
    isLarge: true,
    examples: {
      plain: { summary: 'Actions that pay their fee (all lists shortened)', value: EXAMPLE },
      sponsored: {
        summary: 'Actions whose costs a sponsor pays (all lists shortened)',
        value: { ...EXAMPLE, feeMode: 'sponsored' },
      },
    },
  },
  query: DryRunQuery,
  headers: SubmitHeaders.extend(SponsorHeader.shape),
  replies: {
    ...replies,
    200: {
      ...replies[200],
      description: `${replies[200].description}; or the report of a dry run, which has no submission resource`,
      schema: z.union([TransactionResult, DryRunReport]),
      examples: { ...replies[200].examples, dryRun: DRY_RUN_EXAMPLE },
    },
  },
  errors: CODES_OF.privateAction,
});
