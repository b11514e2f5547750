import { createSottoClient, type SottoClient } from '@sotto/client';
import { keyed, type Variables } from '@sotto/process-kit';
import { sandboxWorld, type Sandbox } from '@sotto/sandbox';
import { Stack, type StackOptions } from './stack.js';

/** Bearer tokens of two callers of the API. */
export const TOKENS = {
  first: 'token-of-the-first-holder',
  second: 'token-of-the-second-holder',
} as const;

/**
 * Starts a service that also serves yields, vault deployments and bridging.
 * @param options no deposits are made by default
 * @param env further environment variables
 */
export function startDomains(
  options: Pick<
    StackOptions,
    'blocksOnDemand' | 'cadence' | 'clockShiftMs' | 'deposit' | 'genesis' | 'isStarted'
  > = {},
  env: StackOptions['env'] = {},
): Promise<Stack> {
  const variables = async (sandbox: Sandbox): Promise<Variables> => ({
    REWARDS_URL: sandbox.rewardsUrl,
    BRIDGE_URL: sandbox.bridgeUrl,
    CURATOR_ACCOUNT: JSON.stringify(keyed(sandboxWorld.accounts.curator)),
    CURATOR_API_TOKENS: JSON.stringify(TOKENS),
    RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
    ...(typeof env === 'function' ? await env(sandbox) : env),
  });
  return Stack.start({ deposit: async () => {}, ...options, whole: true, env: variables });
}

/** Starts a new process with an empty cache and the same ledger. */
export async function restarted(stack: Stack, env: Variables = {}): Promise<SottoClient> {
  stack.running?.kill('SIGKILL');
  await stack.ended();
  await stack.restart(env);
  return clientOf(stack);
}

export function clientOf(stack: Stack): SottoClient {
  return createSottoClient({ baseUrl: stack.service.url, tries: 1 });
}
