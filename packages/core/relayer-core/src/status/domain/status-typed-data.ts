import { createHash } from 'node:crypto';
import { u256ToHalves, type Felt } from '@sotto/kernel';

/** What is signed of a status: the digest of all of it, and the moment and chain that it is of. */
export interface StatusDigest {
  readonly chainId: Felt;
  /** Unix time in seconds. */
  readonly issuedAt: number;
  /** SHA-256 of the status' canonical JSON. */
  readonly digest: bigint;
}

interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data of a status, in the shape that wallets and libraries take. */
export interface StatusTypedData {
  types: { StarknetDomain: TypedField[]; ServiceStatus: TypedField[] };
  primaryType: 'ServiceStatus';
  domain: { name: string; version: string; chainId: Felt; revision: string };
  message: { issued_at: string; digest: { low: string; high: string } };
}

/**
 * What the relayer's account signs of a status: SNIP-12, revision 1. Anybody who has the status can
 * rebuild it.
 */
export function statusTypedData({ chainId, issuedAt, digest }: StatusDigest): StatusTypedData {
  const [low, high] = u256ToHalves(digest);
  return {
    types: {
      StarknetDomain: [
        { name: 'name', type: 'shortstring' },
        { name: 'version', type: 'shortstring' },
        { name: 'chainId', type: 'shortstring' },
        { name: 'revision', type: 'shortstring' },
      ],
      ServiceStatus: [
        { name: 'issued_at', type: 'timestamp' },
        { name: 'digest', type: 'u256' },
      ],
    },
    primaryType: 'ServiceStatus',
    domain: { name: 'Sotto', version: '1', chainId, revision: '1' },
    message: { issued_at: String(issuedAt), digest: { low: String(low), high: String(high) } },
  };
}

/** JSON of texts, whole numbers, booleans, nulls, lists and objects of these. */
export type PlainJson =
  string | number | boolean | null | readonly PlainJson[] | { readonly [name: string]: PlainJson };

/**
 * SHA-256 of the JSON without spaces and with names in the order of their UTF-16 units: RFC 8785
 * for what has whole numbers only.
 */
export function digestOf(status: PlainJson): bigint {
  return BigInt(`0x${createHash('sha256').update(canonicalJson(status)).digest('hex')}`);
}

function canonicalJson(value: PlainJson): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}

const isList = (value: PlainJson): value is readonly PlainJson[] => Array.isArray(value);
