import { createHash } from 'node:crypto';
import type { Felt } from '@sotto/kernel';

interface G2Point {
  readonly x: readonly bigint[];
  readonly y: readonly bigint[];
}

/**
 * SHA-256 hashes of gamma and delta of verification keys whose setup is public: the circuit's
 * development key and the trapdoor key of the load kit. For such a key, the ratio of gamma and
 * delta is public, so any party can forge a proof for every key with these two points.
 */
const PUBLISHED_SETUPS: ReadonlySet<string> = new Set([
  'e03654572a334641dd90c49de4f8ae51f0dab7d06c4e3b8c4c31e2a9d9be4be5',
  '6f26c88dc1170a5f8b5f40411caf63cea04a489924b810d26dd66cb9090cabe0',
]);

/** Returns true if any party can forge valid proofs for the verification key with these points. */
export function isPublishedSetup({ gamma, delta }: Record<'gamma' | 'delta', G2Point>): boolean {
  const points = [...gamma.x, ...gamma.y, ...delta.x, ...delta.y].join(',');
  return PUBLISHED_SETUPS.has(sha256(points));
}

/**
 * Minimum value of a randomly drawn private key. Keys of a Stark account are drawn from 252 bits;
 * shorter keys are examples, such as those of development nodes.
 */
const SHORTEST_REAL_KEY = 2n ** 128n;

/**
 * SHA-256 hashes of the published private keys of this project's development stack. Each hash is of
 * the key's canonical felt text.
 */
const PUBLISHED_KEYS: ReadonlySet<string> = new Set([
  'a255d3cd1154a28bd7967869f17737280b6c2e1afc2b89824dad3ec6fe89488e',
  'f61444cbd55608a050e379f3a0ad3871b7553b6697f156da81ea0dd47ab41d04',
  '5681b141e57f60bf2ac4ebc087584509d8c1f5c64f79d8ca4500f0adebadf6fc',
  '3263da9f0aa330a3fdf66d2938a0b7cf89bdbbc93bfb43ffdf824e0e9d91f463',
  '9a4660d329af7b0ebfcb2641381e34022f62148b0eec3993dec676d187f41bfe',
  '248b7eea18035e4a75f894b404a96dd197cf5ee39bd1d28dadb16207cdf5fbd3',
  '98a16eb5b474f8539db3eeb76d06493133c92e097fce0d81dbedb9876b9babc7',
  '58c6cbdd8c841d39ee66dc59965f9a89e327a293f1003321c081c586cffe5e73',
  'd1255352e08e9363bced03d7a9a0a04ad44b45d0ef98a0500c2cee6ccd8f7371',
  'e8e546509599613ab75d284dcecf0e62760aad1f64fc773d941d701b0ec793f1',
  '091d13d7ea0d1da6e421597800a465a407cae7cc4c01006298aa7d1e8f1cbed2',
  'b6fdb036ef1e41b5fafad2cca741ea67552a412477e1c3dbf522523c224debf4',
  '92abc8593cef2b0318dc47469667c2049e50749af69583a4a1ac7d88aa2beb03',
  'ff435b6c43b9d640fccc9b2007f17033ca9beaec04e812f513f3fa162584e7e2',
  '06559e77d7b96b6002f72d85c38468a1ef34ad6dedbe9e1a80284e3d79c115bc',
  '3ab131a44f0bb2bd075fac1c81e1ab158c2d0efcdf9818f49011f91ccf7b2fa1',
]);

/**
 * Returns true if the private key may be public: it belongs to the development stack, or it is too
 * short to be a randomly drawn key.
 */
export function isSampleKey(privateKey: Felt): boolean {
  return BigInt(privateKey) < SHORTEST_REAL_KEY || PUBLISHED_KEYS.has(sha256(privateKey));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
