import { createSottoClient, type SottoClient, type operations } from '@sotto/client';

import { WalletError } from '../errors.js';
import { within } from '../journeys/sleep.js';
import { verifyServiceStatus } from '../signed/service-status.js';

/** Relayer in the list of a wallet. */
export interface Relayer {
  /** Base URL, for example `https://relayer.example`. */
  readonly baseUrl: string;
  /**
   * Stark key of the account that signs quotes and status: the x coordinate, 0x hex. The key must
   * come from a source that the wallet trusts, never from the relayer's responses.
   */
  readonly signerKey: string;
  /** @default the platform's `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Relayer whose recent signed status shows that it serves the pool. */
export interface UsableRelayer {
  readonly relayer: Relayer;
  readonly client: SottoClient;
  /** Address (0x hex) that a proof must contain as the earner of its fee. */
  readonly feeAddress: string;
}

/** Relayer that can't be used, with the reason. */
export interface UnusableRelayer {
  readonly baseUrl: string;
  readonly code:
    | 'RELAYER_UNREACHABLE'
    | 'RELAYER_OF_ANOTHER_CHAIN'
    | 'POOL_NOT_SERVED'
    | 'NOT_ACCEPTING'
    | 'NO_CAPACITY'
    | 'SIGNATURE_FORGED'
    | 'STATUS_OUTDATED'
    | 'SIGNER_KEY_MALFORMED';
}

export interface RelayersAsked {
  /** Usable relayers, in the sequence of the given list. */
  readonly usable: readonly UsableRelayer[];
  readonly unusable: readonly UnusableRelayer[];
}

export interface RelayerWanted {
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Pool address as 0x hex. */
  readonly pool: string;
  /**
   * Kind of request. If a pool is paused for withdrawals, it may still accept deposits. A status
   * does not list swap pools; only a quote shows whether the relayer serves a swap pool.
   */
  readonly operation: 'withdrawal' | 'swap-pool-withdrawal' | 'deposit';
  readonly signal: AbortSignal;
}

/** Maximum number of relayers that are queried. */
export const MOST_RELAYERS = 8;
const STATUS_TIMEOUT_MS = 5_000;

/**
 * Creates a client of one relayer. @param tries maximum number of times that a repeatable request
 * is sent; the client's default if omitted
 */
export function clientOf({ baseUrl, fetch }: Relayer, tries?: number): SottoClient {
  return createSottoClient({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
    ...(tries === undefined ? {} : { tries }),
  });
}

/**
 * Queries the signed status of all relayers in parallel, for at most five seconds each. An invalid
 * response makes a relayer unusable and never throws.
 * @throws the signal's reason when the signal aborts
 */
export async function askRelayers(
  relayers: readonly Relayer[],
  wanted: RelayerWanted,
): Promise<RelayersAsked> {
  const asked = await Promise.all(
    relayers.slice(0, MOST_RELAYERS).map((relayer) => ask(relayer, wanted)),
  );
  wanted.signal.throwIfAborted();
  return {
    usable: asked.filter((answer) => 'client' in answer),
    unusable: asked.filter((answer) => 'code' in answer),
  };
}

async function ask(
  relayer: Relayer,
  wanted: RelayerWanted,
): Promise<UsableRelayer | UnusableRelayer> {
  const { baseUrl, signerKey } = relayer;
  const client = clientOf(relayer);
  try {
    const { data } = await within(STATUS_TIMEOUT_MS, wanted.signal, (signal) =>
      // Try only once, because requests to the other relayers must not wait for an unavailable
      // relayer.
      clientOf(relayer, 1).GET('/status', { signal }),
    );
    if (data === undefined) return { baseUrl, code: 'RELAYER_UNREACHABLE' };
    await verifyServiceStatus(data, { signerPublicKey: signerKey });
    const code = reasonAgainst(data.status, wanted);
    return code === undefined
      ? { relayer, client, feeAddress: data.status.relayer }
      : { baseUrl, code };
  } catch (error) {
    return { baseUrl, code: refusalOf(error) };
  }
}

type Status = operations['getStatus']['responses'][200]['content']['application/json']['status'];

function reasonAgainst(
  { chainId, pools, capacity }: Status,
  wanted: RelayerWanted,
): UnusableRelayer['code'] | undefined {
  if (BigInt(chainId) !== BigInt(wanted.chainId)) return 'RELAYER_OF_ANOTHER_CHAIN';
  if (!capacity.value) return 'NO_CAPACITY';
  if (wanted.operation === 'swap-pool-withdrawal') return undefined;
  const pool = pools.find(({ address }) => BigInt(address) === BigInt(wanted.pool));
  if (pool === undefined) return 'POOL_NOT_SERVED';
  const isClosed = wanted.operation === 'withdrawal' && pool.accepting.value !== true;
  return isClosed ? 'NOT_ACCEPTING' : undefined;
}

const OF_STATUS = ['SIGNATURE_FORGED', 'STATUS_OUTDATED', 'SIGNER_KEY_MALFORMED'] as const;

/**
 * Returns the reason why a relayer is unusable. If the error has no such reason, the result is
 * RELAYER_UNREACHABLE, because an invalid status must not be used.
 */
function refusalOf(error: unknown): UnusableRelayer['code'] {
  const code = error instanceof WalletError ? error.code : undefined;
  return OF_STATUS.find((refusal) => refusal === code) ?? 'RELAYER_UNREACHABLE';
}
