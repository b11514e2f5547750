import type { ListRoutes } from '@sotto/bridge-core';
import { type BridgeAsset, type BridgeRoute } from '@sotto/bridge-core';
import type { Clock, Logger } from '@sotto/kernel';
import { z } from 'zod';
import { describeRoute, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';

const End = z
  .object({
    chain: z.string(),
    token: z.string(),
    decimals: z
      .int()
      .min(0)
      .meta({ description: 'One token is 1 followed by so many zeros of its smallest unit.' }),
  })
  .meta({ id: 'BridgeEnd' });

const BridgeRoutes = z
  .object({
    routes: z.array(
      z
        .object({
          direction: z
            .enum(['in', 'out'])
            .meta({ description: 'in: to Starknet. out: from Starknet.' }),
          from: End,
          to: End,
        })
        .meta({ id: 'BridgeRoute' }),
    ),
  })
  .meta({ id: 'BridgeRoutes' });

const STRK_END = { chain: 'starknet', token: 'STRK', decimals: 18 } as const;

const bridgeRoutes = describeRoute({
  method: 'get',
  path: '/api/bridge/routes',
  operationId: 'listBridgeRoutes',
  summary: 'What may be bridged',
  description:
    'Whether a solver carries a transfer now depends on its liquidity: only a quote shows it.',
  tag: 'bridge',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'Every pair of tokens, in both directions',
      schema: BridgeRoutes,
      examples: {
        routes: {
          summary: 'Two of them',
          value: {
            routes: [
              {
                direction: 'in',
                from: { chain: 'ethereum', token: 'USDC', decimals: 6 },
                to: STRK_END,
              },
              {
                direction: 'out',
                from: STRK_END,
                to: { chain: 'ethereum', token: 'USDC', decimals: 6 },
              },
            ],
          },
        },
      },
    },
  },
  kept: { cacheControl: 'public, max-age=300', freshMs: 300_000, staleMs: 300_000 },
  errors: ERRORS_OF.bridgeRoutes,
});

/** `GET /api/bridge/routes`. */
export class BridgeRoutesRoute implements Route {
  static readonly definition = bridgeRoutes;
  readonly definition = bridgeRoutes;
  readonly kept: ResponseCache<typeof bridgeRoutes, null>;
  readonly handler: RouteHandler;

  constructor(
    private readonly listRoutes: ListRoutes,
    clock: Clock,
    logger: Logger,
  ) {
    this.kept = new ResponseCache(
      bridgeRoutes,
      { ask: () => null, answer: () => this.#answer() },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(): Promise<z.input<typeof BridgeRoutes>> {
    return { routes: this.listRoutes.execute().map(toRouteDto) };
  }
}

function toRouteDto({
  direction,
  from,
  to,
}: BridgeRoute): z.input<typeof BridgeRoutes>['routes'][number] {
  return { direction, from: endOf(from), to: endOf(to) };
}

function endOf({ chain, symbol, decimals }: BridgeAsset): z.input<typeof End> {
  return { chain, token: symbol, decimals };
}
