import { createSottoClient, type SottoClient, type operations } from '@sotto/client';

import { WalletError } from '../errors.js';
import { within } from '../journeys/sleep.js';
import { verifyServiceStatus } from '../signed/service-status.js';

/** A relayer that the wallet knows. */
export interface Relayer {
  /** Such as `https://relayer.example`. */
  readonly baseUrl: string;
  /**
   * Stark key of the account that signs its quotes and status: the x coordinate, 0x hex. From a
   * source that the wallet trusts, never from the relayer's answers.
   */
  readonly signerKey: string;
  /** @default the platform's */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A relayer that has said, signed and of late, that it serves the pool now. */
export interface UsableRelayer {
  readonly relayer: Relayer;
  readonly client: SottoClient;
  /** 0x hex: the address that a proof must name. */
  readonly feeAddress: string;
}

/** Why a relayer is not used. */
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
  /** In the order in which they were given. */
  readonly usable: readonly UsableRelayer[];
  readonly unusable: readonly UnusableRelayer[];
}

export interface RelayerWanted {
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex. */
  readonly pool: string;
  /**
   * A pool that is paused for withdrawals may take deposits. Of swap pools a status says nothing:
   * whether one is served the quote shows.
   */
  readonly operation: 'withdrawal' | 'swap-pool-withdrawal' | 'deposit';
  readonly signal: AbortSignal;
}

/** More are not asked. */
export const MOST_RELAYERS = 8;
const STATUS_TIMEOUT_MS = 5_000;

/** A client of one relayer; requests are repeated where that is safe, `tries` times if given. */
export function clientOf({ baseUrl, fetch }: Relayer, tries?: number): SottoClient {
  return createSottoClient({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
    ...(tries === undefined ? {} : { tries }),
  });
}

/**
 * Asks relayers for their signed status, all at once and each for at most five seconds; never
 * throws for what one of them answers.
 * @throws the signal's reason when that aborts
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
      // Once: the others shall not wait for one that is down.
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

/** Whatever is wrong with an answer that is no status, it is not to be used. */
function refusalOf(error: unknown): UnusableRelayer['code'] {
  const code = error instanceof WalletError ? error.code : undefined;
  return OF_STATUS.find((refusal) => refusal === code) ?? 'RELAYER_UNREACHABLE';
}
