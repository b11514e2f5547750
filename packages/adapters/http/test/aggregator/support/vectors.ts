import { readFileSync } from 'node:fs';
import { toFelt } from '@sotto/kernel';

/** Documented responses of the aggregator, and their tokens. */
export const STRK = toFelt('0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d');
export const USDC = toFelt('0x033068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fb');
export const WBTC = toFelt('0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac');
export const TAKER = toFelt('0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72');
export const TEN_STRK = 10n ** 19n;

export function vectorText(name: string): string {
  return readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8');
}

export function vector(name: string): unknown {
  return JSON.parse(vectorText(name));
}
