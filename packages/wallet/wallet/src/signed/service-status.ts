import { WalletError } from '../errors.js';
import { U256_TYPE, timestamp, u256 } from './snip-12.js';
import { checkSignature, keysAt, type SignedMessage, type StarkSigned } from './stark-signature.js';

/** Reply of `GET /status`. The signature covers the whole `status`, including unknown fields. */
export interface SignedServiceStatus extends StarkSigned {
  readonly status: {
    readonly chainId: string;
    /** Time of the signature, as Unix time in seconds. */
    readonly issuedAt: number;
  };
}

export interface ServiceStatusCheck {
  /**
   * Stark key of the signer: the x coordinate, 0x hex. The key must come from a source that the
   * caller trusts, such as `get_public_key` of the account on the caller's node. Never use a key
   * from the reply that is checked.
   */
  readonly signerPublicKey: string;
  /** Maximum age in seconds; an older status is rejected as STATUS_OUTDATED. @default 120 */
  readonly maxAgeSeconds?: number;
  /** Current Unix time in ms. @default Date.now() */
  readonly nowMs?: number;
}

const STATUS_TYPE = `"ServiceStatus"("issued_at":"timestamp","digest":"u256")${U256_TYPE}`;

/**
 * Verifies offline that the key's owner signed the whole status recently. So the source of the
 * status need not be trusted. Throws on any failure, so that no caller can use an invalid status.
 * @throws WalletError SIGNATURE_FORGED: the key's owner has not signed this status;
 *   STATUS_OUTDATED: the status is signed, but too old; SIGNER_KEY_MALFORMED: the key is not an x
 *   coordinate of the Stark curve
 */
export async function verifyServiceStatus(
  signed: SignedServiceStatus,
  { signerPublicKey, maxAgeSeconds = 120, nowMs = Date.now() }: ServiceStatusCheck,
): Promise<'valid'> {
  const keys = keysAt(signerPublicKey);
  const digest = await digestOf(signed.status);
  checkSignature(keys, signed, () => statusMessage(signed.status, digest));
  if (nowMs - signed.status.issuedAt * 1_000 > maxAgeSeconds * 1_000)
    throw new WalletError('STATUS_OUTDATED', 'the status is too old');
  return 'valid';
}

/**
 * Builds the status message of SNIP-12, revision 1. The relayer has its own definition of this
 * message; a test of the relayer's adapter compares both definitions.
 */
export function statusMessage(
  { chainId, issuedAt }: SignedServiceStatus['status'],
  digest: bigint,
): SignedMessage {
  const fields = [timestamp(issuedAt), u256(digest)];
  return { chainId, struct: { type: STATUS_TYPE, fields } };
}

/** Returns the SHA-256 of the canonical JSON (RFC 8785). All numbers of a status are integers. */
export async function digestOf(status: unknown): Promise<bigint> {
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
