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
 * What a private swap left in the swap pool. Both are left out while that is not known: it is never
 * called failed before it is.
 */
const SwapFields = {
  leafIndex: z.int().min(-1).optional().meta({
    description:
      'Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 when the swap failed. Left out while the outcome is UNKNOWN.',
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
        'Only of a private swap that is REVERTED and whose note is not known to be spent: its proof is public, and any caller can send it to the input pool as a plain withdrawal, which pays the swap pool and loses the note. `POST /api/relayer/withdraw` admits the owner’s withdrawal once `finality` is ACCEPTED_ON_L2.',
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
      'Tolerance in force, as a fraction of the quote: what `floor` leaves below it. It may be less than the request names.',
  }),
  floor: AmountText.optional().meta({
    description:
      'Minimum in the transaction, in the output token’s smallest unit: the highest of quote less `slippage`, `minAmountOut`, the minimum that the note’s first swap pinned, and the fair value less the largest price impact. Both fields are those of the submission in `Location`, whichever request sent it; left out for one of an earlier release.',
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

const CheckReport = z
  .object({
    check: z.string().meta({ description: 'Name of the check.' }),
    code: z.string().meta({ description: 'Error code of a withdrawal that fails here.' }),
    status: z.enum(['passed', 'failed', 'skipped']).meta({
      description:
        'skipped: what the check looks at is not known, because an earlier check failed or a read did; with SWAP_NOT_PINNED in `detail`, because looking would show the proof of a swap.',
    }),
    detail: z
      .string()
      .optional()
      .meta({ description: 'Why it failed, or the code of what kept it from being judged.' }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  })
  .meta({ id: 'RungReport' });

/** Of the routes that judge a proof. */
export const DryRunQuery = z.strictObject({
  dryRun: z.enum(['true', 'false']).optional().meta({
    description: 'true: only run the checks and report them; nothing is submitted.',
    example: 'true',
  }),
});

/** What a withdrawal or private swap with `dryRun=true` answers. */
export const DryRunReport = z
  .object({
    admissible: z.boolean().meta({
      description:
        'True when every check passed, but for the simulation of a private swap, which is left out: the same request, sent now, would be accepted.',
    }),
    checks: z.array(CheckReport).meta({ description: 'Every check of the admission, in order.' }),
    swap: SwapAmounts.optional().meta({
      description: 'Private swaps only: the amounts at the quote that the checks were made with.',
    }),
    crowd: Crowd.optional().meta({
      description: 'What the withdrawal hides in. Left out where the request can’t be read.',
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
          'The fee in the proof does not cover what the withdrawal costs now, or is below the quote that it cites.',
        details: { offered: '100', required: '138' },
      },
    ],
    crowd: { batchSize: 3, warning: null },
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
