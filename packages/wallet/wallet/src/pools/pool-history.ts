import { feltOf, toHex } from '../fields.js';
import type { BlockHeader, ChainEvent } from '../node/node-reader.js';

/** Block up to which events have been read. */
type Checkpoint = Pick<BlockHeader, 'number' | 'hash'>;

/** Events of a pool up to a block, as stored in the cache. */
export interface PoolHistory {
  /**
   * Checkpoints, newest first. If the newest block was rolled back, an older checkpoint may still
   * be in the chain.
   */
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly ChainEvent[];
}

export const NOTHING_READ: PoolHistory = { checkpoints: [], events: [] };

const FORMAT = 1;

/** Serialises a history as text for {@link historyFrom}: JSON with felts as 0x hex. */
export function historyText({ checkpoints, events }: PoolHistory): string {
  return JSON.stringify({ format: FORMAT, checkpoints, events }, (_, value: unknown) =>
    typeof value === 'bigint' ? toHex(value) : value,
  );
}

/**
 * Parses a cached history. For any other text, it returns an empty history, so the pool is read
 * from the chain again. The caller compares the result with the chain's root in either case.
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

/** Expected structure of a text that this package wrote; the fields are not checked yet. */
interface Stored {
  readonly format: unknown;
  readonly checkpoints: readonly Checkpoint[];
  readonly events: readonly (Omit<ChainEvent, 'keys' | 'data'> & {
    readonly keys: readonly string[];
    readonly data: readonly string[];
  })[];
}
