import { shortStringFelt, signDepositConsent } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';

/** Body of `POST /api/relayer/deposit`. */
export interface DepositBody {
  readonly poolAddress: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly expiresAt: number;
  readonly signature: readonly string[];
}

/**
 * Returns the Unix time this many seconds from now, in seconds. A depositor's consent contains its
 * deadline as such a time.
 */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** Body of a deposit with its depositor's signature. */
export function depositBody(
  pool: Pick<SandboxPool, 'address' | 'token' | 'denomination'>,
  commitment: bigint,
  { address, privateKey }: Pick<SandboxAccount, 'address' | 'privateKey'>,
  {
    expiresAt = secondsFromNow(600),
    chain = sandboxWorld.chainId,
  }: { readonly expiresAt?: number; readonly chain?: string } = {},
): DepositBody {
  const consent = {
    chainId: shortStringFelt(chain),
    pool: toFelt(pool.address),
    token: toFelt(pool.token),
    denomination: pool.denomination,
    commitment,
    expiresAtMs: expiresAt * 1_000,
  };
  return {
    poolAddress: consent.pool,
    commitment: `0x${commitment.toString(16)}`,
    depositor: toFelt(address),
    expiresAt,
    signature: signDepositConsent(
      { address: toFelt(address), privateKey: toFelt(privateKey) },
      consent,
    ),
  };
}
