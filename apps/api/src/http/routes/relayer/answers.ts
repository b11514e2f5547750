import type { SubmittedWithdrawal } from '@sotto/relayer-core';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { z } from 'zod';

/** Stands in `transaction_hash`, which the interface types as a string, while no transaction is signed. */
const NO_HASH_YET = '0x0';

/** When a caller should look again, in seconds: a Starknet block takes about as long. */
export const LOOK_AGAIN_SECONDS = 5;

export const TransactionResult = z
  .object({
    transaction_hash: z.string().meta({ description: 'Hash of the transaction; `0x0` while none is signed yet.', example: '0x5d2a…' }),
    execution_status: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']).meta({
      description:
        'UNKNOWN: the outcome is not known yet. The submission resource named in `Location` tells it later; do not assume failure.',
    }),
    revert_reason: z.string().nullable().meta({ description: "The contract's reason when REVERTED, else null." }),
  })
  .meta({ id: 'TransactionResult' });

export const Submission = z
  .object({
    id: z.string(),
    attempt: z.int().min(1).meta({ description: 'Attempts of one note are numbered from 1.' }),
    state: z.enum(['accepted', 'prepared', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired']).meta({
      description: 'The first three are under way. refused and expired: nothing of it is or can be on chain, `code` says why.',
    }),
    transaction_hash: z.string().nullable().meta({ description: 'Null while no transaction is signed, and when nothing is on chain.' }),
    execution_status: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']).nullable().meta({ description: 'Null when refused or expired.' }),
    revert_reason: z.string().nullable(),
    finality: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2']).nullable().meta({
      description: 'How final the execution status is; PRE_CONFIRMED may still be undone. Null without one.',
    }),
    code: z.string().nullable().meta({ description: 'Why it was refused or expired, else null.' }),
  })
  .meta({ id: 'Submission' });

/** What the caller of a withdrawal is told. */
export function transactionResultOf(answer: SubmittedWithdrawal['answer']): z.input<typeof TransactionResult> {
  switch (answer.kind) {
    case 'executed':
      return {
        transaction_hash: answer.transactionHash,
        execution_status: answer.execution,
        revert_reason: answer.execution === 'REVERTED' ? answer.revertReason : null,
      };
    case 'undecided':
      return { transaction_hash: answer.transactionHash ?? NO_HASH_YET, execution_status: 'UNKNOWN', revert_reason: null };
  }
}

/** The public view of a submission: nothing of what it carries, who signs it or what it earns. */
export function submissionOf(answer: SubmissionAnswer): z.input<typeof Submission> {
  const { id, attempt, state } = answer.attempt;
  const common = { id, attempt, state, transaction_hash: null, execution_status: null, revert_reason: null, finality: null, code: null };
  switch (answer.kind) {
    case 'executed':
      return { ...common, ...transactionResultOf(answer), finality: answer.finality };
    case 'undecided':
      return { ...common, transaction_hash: answer.transactionHash, execution_status: 'UNKNOWN' };
    case 'ended':
      return { ...common, code: answer.code };
  }
}

/** Where a submission is read. */
export function locationOf(submissionId: string): string {
  return `/api/relayer/submissions/${submissionId}`;
}
