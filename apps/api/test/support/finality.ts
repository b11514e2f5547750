import { expect } from '@jest/globals';

/**
 * Finality of a transaction in a block. If the chain creates blocks automatically, the next read
 * may find the block on L1 already.
 */
export const IN_A_BLOCK: unknown = expect.stringMatching(/^ACCEPTED_ON_L[12]$/);
