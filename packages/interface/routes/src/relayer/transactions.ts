import { RETRY_WORDS } from '@sotto/facts';
import * as z from 'zod';
import type { Example } from '../definition.js';
import { SWAP_AMOUNTS_EXAMPLE, SwapAmounts } from './swap-amounts.js';
import { AmountText } from '../schemas.js';
import { Crowd } from './pools.js';

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
 * Result of a private swap in the swap pool. `leafIndex` and `outputAmount` are absent while the
 * result is unknown. So a swap with an unknown result is never reported as failed.
 */
const SwapFields = {
  leafIndex: z.int().min(-1).optional().meta({
    description:
      'Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 if the swap failed. Absent while the outcome is UNKNOWN.',
  }),
  noteAtRisk: z
    .object({
      reason: z.literal('PROOF_IS_PUBLIC'),
      remedy: z.literal('withdraw').meta({
        description: 'Withdraw the note plainly, to an address of its owner, with a new proof.',
      }),
    })
    .optional()
    .meta({
      id: 'NoteAtRisk',
      description:
        'Present only for a private swap that is REVERTED and whose note is not known to be spent. Its proof is public, and any caller can send it to the input pool as a plain withdrawal, which pays the swap pool and loses the note. `POST /api/relayer/withdraw` admits the owner’s withdrawal once `finality` is ACCEPTED_ON_L2.',
    }),
  outputAmount: z
    .string()
    .regex(/^0x[0-9a-f]+$/)
    .optional()
    .meta({
      description:
        'Private swaps only: value of the new note in hex, in the output token’s smallest unit; `0x0` if the swap failed. Absent while the outcome is UNKNOWN.',
    }),
};

/** Terms of the swap that was submitted, which may differ from the terms in the request. */
const InForceFields = {
  slippage: z.number().optional().meta({
    description:
      'Tolerance in force, as a fraction of the quote: the distance from the quote down to `floor`. It may be less than the requested one.',
  }),
  floor: AmountText.optional().meta({
    description:
      'Minimum in the transaction, in the output token’s smallest unit: the highest of quote less `slippage`, `minAmountOut`, the minimum that the note’s first swap pinned, and the fair value less the largest price impact. Both fields belong to the submission in `Location`, whichever request created it; absent for a submission of an earlier release.',
  }),
};

export const SwapResult = TransactionResult.extend({ ...SwapFields, ...InForceFields }).meta({
  id: 'PrivateSwapResult',
});

/** Result of a deposit in its pool. */
const DepositFields = {
  leafIndex: z.int().min(-1).optional().meta({
    description:
      'Leaf of the commitment in the pool’s tree; -1 if the deposit failed. Absent while the outcome is UNKNOWN.',
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
        'Deposits only: the batch that the deposit completed; null while it waits for a batch.',
    }),
};

export const DepositResult = TransactionResult.extend(DepositFields).meta({ id: 'DepositResult' });

export const Submission = z
  .object({
    id: z.string(),
    attempt: z.int().min(1).meta({ description: 'Attempts of one note are numbered from 1.' }),
    state: z.enum(['accepted', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired']).meta({
      description:
        'accepted and broadcast are in progress. refused and expired: nothing of it is or can be on chain; `code` has the reason.',
    }),
    transaction_hash: z
      .string()
      .nullable()
      .meta({ description: 'Null while no transaction is signed, and if nothing is on chain.' }),
    execution_status: z
      .enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN'])
      .nullable()
      .meta({ description: 'Null if refused or expired.' }),
    revert_reason: z.string().nullable(),
    finality: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']).nullable().meta({
      description:
        'Finality of the execution status: PRE_CONFIRMED is often undone, ACCEPTED_ON_L2 hardly ever, ACCEPTED_ON_L1 never. Null without a status.',
    }),
    progress: z.enum(['received', 'preconfirmed', 'accepted', 'settled']).meta({
      description:
        'How certain the outcome is. received: the service has the request, and its outcome is UNKNOWN. preconfirmed: `finality` is PRE_CONFIRMED. accepted: `finality` is ACCEPTED_ON_L2. settled: `finality` is ACCEPTED_ON_L1, or the submission was refused or has expired.',
    }),
    reorged: z
      .object({ transaction_hash: z.string(), execution_status: z.enum(['SUCCEEDED', 'REVERTED']) })
      .nullable()
      .meta({
        description:
          'Outcome that was reported at ACCEPTED_ON_L2 and then undone by a rollback of the chain; usually null. The other fields show the present state.',
      }),
    code: z.string().nullable().meta({ description: 'Why it was refused or expired, else null.' }),
    ...SwapFields,
    leafIndex: SwapFields.leafIndex.meta({
      description:
        'Private swaps and deposits only: leaf of the new commitment in the pool’s tree; -1 if it failed. Absent while the outcome is UNKNOWN.',
    }),
    batch: DepositFields.batch,
  })
  .meta({ id: 'Submission' });

/** Documents the two replies of a route that sends a transaction: 200 and 202. */
export function transactionReplies<S extends z.ZodType>(
  schema: S,
  succeeded: Example,
  undecided: Example,
) {
  const later = {
    'Retry-After': 'Seconds until the next poll of the submission resource; only with UNKNOWN.',
  };
  return {
    200: {
      description: 'The outcome: SUCCEEDED, REVERTED, or UNKNOWN if it was not known in time',
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
  summary: 'Succeeded on chain',
  value: { transaction_hash: EXAMPLE_HASH, execution_status: 'SUCCEEDED', revert_reason: null },
};

export const UNDECIDED_EXAMPLE: Example = {
  summary: 'Sent; the outcome is not known yet',
  value: { transaction_hash: EXAMPLE_HASH, execution_status: 'UNKNOWN', revert_reason: null },
};

export const SUBMISSION_EXAMPLE: Example = {
  summary: 'Final on chain',
  value: {
    id: 'Zk3vQ0m1T7a8b9c0d1e2fA',
    attempt: 1,
    state: 'succeeded',
    transaction_hash: EXAMPLE_HASH,
    execution_status: 'SUCCEEDED',
    revert_reason: null,
    finality: 'ACCEPTED_ON_L2',
    progress: 'accepted',
    reorged: null,
    code: null,
  },
};

const CheckReport = z
  .object({
    check: z.string().meta({ description: 'Name of the check.' }),
    code: z.string().meta({ description: 'Error code of a request that fails here.' }),
    status: z.enum(['passed', 'failed', 'skipped']).meta({
      description:
        'skipped: the facts for this check are not known, because an earlier check or a read failed; with SWAP_NOT_PINNED in `detail`, because the check would reveal the proof of a swap; with SIGNATURE_MISSING, because a deposit has no signature yet.',
    }),
    detail: z
      .string()
      .optional()
      .meta({ description: 'Why the check failed, or the code of the error that prevented it.' }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    retry: z
      .enum(RETRY_WORDS)
      .optional()
      .meta({ description: 'Advice of the error of a failed check, as in the body of a failure.' }),
    retryAt: z.int().min(0).optional().meta({
      description:
        'Unix time in seconds at which the request may be sent again, if the failed check knows it.',
    }),
  })
  .meta({ id: 'RungReport' });

/** Query of routes that check a proof, with the optional `dryRun`. */
export const DryRunQuery = z.strictObject({
  dryRun: z.enum(['true', 'false']).optional().meta({
    description: 'true: only run the checks and report them; nothing is submitted.',
    example: 'true',
  }),
});

/** Reply to a withdrawal, deposit or private swap with `dryRun=true`. */
export const DryRunReport = z
  .object({
    admissible: z.boolean().meta({
      description:
        'True if every check passed: the same request, sent now, would be accepted. The simulation of a private swap is not run. False without the signature of a deposit, whose check is then skipped.',
    }),
    checks: z.array(CheckReport).meta({ description: 'All admission checks, in order.' }),
    swap: SwapAmounts.optional().meta({
      description: 'Private swaps only: the amounts at the quote that the checks used.',
    }),
    crowd: Crowd.optional().meta({
      description:
        'Batch that the withdrawal hides in. Absent for a deposit, and if the request can’t be parsed.',
    }),
  })
  .meta({ id: 'DryRunReport' });

export const DRY_RUN_EXAMPLE: Example = {
  summary: 'Report of a dry run (shortened)',
  value: {
    admissible: false,
    checks: [
      { check: 'pool_served', code: 'POOL_NOT_SUPPORTED', status: 'passed' },
      {
        check: 'fee_covers_cost',
        code: 'FEE_TOO_LOW',
        status: 'failed',
        detail:
          'The fee in the proof does not cover the present cost of the withdrawal, or is below the quote that it cites.',
        details: { offered: '100', required: '138' },
        retry: 'new-quote',
      },
    ],
    crowd: { batchSize: 3, warning: null },
  },
};

export const DEPOSIT_DRY_RUN_EXAMPLE: Example = {
  summary: 'Report of a dry run before signature and approval (shortened)',
  value: {
    admissible: false,
    checks: [
      { check: 'pool_served', code: 'POOL_NOT_SUPPORTED', status: 'passed' },
      { check: 'balance', code: 'DEPOSIT_BALANCE_TOO_LOW', status: 'passed' },
      {
        check: 'allowance',
        code: 'DEPOSIT_ALLOWANCE_TOO_LOW',
        status: 'failed',
        detail:
          'The depositor’s allowance for the pool does not cover this deposit and the depositor’s other deposits in flight.',
        details: { required: '20000' },
        retry: 'later',
      },
      {
        check: 'signature',
        code: 'DEPOSIT_SIGNATURE_INVALID',
        status: 'skipped',
        detail: 'SIGNATURE_MISSING',
      },
    ],
  },
};

export const SWAP_DRY_RUN_EXAMPLE: Example = {
  summary: 'Report of a dry run (shortened)',
  value: {
    admissible: true,
    checks: [
      { check: 'pool_served', code: 'POOL_NOT_SUPPORTED', status: 'passed' },
      { check: 'fair_value', code: 'PRICE_IMPACT_TOO_HIGH', status: 'passed' },
      {
        check: 'simulation',
        code: 'SIMULATION_REVERTED',
        status: 'skipped',
        detail: 'SWAP_NOT_PINNED',
      },
    ],
    swap: SWAP_AMOUNTS_EXAMPLE,
  },
};
