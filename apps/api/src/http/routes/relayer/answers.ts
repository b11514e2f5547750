import type { Example } from '../../define-route.js';
import type { DepositOutcome, StandingAnswer, SwapInForce, SwapOutcome } from '@sotto/relayer-core';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { z } from 'zod';
import { locationOf } from '../../location.js';
import { LOOK_AGAIN_SECONDS } from '../../look-again.js';
import { AmountText } from '../../schemas.js';

const PPM = 1_000_000;

/**
 * Stands in `transaction_hash`, which the interface types as a string, while no transaction is
 * signed.
 */
const NO_HASH_YET = '0x0';

const EXAMPLE_HASH = '0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0';

export const TransactionResult = z
  .object({
    transaction_hash: z.string().meta({
      description: 'Hash of the transaction; `0x0` while none is signed yet.',
      example: EXAMPLE_HASH,
    }),
    execution_status: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']).meta({
      description:
        'UNKNOWN: the outcome is not known yet. The submission resource named in `Location` returns it later; do not assume failure.',
    }),
    revert_reason: z
      .string()
      .nullable()
      .meta({ description: "The contract's reason when REVERTED, else null." }),
  })
  .meta({ id: 'TransactionResult' });

/**
 * What a private swap left in the swap pool. Both are left out while that is not known: it is never
 * called failed before it is.
 */
const SwapFields = {
  leafIndex: z.int().min(-1).optional().meta({
    description:
      'Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 when the swap failed. Left out while the outcome is UNKNOWN.',
  }),
  outputAmount: z
    .string()
    .regex(/^0x[0-9a-f]+$/)
    .optional()
    .meta({
      description:
        'Private swaps only: what the new note is worth, in hex, in the output token’s smallest unit; `0x0` when the swap failed. Left out while the outcome is UNKNOWN.',
    }),
};

/** The terms of the swap that was sent. */
const InForceFields = {
  slippage: z.number().optional().meta({
    description:
      'The tolerance that is in force, as a fraction of the quote: what was asked for, or less where that would have gone below the floor. Left out where an earlier request sent the swap.',
  }),
  floor: AmountText.optional().meta({
    description:
      'Least that may ever come out, in the output token’s smallest unit: `minAmountOut`, else the fair value less the largest price impact. The first swap of a note pins it: later ones have the same, whatever they name.',
  }),
};

export const SwapResult = TransactionResult.extend({ ...SwapFields, ...InForceFields }).meta({
  id: 'PrivateSwapResult',
});

/** What a deposit left in its pool. */
const DepositFields = {
  leafIndex: z.int().min(-1).optional().meta({
    description:
      'Leaf of the commitment in the pool’s tree; -1 when the deposit failed. Left out while the outcome is UNKNOWN.',
  }),
  batch: z
    .object({
      id: z.int(),
      start: z.int().meta({ description: 'Leaf of its first deposit.' }),
      size: z.int(),
    })
    .nullable()
    .optional()
    .meta({
      description:
        'Deposits only: the batch that the deposit completed; null while it waits for one.',
    }),
};

export const DepositResult = TransactionResult.extend(DepositFields).meta({ id: 'DepositResult' });

export const Submission = z
  .object({
    id: z.string(),
    attempt: z.int().min(1).meta({ description: 'Attempts of one note are numbered from 1.' }),
    state: z.enum(['accepted', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired']).meta({
      description:
        'The first two are under way. refused and expired: nothing of it is or can be on chain, `code` says why.',
    }),
    transaction_hash: z
      .string()
      .nullable()
      .meta({ description: 'Null while no transaction is signed, and when nothing is on chain.' }),
    execution_status: z
      .enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN'])
      .nullable()
      .meta({ description: 'Null when refused or expired.' }),
    revert_reason: z.string().nullable(),
    finality: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']).nullable().meta({
      description:
        'How final the execution status is: PRE_CONFIRMED is often undone, ACCEPTED_ON_L2 hardly ever, ACCEPTED_ON_L1 never. Null without one.',
    }),
    reorged: z
      .object({ transaction_hash: z.string(), execution_status: z.enum(['SUCCEEDED', 'REVERTED']) })
      .nullable()
      .meta({
        description:
          'The outcome that was reported at ACCEPTED_ON_L2 and undone by a rollback of the chain; usually null. The other fields say what is true now.',
      }),
    code: z.string().nullable().meta({ description: 'Why it was refused or expired, else null.' }),
    ...SwapFields,
    leafIndex: SwapFields.leafIndex.meta({
      description:
        'Private swaps and deposits only: leaf of the new commitment in the pool’s tree; -1 when it failed. Left out while the outcome is UNKNOWN.',
    }),
    batch: DepositFields.batch,
  })
  .meta({ id: 'Submission' });

/** The answer to the caller of a transaction. */
export function transactionResultOf(answer: StandingAnswer): z.input<typeof TransactionResult> {
  switch (answer.kind) {
    case 'executed':
      return {
        transaction_hash: answer.transactionHash,
        execution_status: answer.execution,
        revert_reason: answer.execution === 'REVERTED' ? answer.revertReason : null,
      };
    case 'pending':
      return {
        transaction_hash: answer.transactionHash ?? NO_HASH_YET,
        execution_status: 'UNKNOWN',
        revert_reason: null,
      };
  }
}

/** The fields of a private swap; none while the outcome is not known. */
export function swapFieldsOf({ leafIndex, outputAmount }: SwapOutcome): {
  readonly leafIndex?: number;
  readonly outputAmount?: string;
} {
  return leafIndex === null || outputAmount === null
    ? {}
    : { leafIndex, outputAmount: `0x${outputAmount.toString(16)}` };
}

/** The fields of a deposit; none while the outcome is not known. */
export function depositFieldsOf({
  leafIndex,
  batch,
}: DepositOutcome): Pick<z.input<typeof DepositResult>, 'leafIndex' | 'batch'> {
  return leafIndex === null ? {} : { leafIndex, batch };
}

/** The fields of the terms in force. */
export function inForceFieldsOf(inForce: SwapInForce | null): {
  readonly slippage?: number;
  readonly floor?: string;
} {
  if (inForce === null) return {};
  const { slippagePpm, floor } = inForce;
  return { floor: String(floor), ...(slippagePpm === null ? {} : { slippage: slippagePpm / PPM }) };
}

/** The public view of a submission: nothing of what it carries, who signs it or what it earns. */
export function submissionOf(
  answer: SubmissionAnswer,
  swap: SwapOutcome | null,
  deposit: DepositOutcome | null = null,
): z.input<typeof Submission> {
  const { id, attempt, state, undone } = answer.attempt;
  const reorged =
    undone === null
      ? null
      : { transaction_hash: undone.transactionHash, execution_status: undone.execution };
  const nothing = {
    transaction_hash: null,
    execution_status: null,
    revert_reason: null,
    finality: null,
    code: null,
  };
  const left = {
    ...(swap === null ? {} : swapFieldsOf(swap)),
    ...(deposit === null ? {} : depositFieldsOf(deposit)),
  };
  const common = { id, attempt, state, ...nothing, reorged, ...left };
  switch (answer.kind) {
    case 'executed':
      return { ...common, ...transactionResultOf(answer), finality: answer.finality };
    case 'pending':
      return { ...common, transaction_hash: answer.transactionHash, execution_status: 'UNKNOWN' };
    case 'rejected':
      return { ...common, code: answer.code };
  }
}

/** Headers of a submission's view: nothing once all of its outcome is known. */
export function whenToLookAgain(
  { kind }: SubmissionAnswer,
  left: Pick<SwapOutcome | DepositOutcome, 'leafIndex'> | null,
): { readonly 'Retry-After'?: string } {
  const isOpen = kind === 'pending' || (left !== null && left.leafIndex === null);
  return isOpen ? { 'Retry-After': String(LOOK_AGAIN_SECONDS) } : {};
}

/** Documents the two replies of a route that puts a transaction on chain. */
export function transactionReplies<S extends z.ZodType>(
  schema: S,
  succeeded: Example,
  undecided: Example,
) {
  const later = {
    'Retry-After': 'Seconds after which to look at the submission resource; only with UNKNOWN.',
  };
  return {
    200: {
      description: 'The outcome: SUCCEEDED, REVERTED, or UNKNOWN when it was not known in time',
      schema,
      headers: { Location: 'Submission resource.', ...later },
      examples: { succeeded, undecided },
    },
    202: {
      description: 'Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`.',
      schema,
      headers: {
        Location: 'Submission resource.',
        ...later,
        'Preference-Applied': '`respond-async`',
      },
      examples: { undecided },
    },
  } as const;
}

export const SUCCEEDED_EXAMPLE: Example = {
  summary: 'On chain, and it succeeded',
  value: { transaction_hash: EXAMPLE_HASH, execution_status: 'SUCCEEDED', revert_reason: null },
};
export const UNDECIDED_EXAMPLE: Example = {
  summary: 'Sent; the outcome is not known yet',
  value: { transaction_hash: EXAMPLE_HASH, execution_status: 'UNKNOWN', revert_reason: null },
};

/**
 * The reply for a submission that stands: 202 only when its outcome is not known and the caller
 * preferred not to wait for it.
 * @param body what is said of the transaction
 */
export function transactionReply<B>(
  submissionId: string,
  answer: StandingAnswer,
  body: B,
  preferredAsync: boolean,
) {
  const location = { Location: locationOf(submissionId) };
  if (answer.kind !== 'pending') return { status: 200 as const, body, headers: location };
  const later = { ...location, 'Retry-After': String(LOOK_AGAIN_SECONDS) };
  return preferredAsync
    ? { status: 202 as const, body, headers: { ...later, 'Preference-Applied': 'respond-async' } }
    : { status: 200 as const, body, headers: later };
}

export const SUBMISSION_EXAMPLE: Example = {
  summary: 'On chain for good',
  value: {
    id: 'Zk3vQ0m1T7a8b9c0d1e2fA',
    attempt: 1,
    state: 'succeeded',
    transaction_hash: EXAMPLE_HASH,
    execution_status: 'SUCCEEDED',
    revert_reason: null,
    finality: 'ACCEPTED_ON_L2',
    reorged: null,
    code: null,
  },
};
