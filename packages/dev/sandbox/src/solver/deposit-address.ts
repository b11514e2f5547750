import { createHash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * Derives a deposit address in the chain's format from a seed. Each seed has a different address.
 */
export function depositAddress(chain: string, seed: string): string {
  const hash = createHash('sha256').update(`${chain} ${seed}`).digest('hex');
  switch (chain) {
    case 'solana':
      return base58(BigInt(`0xff${hash.slice(2)}`));
    case 'near':
      return hash;
    case 'starknet':
      return `0x${hash.slice(0, 60)}`;
    default:
      return `0x${hash.slice(0, 40)}`;
  }
}

/** Derives a transaction hash in the chain's format from a seed. */
export function transactionHash(chain: string, seed: string): string {
  const hash = createHash('sha256').update(`${chain} tx ${seed}`).digest('hex');
  if (chain === 'solana') return base58(BigInt(`0xff${hash}${hash.slice(2)}`));
  if (chain === 'near') return base58(BigInt(`0xff${hash.slice(2)}`));
  return chain === 'starknet' ? `0x${hash.slice(0, 62)}` : `0x${hash}`;
}

function base58(value: bigint): string {
  return value === 0n ? '' : base58(value / 58n) + BASE58.charAt(Number(value % 58n));
}
