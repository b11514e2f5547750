import { poseidonOf, selectorOf } from '../engine/felt.js';
import { shortStringFelt } from './calldata.js';

/** Domain and signer of a message, and the hash of its content. */
export interface Snip12Message {
  /** Name of the domain, a short string. */
  readonly name: string;
  readonly version: bigint;
  readonly chainId: bigint;
  /** Account or public key that signs. */
  readonly signer: bigint;
  readonly content: bigint;
}

const DOMAIN_TYPE = selectorOf(
  '"StarknetDomain"("name":"shortstring","version":"shortstring","chainId":"shortstring","revision":"shortstring")',
);
const REVISION = 1n;
const MESSAGE_PREFIX = shortStringFelt('StarkNet Message');

/** Returns the hash of a message to sign (SNIP-12, revision 1). */
export function snip12Hash({ name, version, chainId, signer, content }: Snip12Message): bigint {
  const domain = poseidonOf([DOMAIN_TYPE, shortStringFelt(name), version, chainId, REVISION]);
  return poseidonOf([MESSAGE_PREFIX, domain, signer, content]);
}
