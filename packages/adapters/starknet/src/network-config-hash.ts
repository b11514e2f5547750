import { toFelt, type Felt } from '@sotto/kernel';
import { hash } from 'starknet';
import { shortStringFelt } from './selectors.js';

/** Version of the hash. Source: configuration of Starknet's virtual OS. */
const CONFIG_VERSION = shortStringFelt('StarknetOsConfig3');

/**
 * Returns the hash by which proof facts name their network: the Pedersen hash of version, chain id
 * and fee token.
 * @param chainId name of the chain as a short string in a felt
 * @param strk STRK token
 */
export function networkConfigHash(chainId: Felt, strk: Felt): Felt {
  return toFelt(hash.computePedersenHashOnElements([CONFIG_VERSION, chainId, strk]));
}
