import { hash } from 'starknet';
import { selectorOf, toHex } from '../engine/felt.js';
import { remembered } from '../engine/remembered.js';
import { PAUSED } from './pool-parts.js';

/** Storage variables of the privacy pool. Each key is the name of the variable. */
export const PRIVACY_POOL_STORAGE = {
  /** Pause flag. While it is not zero, `apply_actions` reverts. */
  paused: PAUSED,
  /** Fee of each `apply_actions`, in fri, which the caller pays to the fee collector. */
  feeAmount: 'fee_amount',
  feeCollector: 'fee_collector',
  /** Number of blocks after its base block in which the pool accepts a proof. */
  validityBlocks: 'proof_validity_blocks',
  /**
   * Public key of the screening service. In this model, 0 means that no action needs screening.
   */
  screenerPublicKey: 'screener_public_key',
  reentrancy: 'ReentrancyGuard_entered',
} as const;

/** Storage addresses are below this bound, as in Cairo. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/** Maps of the pool's storage. */
export type PoolMap =
  | 'notes'
  | 'nullifiers'
  | 'public_key'
  | 'enc_private_key'
  | 'recipient_channels'
  | 'channel_exists'
  | 'outgoing_channels'
  | 'subchannel_tokens'
  | 'subchannel_exists'
  | 'open_note_depositor_screening_policies';

const entryOf = remembered(
  ({ map, key }: { readonly map: PoolMap; readonly key: bigint }) =>
    normalized(pedersen(selectorOf(map), key)),
  ({ map, key }) => `${map},${key}`,
);

/** Returns the storage address of a map's entry. A value of several felts begins there. */
export function mapEntry(map: PoolMap, key: bigint): bigint {
  return entryOf({ map, key });
}

/** Returns the address of an item of a vector, whose length is stored at `vector`. */
export function vectorItem(vector: bigint, index: bigint): bigint {
  return normalized(pedersen(vector, index));
}

/** Returns the storage address that Cairo derives from any felt. */
export function normalized(felt: bigint): bigint {
  return felt % ADDRESS_BOUND;
}

/** Returns the key under which the model stores the value of a storage address. */
export function slotAt(address: bigint, offset = 0): string {
  return toHex(address + BigInt(offset));
}

function pedersen(left: bigint, right: bigint): bigint {
  return BigInt(hash.computePedersenHash(toHex(left), toHex(right)));
}
