import type { Clock, Logger } from '@sotto/kernel';
import type { GetServiceStatus } from '@sotto/relayer-core';
import { type SignedServiceStatus } from '@sotto/relayer-core';
import { z } from 'zod';
import { describeRoute, type Route, type RouteHandler } from '../../define-route.js';
import { ResponseCache } from '../../response-cache.js';
import { AmountText, EXAMPLE_POOL, PauseReason, PausedFor } from '../../schemas.js';

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

const status = describeRoute({
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
  kept: { cacheControl: 'public, max-age=5', freshMs: 1_000, staleMs: 5_000 },
  errors: [],
});

/** `GET /status`. */
export class StatusRoute implements Route {
  static readonly definition = status;
  readonly definition = status;
  readonly kept: ResponseCache<typeof status, null>;
  readonly handler: RouteHandler;

  constructor(
    private readonly describeService: GetServiceStatus,
    clock: Clock,
    logger: Logger,
  ) {
    this.kept = new ResponseCache(
      status,
      { ask: () => null, answer: () => this.#answer() },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(): Promise<SignedServiceStatus> {
    return this.describeService.execute();
  }
}
