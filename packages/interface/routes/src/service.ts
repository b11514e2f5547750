import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import {
  AmountText,
  BuildSchema,
  EXAMPLE_BUILD,
  EXAMPLE_POOL,
  PauseReason,
  PausedFor,
} from './schemas.js';

const Seconds = z.int().meta({ description: 'Unix seconds.' });

const AsOf = Seconds.meta({ description: 'When it was looked at, in Unix seconds.' });

const Pool = z
  .object({
    key: z.string(),
    address: z.string(),
    token: z.string(),
    fee: z.object({ value: AmountText.nullable(), asOf: AsOf }).meta({
      description:
        'To put into a proof now, in the token’s smallest unit; null while it can’t be known.',
    }),
    accepting: z
      .object({ value: z.boolean().nullable(), asOf: AsOf })
      .meta({ description: 'Whether withdrawals begin in it.' }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'PublicPool' });

const ServiceStatus = z
  .object({
    version: z.literal(1),
    chainId: z.string(),
    relayer: z.string().meta({ description: 'The address that a proof must name as its relayer.' }),
    issuedAt: Seconds,
    build: BuildSchema,
    pools: z.array(Pool),
    capacity: z
      .object({ value: z.boolean(), asOf: AsOf })
      .meta({ description: 'Whether an account can pay for a withdrawal.' }),
    success: z.object({ percent: z.int().nullable(), windowSeconds: z.int(), asOf: AsOf }).meta({
      description:
        'Withdrawals and swaps of the window that succeeded, rounded down to 5 %; null when fewer than 20 ended.',
    }),
    inclusion: z
      .object({
        p50Seconds: z.int().nullable(),
        p95Seconds: z.int().nullable(),
        windowSeconds: z.int(),
        asOf: AsOf,
      })
      .meta({
        description:
          'From acceptance to ACCEPTED_ON_L2, rounded up to 5 s; null when fewer than 20 succeeded.',
      }),
  })
  .meta({ id: 'ServiceStatus' });

const SignedStatus = z
  .object({
    status: ServiceStatus,
    signer: z.string().meta({ description: 'The account whose key signed.' }),
    signature: z
      .array(z.string())
      .length(2)
      .meta({ description: 'r and s over the SNIP-12 hash of `ServiceStatus`.' }),
  })
  .meta({ id: 'SignedServiceStatus' });

const asOf = 1_760_000_000;

export const status = describeRoute({
  method: 'get',
  path: '/status',
  operationId: 'getStatus',
  summary: 'What the service takes now, and how well it has done',
  description:
    'Signed by a relay account, so that it can be passed on: the message is SNIP-12 typed data (revision 1, domain Sotto 1) of the type ' +
    '`ServiceStatus(issued_at: timestamp, digest: u256)`, where the digest is SHA-256 of the JSON of `status` without spaces and with sorted names (RFC 8785). ' +
    'It contains no balances and no counts: figures are rounded, change every ten minutes only, and are left out where few stand behind them.',
  tag: 'meta',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'At most a minute old',
      schema: SignedStatus,
      examples: {
        status: {
          summary: 'One pool',
          value: {
            status: {
              version: 1,
              chainId: '0x534e5f4d41494e',
              relayer: '0x7a1e5f',
              issuedAt: asOf,
              build: EXAMPLE_BUILD,
              pools: [
                {
                  key: 'sentinel_1x',
                  address: EXAMPLE_POOL,
                  token: 'WBTC',
                  fee: { value: '166', asOf },
                  accepting: { value: true, asOf },
                  pausedFor: null,
                  reason: null,
                },
              ],
              capacity: { value: true, asOf },
              success: { percent: 95, windowSeconds: 86_400, asOf },
              inclusion: { p50Seconds: 10, p95Seconds: 25, windowSeconds: 86_400, asOf },
            },
            signer: '0x7a1e5f',
            signature: ['0x6454300d0107d686ffc39cebe0f0af', '0x1dc7268352f04c2cf3e9471e896aa7'],
          },
        },
      },
    },
  },
  cached: { cacheControl: 'public, max-age=5', freshMs: 1_000, staleMs: 5_000 },
  errors: CODES_OF.status,
});

const Liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

export const live = describeRoute({
  method: 'get',
  path: '/health/live',
  operationId: 'getLiveness',
  summary: 'Whether the process answers at all',
  description: 'It reads neither the store nor the node.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'It does',
      schema: Liveness,
      examples: { alive: { summary: 'It does', value: { status: 'alive' } } },
    },
  },
  // Always the same: what asks every second costs as little as can be.
  cached: { cacheControl: 'no-store', freshMs: 3_600_000, staleMs: 7_200_000 },
  errors: [],
});

const ReadinessReport = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(
      z.string().meta({
        description:
          'What was checked: running, store, store_reads, node, head, contracts, ledger, lanes, prices, signer (where one holds the keys), verifier, pool_verifiers.',
      }),
      z.object({
        ok: z.boolean(),
        code: z.string().nullable().meta({ description: 'Why not; null when it is fine.' }),
      }),
    ),
  })
  .meta({ id: 'Readiness' });

export const ready = describeRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  summary: 'Whether withdrawals can be taken now',
  description:
    'The store commits and answers reads, the node answers with the right chain id and a block that is recent, contracts of the profile stand there, the ledger lacks nothing of its chain, at least one lane can pay, whichever instance holds it, one pool at least can be priced, the proof verifier is warm, the pools’ verifiers are those of the profile and of the verification key where these name them, and the service is not stopping. A paused pool, a full queue or a spent budget make no instance unready: `/status` shows them. Answered from memory, a few seconds old at most.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'Every check passed',
      schema: ReadinessReport,
      examples: {
        ready: {
          summary: 'Ready',
          value: { status: 'ready', checks: { store: { ok: true, code: null } } },
        },
      },
    },
    503: {
      description: 'At least one check did not',
      schema: ReadinessReport,
      examples: {
        notReady: {
          summary: 'Not ready',
          value: {
            status: 'not_ready',
            checks: { lanes: { ok: false, code: 'LANES_SHORT_OF_FUNDS' } },
          },
        },
      },
    },
  },
  errors: [],
});

export const serving = describeRoute({
  method: 'get',
  path: '/health/serving',
  operationId: 'getServing',
  summary: 'Whether reads, and repeats of what was accepted, are answered',
  description:
    'The store answers reads and the service is not stopping. Narrower than `/health/ready`: a balancer that goes by it keeps an instance for lookups while no withdrawal can be taken.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'They are',
      schema: ReadinessReport,
      examples: {
        ready: {
          summary: 'They are',
          value: { status: 'ready', checks: { store_reads: { ok: true, code: null } } },
        },
      },
    },
    503: {
      description: 'They are not',
      schema: ReadinessReport,
      examples: {
        notReady: {
          summary: 'The store is away',
          value: {
            status: 'not_ready',
            checks: { store_reads: { ok: false, code: 'STORE_UNREACHABLE' } },
          },
        },
      },
    },
  },
  errors: [],
});

export const openApi = describeRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  summary: 'This document',
  description: '`GET /docs` shows it as a page.',
  tag: 'meta',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'An OpenAPI 3.1 document',
      schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }),
    },
  },
  cached: { cacheControl: 'public, max-age=300', freshMs: 300_000, staleMs: 300_000 },
  errors: [],
});
