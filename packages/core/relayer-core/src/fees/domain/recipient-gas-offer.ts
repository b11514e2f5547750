import type { Felt } from '@sotto/kernel';
import { RecipientGasNotOffered } from '../../errors.js';

/** STRK that a withdrawal may give to its recipient. */
export interface RecipientGasOffer {
  /** Maximum amount of one withdrawal, in fri; 0 if no STRK is given. */
  readonly maxFri: bigint;
  /** STRK token. */
  readonly token: Felt;
}

/**
 * Checks that the service gives this amount of STRK. An amount of 0 is always permitted.
 * @param offer undefined if no STRK is given
 * @throws RecipientGasNotOffered
 */
export function requireOffered(
  amountFri: bigint,
  offer: Pick<RecipientGasOffer, 'maxFri'> | undefined,
): void {
  const maxFri = offer?.maxFri ?? 0n;
  if (amountFri !== 0n && (amountFri < 0n || amountFri > maxFri))
    throw new RecipientGasNotOffered({ details: { maximum: String(maxFri) } });
}
