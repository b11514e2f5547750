import { fine, found, type CheckFinding } from '../finding.js';
import { hostOf, type Site } from '../site.js';

/**
 * Timeout in ms for opening a connection. The timeout is short, because an operator waits for the
 * result.
 */
const SET_UP_MS = 5_000;

/**
 * Checks that each push node accepts the service's subscriptions and serves the configured chain.
 */
export async function checkPush({ settings, parts }: Site): Promise<readonly CheckFinding[]> {
  const { push } = settings.node;
  if (push.length === 0)
    return [fine('no node is configured to push changes: the chain is polled at intervals')];
  return Promise.all(
    push.map(async ({ url }) => {
      const host = hostOf(url.reveal());
      const cause = await parts.pushProblem(url.reveal(), SET_UP_MS);
      if (cause === null) return fine(`${host} pushes changes`);
      return cause === 'WRONG_CHAIN'
        ? found('PUSH_OF_OTHER_CHAIN', { host })
        : found('PUSH_NOT_HAD', { host, cause });
    }),
  );
}
