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

const AsOf = Seconds.meta({ description: 'Time of the check, in Unix seconds.' });

const Pool = z
  .object({
    key: z.string(),
    address: z.string(),
    token: z.string(),
    fee: z.object({ value: AmountText.nullable(), asOf: AsOf }).meta({
      description:
        'Fee to put into a proof now, in the token’s smallest unit; null if it can’t be determined.',
    }),
    accepting: z
      .object({ value: z.boolean().nullable(), asOf: AsOf })
      .meta({ description: 'True if withdrawals from it can begin.' }),
    pausedFor: PausedFor,
    reason: PauseReason,
  })
  .meta({ id: 'PublicPool' });

const ServiceStatus = z
  .object({
    version: z.literal(1),
    chainId: z.string(),
    relayer: z.string().meta({ description: 'Address that a proof must name as its relayer.' }),
    issuedAt: Seconds,
    build: BuildSchema,
    pools: z.array(Pool),
    capacity: z
      .object({ value: z.boolean(), asOf: AsOf })
      .meta({ description: 'True if an account can pay for a withdrawal.' }),
    success: z.object({ percent: z.int().nullable(), windowSeconds: z.int(), asOf: AsOf }).meta({
      description:
        'Share of the window’s withdrawals and swaps that succeeded, rounded down to 5 %; null if fewer than 20 ended.',
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
          'Time from acceptance to ACCEPTED_ON_L2, rounded up to 5 s; null if fewer than 20 succeeded.',
      }),
  })
  .meta({ id: 'ServiceStatus' });

const SignedStatus = z
  .object({
    status: ServiceStatus,
    signer: z.string().meta({ description: 'Account whose key signed the status.' }),
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
  summary: 'Present availability and recent success of the service',
  description:
    'Signed by a relay account, so that it can be passed on: the message is SNIP-12 typed data (revision 1, domain Sotto 1) of the type ' +
    '`ServiceStatus(issued_at: timestamp, digest: u256)`, where the digest is SHA-256 of the JSON of `status` without spaces and with sorted names (RFC 8785). ' +
    'It contains no balances and no counts: figures are rounded, change every ten minutes only, and are left out where they rest on few cases.',
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
  summary: 'Liveness of the process',
  description: 'Reads neither the store nor the node.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'The process answers',
      schema: Liveness,
      examples: { alive: { summary: 'Alive', value: { status: 'alive' } } },
    },
  },
  // The reply is constant, so frequent probes cost almost nothing.
  cached: { cacheControl: 'no-store', freshMs: 3_600_000, staleMs: 7_200_000 },
  errors: [],
});

const ReadinessReport = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(
      z.string().meta({
        description:
          'Names of the checks: running, store, store_reads, node, head, contracts, ledger, lanes, prices, signer (if one holds the keys), verifier, pool_verifiers.',
      }),
      z.object({
        ok: z.boolean(),
        code: z
          .string()
          .nullable()
          .meta({ description: 'Why the check failed; null if it passed.' }),
      }),
    ),
  })
  .meta({ id: 'Readiness' });

export const ready = describeRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  summary: 'Readiness for withdrawals',
  description:
    'Checks that the store commits and answers reads, the node answers with the right chain id and a recent block, contracts of the profile exist on it, the ledger lacks nothing of its chain, at least one lane of any instance can pay, at least one pool can be priced, the proof verifier is warm, the pools’ verifiers match those that the profile and the verification key name, if any, and the service is not stopping. A paused pool, a full queue or a spent budget does not make an instance unready: `/status` shows them. Answered from memory, a few seconds old at most.',
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
      description: 'At least one check failed',
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
  summary: 'Readiness for reads and repeated requests',
  description:
    'Checks that the store answers reads and the service is not stopping. It requires less than `/health/ready`: a balancer that uses it keeps an instance for lookups while no withdrawal can be accepted.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'Reads are answered',
      schema: ReadinessReport,
      examples: {
        ready: {
          summary: 'Serving',
          value: { status: 'ready', checks: { store_reads: { ok: true, code: null } } },
        },
      },
    },
    503: {
      description: 'Reads are not answered',
      schema: ReadinessReport,
      examples: {
        notReady: {
          summary: 'The store is unavailable',
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
