import { createHash } from 'node:crypto';
import type { Felt } from '@sotto/kernel';
import canonicalize from 'canonicalize';
import {
  domainFields,
  sottoDomain,
  u256Text,
  type TypedDataDomain,
  type TypedField,
  type U256Text,
} from '../../relay/domain/typed-data.js';

/** Values of a status that are signed: the digest of its content, its time and its chain. */
export interface StatusDigest {
  readonly chainId: Felt;
  /** Time of the status, in seconds of Unix time. */
  readonly issuedAt: number;
  /** SHA-256 of the status in canonical JSON. */
  readonly digest: bigint;
}

/** SNIP-12 typed data of a status, in the format of wallets and libraries. */
export interface StatusTypedData {
  types: { StarknetDomain: TypedField[]; ServiceStatus: TypedField[] };
  primaryType: 'ServiceStatus';
  domain: TypedDataDomain;
  message: { issued_at: string; digest: U256Text };
}

/**
 * Builds the typed data (SNIP-12, revision 1) that the relayer's account signs for a status. Any
 * reader of the status can rebuild the typed data.
 */
export function statusTypedData({ chainId, issuedAt, digest }: StatusDigest): StatusTypedData {
  return {
    types: {
      StarknetDomain: domainFields(),
      ServiceStatus: [
        { name: 'issued_at', type: 'timestamp' },
        { name: 'digest', type: 'u256' },
      ],
    },
    primaryType: 'ServiceStatus',
    domain: sottoDomain(chainId),
    message: { issued_at: String(issuedAt), digest: u256Text(digest) },
  };
}

/** JSON value: a string, whole number, boolean or null, or a list or object of such values. */
export type PlainJson =
  string | number | boolean | null | readonly PlainJson[] | { readonly [name: string]: PlainJson };

/** Returns the SHA-256 of the canonical JSON (RFC 8785). */
export function digestOf(status: PlainJson): bigint {
  const json = canonicalize(status);
  if (json === undefined) throw new TypeError('a status is plain JSON');
  return BigInt(`0x${createHash('sha256').update(json).digest('hex')}`);
}
