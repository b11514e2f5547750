import { createHash } from 'node:crypto';
import type { NetworkProfile } from '@sotto/network-profile';
import canonicalize from 'canonicalize';

/** Returns the SHA-256 of a network profile as 64 hex digits, for any order of its keys. */
export function profileHash(profile: NetworkProfile): string {
  // JSON has no bigint.
  const json = JSON.stringify(profile, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const canonical = canonicalize(JSON.parse(json));
  if (canonical === undefined) throw new TypeError('the network profile has no JSON form');
  return createHash('sha256').update(canonical).digest('hex');
}
