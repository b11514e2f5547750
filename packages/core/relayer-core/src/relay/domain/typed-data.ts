import { u256ToHalves, type Felt } from '@sotto/kernel';

export interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data, revision 1, in the format of wallets and libraries. */
export interface TypedData {
  types: Record<string, TypedField[]>;
  primaryType: string;
  domain: TypedDataDomain;
  message: Record<string, unknown>;
}

/**
 * Domain of typed data, which contains the chain id. The signer's address is part of the message
 * hash. The domain is a type, not an interface, because libraries require an index signature.
 */
export type TypedDataDomain = {
  name: string;
  version: string;
  chainId: Felt;
  revision: string;
};

export interface U256Text {
  low: string;
  high: string;
}

/** Field definitions of a SNIP-12 domain, revision 1. */
export const domainFields = (): TypedField[] => [
  { name: 'name', type: 'shortstring' },
  { name: 'version', type: 'shortstring' },
  { name: 'chainId', type: 'shortstring' },
  { name: 'revision', type: 'shortstring' },
];

export const sottoDomain = (chainId: Felt): TypedDataDomain => ({
  name: 'Sotto',
  version: '1',
  chainId,
  revision: '1',
});

/** Converts an amount to its low and high halves as decimal strings. */
export function u256Text(value: bigint): U256Text {
  const [low, high] = u256ToHalves(value);
  return { low: String(low), high: String(high) };
}

/**
 * Returns a moment in the format of typed data: Unix time in seconds.
 * @throws RangeError if the moment is not a whole second, because typed data can't represent it
 */
export function timestampText(ms: number, what: string): string {
  if (!Number.isSafeInteger(ms) || ms % 1_000 !== 0)
    throw new RangeError(`${what} expires at a whole second`);
  return String(ms / 1_000);
}
