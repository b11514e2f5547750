import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { poseidonHashBN254 } from 'garaga';

/** Test vector, in which bytes and felts are hex. */
export interface Vector {
  readonly title: string;
  readonly seed: string;
  readonly chainId: string;
  readonly pool: string;
  readonly index: number;
  readonly nullifier: string;
  readonly secret: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  readonly text: string;
}

/** Vectors that are published with the package. */
export const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../vectors/note-keys.json', import.meta.url), 'utf8'),
).vectors;

const R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;

/**
 * Second implementation of docs/note-keys.md with other libraries: bytes as hex strings, HKDF of
 * OpenSSL, Poseidon of garaga. Call garaga's `init` first.
 */
export function independentSecrets({
  seed,
  chainId,
  pool,
  index,
}: Pick<Vector, 'seed' | 'chainId' | 'pool' | 'index'>) {
  const scalar = (role: '01' | '02'): bigint => {
    const info = Buffer.from(
      Buffer.from('sotto-note-key-1', 'ascii').toString('hex') +
        role +
        hex(chainId, 32) +
        hex(pool, 32) +
        hex(index, 4) +
        '00',
      'hex',
    );
    const okm = hkdfSync('sha256', Buffer.from(seed, 'hex'), Buffer.alloc(0), info, 48);
    return BigInt(`0x${Buffer.from(okm).toString('hex')}`) % R;
  };
  const [nullifier, secret] = [scalar('01'), scalar('02')];
  return { nullifier, secret, commitment: poseidonHashBN254(nullifier, secret) };
}

function hex(value: string | number, bytes: number): string {
  return BigInt(value)
    .toString(16)
    .padStart(2 * bytes, '0');
}
