import { SubmissionNotFound, relayerFaults, type SubmitWithdrawal } from '@sotto/relayer-core';
import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.js';
import { NODE_FAULTS, STORE_FAULTS, VERIFIER_FAULTS } from '../../port-faults.js';
import { readFelt, readFelts } from '../../read-felt.js';
import { FeltText } from '../../schemas.js';
import { LOOK_AGAIN_SECONDS, TransactionResult, locationOf, transactionResultOf } from './answers.js';
import { DryRunReport } from './dry-run.js';

/** Longest calldata of a Starknet transaction. Source: versioned constants of Starknet 0.14, max_calldata_length. */
const MAX_CALLDATA = 5_000;

const WithdrawRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    calldata: z
      .array(FeltText)
      .min(1)
      .max(MAX_CALLDATA)
      .meta({ description: 'Garaga calldata of the withdrawal proof, with or without its leading length.' }),
  })
  .meta({ id: 'WithdrawRequest' });

/** `POST /api/relayer/withdraw`. A caller who goes away stops the waiting, never the submission. */
export const withdrawRoute = (
  submitWithdrawal: Pick<SubmitWithdrawal, 'execute' | 'dryRun'>,
  { waitForConfirmationMs }: { readonly waitForConfirmationMs: number },
): Route =>
  defineRoute({
    method: 'post',
    path: '/api/relayer/withdraw',
    operationId: 'submitWithdrawal',
    summary: 'Relay a withdrawal proof to a shielded pool',
    description:
      'Checks the proof, puts it on chain exactly once and waits for the outcome. The same request again gets the same submission and the same answer. ' +
      'After one that ended without success it is a new attempt. With `dryRun=true` it only runs the checks and reports each, at no cost.',
    tag: 'relayer',
    body: WithdrawRequest,
    query: z.strictObject({
      dryRun: z.enum(['true', 'false']).optional().meta({ description: 'true: run the admission checks and report them, submit nothing.' }),
    }),
    headers: z.object({
      prefer: z
        .string()
        .optional()
        .meta({ description: '`respond-async`: answer 202 as soon as the withdrawal is accepted, instead of waiting for its outcome.' }),
    }),
    replies: {
      200: {
        description: 'The outcome, UNKNOWN included; or the report of a dry run',
        schema: z.union([TransactionResult, DryRunReport]),
        headers: {
          Location: 'Submission resource; always there but on a dry run.',
          'Retry-After': 'Seconds after which to look there; only with UNKNOWN.',
        },
      },
      202: {
        description: 'Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`.',
        schema: TransactionResult,
        headers: {
          Location: 'Submission resource.',
          'Retry-After': 'Seconds after which to look there.',
          'Preference-Applied': '`respond-async`',
        },
      },
    },
    faults: [...relayerFaults.filter(({ code }) => code !== SubmissionNotFound.code), ...VERIFIER_FAULTS, ...STORE_FAULTS, ...NODE_FAULTS],
    async handle({ body, query, headers, signal }) {
      const poolAddress = readFelt('body.poolAddress', body.poolAddress);
      const calldata = readFelts('body.calldata', body.calldata);
      if (query.dryRun === 'true') {
        return { status: 200, body: await submitWithdrawal.dryRun({ poolAddress, calldata }) };
      }
      const async = prefersAsync(headers.prefer);
      const { submissionId, answer } = await submitWithdrawal.execute({
        poolAddress,
        calldata,
        waitMs: async ? 0 : waitForConfirmationMs,
        signal,
      });
      const result = transactionResultOf(answer);
      const location = { Location: locationOf(submissionId) };
      if (answer.kind !== 'undecided') return { status: 200, body: result, headers: location };
      const later = { ...location, 'Retry-After': String(LOOK_AGAIN_SECONDS) };
      return async
        ? { status: 202, body: result, headers: { ...later, 'Preference-Applied': 'respond-async' } }
        : { status: 200, body: result, headers: later };
    },
  });

/** RFC 7240: preferences are separated by commas, their names are case-insensitive. */
function prefersAsync(prefer = ''): boolean {
  return prefer.split(',').some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
