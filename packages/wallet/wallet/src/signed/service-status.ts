import { WalletError } from '../errors.js';
import { U256_TYPE, timestamp, u256 } from './snip-12.js';
import { checkSignature, keysAt, type SignedMessage, type StarkSigned } from './stark-signature.js';

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
  /** An older status is STATUS_OUTDATED. @default 120 */
  readonly maxAgeSeconds?: number;
  /** @default Date.now() */
  readonly nowMs?: number;
}

const STATUS_TYPE = `"ServiceStatus"("issued_at":"timestamp","digest":"u256")${U256_TYPE}`;

/**
 * Checks a public status offline, so that its bearer need not be trusted: the key's owner has said
 * all of this, of late. Whatever is not so is thrown, so that no caller can take it for a status.
 * @throws WalletError
 *   SIGNATURE_FORGED: the key's owner has not said this;
 *   STATUS_OUTDATED: it has, but too long ago;
 *   SIGNER_KEY_MALFORMED: the key is no x coordinate of the Stark curve
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
 * SNIP-12, revision 1; the relayer signs the same definition, to which a test of its adapter holds
 * this one.
 */
export function statusMessage(
  { chainId, issuedAt }: SignedServiceStatus['status'],
  digest: bigint,
): SignedMessage {
  const fields = [timestamp(issuedAt), u256(digest)];
  return { chainId, struct: { type: STATUS_TYPE, fields } };
}

/** SHA-256 of the canonical JSON (RFC 8785; a status has no numbers but whole ones). */
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
