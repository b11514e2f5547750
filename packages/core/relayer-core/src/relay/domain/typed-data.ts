import { u256ToHalves, type Felt } from '@sotto/kernel';

export interface TypedField {
  name: string;
  type: string;
}

/** SNIP-12 typed data, revision 1, in the shape that wallets and libraries take. */
export interface TypedData {
  types: Record<string, TypedField[]>;
  primaryType: string;
  domain: TypedDataDomain;
  message: Record<string, unknown>;
}

/**
 * The chain is part of the domain, the signer of the hash that both sides make. A type and no
 * interface: libraries take more fields by an index signature.
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

/** Fields of a SNIP-12 domain, revision 1. */
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

/** Amounts stand as decimal texts. */
export function u256Text(value: bigint): U256Text {
  const [low, high] = u256ToHalves(value);
  return { low: String(low), high: String(high) };
}

/**
 * A moment as typed data says it: Unix time in seconds.
 * @throws RangeError when it is no whole second: typed data would say another moment
 */
export function timestampText(ms: number, what: string): string {
  if (!Number.isSafeInteger(ms) || ms % 1_000 !== 0)
    throw new RangeError(`${what} expires at a whole second`);
  return String(ms / 1_000);
}
