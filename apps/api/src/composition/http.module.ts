import type { Settings, SwapSettings } from '../config/settings.js';
import { buildOpenApi } from '../http/openapi.js';
import { ROUTES } from '../http/routes.js';
import { HttpPolicyToken, OpenApiDocumentToken, RouteToken, type HttpPolicy } from './bindings.js';
import { AppModule } from './container.js';

const PPM_PER_BPS = 100;

/** The routes, and what they themselves decide by. */
export const httpModule = (policy: HttpPolicy): AppModule =>
  new AppModule(({ bind }) => {
    bind(HttpPolicyToken).toConstantValue(policy);
    bind(OpenApiDocumentToken).toConstantValue({ ...buildOpenApi(ROUTES.map(({ definition }) => definition)) });
    for (const Route of ROUTES) bind(RouteToken).to(Route).inSingletonScope();
  });

export function httpPolicy({ network, relay, swap }: Pick<Settings, 'network' | 'relay' | 'swap'>): HttpPolicy {
  return {
    waitForConfirmationMs: relay.waitForConfirmationMs,
    pools: new Map(network.pools.map((pool) => [pool.address, pool])),
    swap: swap === null || network.swapPool === undefined ? null : { swapPool: network.swapPool.address, ...limitsOf(swap) },
  };
}

function limitsOf({ minSlippageBps, maxPriceImpactBps }: SwapSettings) {
  return { minSlippagePpm: minSlippageBps * PPM_PER_BPS, maxPriceImpactBps };
}
