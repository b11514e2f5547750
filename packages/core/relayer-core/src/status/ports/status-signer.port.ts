import type { Felt } from '@sotto/kernel';
import type { StatusDigest } from '../domain/status-typed-data.js';

export interface StatusSignature {
  /** r and s. */
  readonly signature: readonly [r: Felt, s: Felt];
  /** The account whose key signed. */
  readonly signer: Felt;
}

/** Signs the digest of a public status as SNIP-12 typed data with a relayer account's key. */
export abstract class StatusSigner {
  abstract signStatus(digest: StatusDigest): Promise<StatusSignature>;
}
