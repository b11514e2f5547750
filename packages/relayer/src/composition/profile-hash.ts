import { createHash } from 'node:crypto';
import type { NetworkProfile } from '@sotto/network-profile';

/** Returns the SHA-256 of a network profile as 64 hex digits, for any order of its keys. */
export function profileHash(profile: NetworkProfile): string {
  return createHash('sha256').update(JSON.stringify(profile, canonical)).digest('hex');
}

function canonical(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
