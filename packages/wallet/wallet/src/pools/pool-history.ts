import { feltOf, toHex } from '../fields.js';
import type { BlockHeader, ChainEvent } from '../node/node-reader.js';

/** A block up to which events were read. */
type Checkpoint = Pick<BlockHeader, 'number' | 'hash'>;

/** The events of a pool up to a block, as they stand in the cache. */
export interface PoolHistory {
  /** Newest first: where one is no longer in the chain, an older one may be. */
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly ChainEvent[];
}

export const NOTHING_READ: PoolHistory = { checkpoints: [], events: [] };

const FORMAT = 1;

/** As {@link historyFrom} reads it: JSON, felts as 0x hex. */
export function historyText({ checkpoints, events }: PoolHistory): string {
  return JSON.stringify({ format: FORMAT, checkpoints, events }, (_, value: unknown) =>
    typeof value === 'bigint' ? toHex(value) : value,
  );
}

/**
 * What a cache holds, or nothing where it is something else: it is then read again from the chain,
 * with whose root all of it is compared anyhow.
 */
export function historyFrom(text: string | undefined): PoolHistory {
  if (text === undefined) return NOTHING_READ;
  try {
    const { format, checkpoints, events }: Stored = JSON.parse(text);
    if (format !== FORMAT) return NOTHING_READ;
    return {
      checkpoints: checkpoints.map(({ number, hash }) => ({ number: height(number), hash })),
      events: events.map(({ name, blockNumber, transactionHash, keys, data }) => ({
        name,
        blockNumber: height(blockNumber),
        transactionHash,
        keys: keys.map((key) => feltOf(key, 'a key')),
        data: data.map((item) => feltOf(item, 'a datum')),
      })),
    };
  } catch {
    return NOTHING_READ;
  }
}

function height(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('no height of a block');
  return Number(value);
}

/** If this package has written it. */
interface Stored {
  readonly format: unknown;
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly (Omit<ChainEvent, 'keys' | 'data'> & {
    readonly keys: readonly string[];
    readonly data: readonly string[];
  })[];
}
