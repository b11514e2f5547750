import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import { MAX_SIGNATURE_FELTS } from '../limits.js';
import { EXAMPLE_POOL, FeltText, SubmitHeaders, SMALL_BODY_BYTES, U256Text } from '../schemas.js';
import {
  DEPOSIT_DRY_RUN_EXAMPLE,
  DepositResult,
  DryRunQuery,
  DryRunReport,
  SUCCEEDED_EXAMPLE,
  UNDECIDED_EXAMPLE,
  transactionReplies,
} from './transactions.js';

/**
 * Maximum accepted Unix time, in seconds. The limit is so low that the same time in milliseconds is
 * also a safe integer.
 */
const MAX_SECONDS = 2 ** 41;

const DepositRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    commitment: U256Text.meta({
      description:
        'Commitment of the deposited note: above 0 and below the order of the circuit’s field.',
    }),
    depositor: FeltText.meta({
      description: 'Account that pays the pool’s denomination and has approved the pool for it.',
    }),
    expiresAt: z.int().min(0).max(MAX_SECONDS).meta({
      description: 'Unix time in seconds at which the consent expires: at most an hour ahead.',
    }),
    signature: z.array(FeltText).min(1).max(MAX_SIGNATURE_FELTS).optional().meta({
      description:
        'The depositor’s SNIP-12 signature, revision 1, over `Deposit { pool, token, denomination, commitment, expires_at }` of the domain `Sotto`, version 1. Required except with `dryRun=true`.',
    }),
  })
  .meta({ id: 'DepositRequest' });

const WAITS: { leafIndex: number; batch: null } = { leafIndex: 12, batch: null };

const EXAMPLE_REQUEST = {
  poolAddress: EXAMPLE_POOL,
  commitment: '0x1a7d0a3c5b9e2f4d6c8b0a1e3f5d7c9b1a3e5f7d9c0b2a4e6f8d1c3b5a7e9f1d',
  depositor: '0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691',
  expiresAt: 1_792_000_000,
  signature: ['0x3f2a9c1d5e7b8a60', '0x71c04de8b3a95f26'],
};

const replies = transactionReplies(
  DepositResult,
  { ...SUCCEEDED_EXAMPLE, value: { ...Object(SUCCEEDED_EXAMPLE.value), ...WAITS } },
  UNDECIDED_EXAMPLE,
);

export const deposit = describeRoute({
  method: 'post',
  path: '/api/relayer/deposit',
  operationId: 'relayDeposit',
  summary: 'Relay a deposit into a shielded pool',
  description:
    'Only a pool’s relayers may deposit, and a pool does not check the depositor’s consent: with the signature the depositor agrees to pay for this very note. ' +
    'Checks the consent with the depositor’s account, puts the deposit on chain exactly once and waits for the outcome. ' +
    'The same commitment and depositor again get the same submission and the same answer. Deposits are rationed, because each deposit changes its pool for all users. ' +
    'With `dryRun=true` it only runs the checks and reports each: it sends and reserves nothing, costs no gas and uses no ration. A wallet sends it without `signature` before it requests an approval; a failed allowance does not prevent the other checks.',
  tag: 'relayer',
  limitedAs: 'submissions',
  felts: true,
  body: {
    schema: DepositRequest,
    limitBytes: 4 * SMALL_BODY_BYTES,
    examples: { deposit: { summary: 'A deposit', value: EXAMPLE_REQUEST } },
  },
  query: DryRunQuery,
  headers: SubmitHeaders,
  replies: {
    ...replies,
    200: {
      ...replies[200],
      description: `${replies[200].description}; or the report of a dry run, which has no submission resource`,
      schema: z.union([DepositResult, DryRunReport]),
      examples: { ...replies[200].examples, dryRun: DEPOSIT_DRY_RUN_EXAMPLE },
    },
  },
  errors: CODES_OF.deposit,
});
