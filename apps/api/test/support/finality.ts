import { expect } from '@jest/globals';

/**
 * Finality of a transaction in a block. If the chain creates blocks automatically, the block may
 * already be on L1 at the next read.
 */
export const IN_A_BLOCK: unknown = expect.stringMatching(/^ACCEPTED_ON_L[12]$/);
