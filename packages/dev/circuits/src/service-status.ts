import type { TypedData } from 'starknet';

import { SNIP_12_DOMAIN, felt, isSignedBy, keysAt, type StarkSigned } from './stark-signature.js';

/**
 * What `GET /status` answers. Whatever `status` holds is part of what was signed, also what this
 * version does not know.
 */
export interface SignedServiceStatus extends StarkSigned {
  readonly status: {
    readonly chainId: string;
    /** Unix time in seconds. */
    readonly issuedAt: number;
  };
}

export interface ServiceStatusCheck {
  /**
   * The signer's Stark key: the x coordinate, 0x hex. From a source that the caller trusts, such as
   * `get_public_key` of the account on a node of its own; never from the reply that it checks.
   */
  readonly signerPublicKey: string;
  /** An older status is `outdated`. @default 120 */
  readonly maxAgeSeconds?: number;
  /** @default Date.now() */
  readonly nowMs?: number;
}

/**
 * - `valid`: the key's owner has said all of this, of late;
 * - `outdated`: it has, but too long ago;
 * - `forged`: it has not.
 */
export type ServiceStatusVerdict = 'valid' | 'outdated' | 'forged';

const HALF = 1n << 128n;

/**
 * Checks a public status offline, so that its bearer need not be trusted.
 * @throws CircuitError SIGNER_KEY_MALFORMED when the key is no x coordinate of the Stark curve
 */
export async function verifyServiceStatus(
  signed: SignedServiceStatus,
  { signerPublicKey, maxAgeSeconds = 120, nowMs = Date.now() }: ServiceStatusCheck,
): Promise<ServiceStatusVerdict> {
  const keys = keysAt(signerPublicKey);
  const digest = await digestOf(signed.status);
  if (!isSignedBy(keys, signed, () => typedDataOf(signed.status, digest))) return 'forged';
  return nowMs - signed.status.issuedAt * 1_000 <= maxAgeSeconds * 1_000 ? 'valid' : 'outdated';
}

/**
 * SNIP-12, revision 1; the relayer signs the same definition, to which a test of its adapter holds
 * this one.
 */
function typedDataOf(
  { chainId, issuedAt }: SignedServiceStatus['status'],
  digest: bigint,
): TypedData {
  if (!Number.isSafeInteger(issuedAt)) throw new RangeError('a status is of a whole second');
  return {
    types: {
      StarknetDomain: SNIP_12_DOMAIN,
      ServiceStatus: [
        { name: 'issued_at', type: 'timestamp' },
        { name: 'digest', type: 'u256' },
      ],
    },
    primaryType: 'ServiceStatus',
    domain: { name: 'Sotto', version: '1', chainId: felt(chainId), revision: '1' },
    message: {
      issued_at: String(issuedAt),
      digest: { low: String(digest % HALF), high: String(digest / HALF) },
    },
  };
}

/** SHA-256 of the canonical JSON (RFC 8785; a status has no numbers but whole ones). */
async function digestOf(status: unknown): Promise<bigint> {
  const bytes = new TextEncoder().encode(canonicalJson(status));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return hash.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}
