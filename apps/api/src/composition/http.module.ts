import type { NetworkProfile } from '../config/network-profile.js';
import type { Settings } from '../config/settings.js';
import { buildOpenApi } from '../http/openapi.js';
import { ROUTES } from '../http/routes.js';
import { HttpPolicyToken, OpenApiDocumentToken, RouteToken, type HttpPolicy } from './bindings.js';
import { AppModule } from './container.js';

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
    swap: swap === null ? null : swapFacts(network),
  };
}

function swapFacts({ swapPool, tokens }: NetworkProfile): HttpPolicy['swap'] {
  if (swapPool === undefined) return null;
  const outputTokens = swapPool.outputTokens.flatMap((symbol) => {
    const token = tokens[symbol];
    return token === undefined ? [] : [{ symbol, ...token }];
  });
  return { swapPool: swapPool.address, outputTokens };
}
