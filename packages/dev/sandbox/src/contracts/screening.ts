import { poseidonOf, selectorOf } from '../engine/felt.js';
import { isSignedBy, signWith } from '../engine/signature.js';
import { snip12Hash } from './snip12.js';

/** Signed statement of the screening service that it has screened an address. */
export interface ScreeningAttestation {
  /** Seconds since the Unix epoch. */
  readonly issuedAt: bigint;
  readonly signature: readonly [r: bigint, s: bigint];
}

/** Address and time of an attestation, with the network and the key that it is valid for. */
export interface Screening {
  readonly chainId: bigint;
  readonly screenerPublicKey: bigint;
  readonly subject: bigint;
  readonly issuedAt: bigint;
}

/** Maximum age of an attestation, in seconds. */
export const SCREENING_MAX_AGE_SECONDS = 300n;
/** Maximum time by which an attestation may be ahead of the block, in seconds. */
export const SCREENING_MAX_AHEAD_SECONDS = 60n;

const MESSAGE_TYPE = selectorOf(
  '"DepositorValidation"("depositor":"ContractAddress","issued_at":"u128")',
);
const DOMAIN_VERSION = 2n;

/** Returns the SNIP-12 hash that the screening service signs. */
export function screeningHash({
  chainId,
  screenerPublicKey,
  subject,
  issuedAt,
}: Screening): bigint {
  return snip12Hash({
    name: 'Screening',
    version: DOMAIN_VERSION,
    chainId,
    signer: screenerPublicKey,
    content: poseidonOf([MESSAGE_TYPE, subject, issuedAt]),
  });
}

export function attest(screening: Screening, screenerPrivateKey: bigint): ScreeningAttestation {
  const [r = 0n, s = 0n] = signWith(screenerPrivateKey, screeningHash(screening));
  return { issuedAt: screening.issuedAt, signature: [r, s] };
}

/** Returns true if the screening service signed the attestation. The time is not checked. */
export function isAttested(screening: Screening, { signature }: ScreeningAttestation): boolean {
  return isSignedBy(screening.screenerPublicKey, screeningHash(screening), signature);
}
