import type { Example } from '../../define-route.js';
import { z } from 'zod';
import { Crowd } from './crowd.js';

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
    description: 'true: run the admission checks and report them, submit nothing.',
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
  },
};
