import type { RelayedRequest } from '../relayers/relayed-request.js';
import { clientOf, type Relayer } from '../relayers/relayers.js';
import type { Posting } from './withdrawal-entry.js';

interface PostedWithdrawal {
  readonly relayer: Relayer;
  /** Pool address as 0x hex. */
  readonly pool: string;
  readonly posting: Posting;
  readonly isDone: RelayedRequest['isDone'];
}

/**
 * Builds the request that sends a posting's proof. For the same posting, the request is always
 * identical.
 */
export function withdrawalRequest({
  relayer,
  pool: poolAddress,
  posting,
  isDone,
}: PostedWithdrawal): RelayedRequest {
  const client = clientOf(relayer);
  const calldata = [...(posting.calldata ?? [])];
  return {
    baseUrl: relayer.baseUrl,
    client,
    doneCodes: ['NULLIFIER_SPENT'],
    isDone,
    post: async (signal) => {
      const { data, error, response } = await client.POST('/api/relayer/withdraw', {
        params: { header: { prefer: 'respond-async' } },
        body: { poolAddress, calldata, quoteId: posting.quoteId },
        signal,
      });
      if (data !== undefined && 'admissible' in data)
        throw new Error('the relayer has answered a dry run');
      return data === undefined ? { error, response } : { data, response };
    },
    lookUp: (signal) =>
      client.POST('/api/relayer/submissions/lookup', { body: { poolAddress, calldata }, signal }),
  };
}
