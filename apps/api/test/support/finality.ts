import { expect } from '@jest/globals';

/**
 * Finality of a transaction in a block: accepted on L2 or L1. If the chain creates blocks
 * automatically, the block may already be accepted on L1 at the next read.
 */
export const IN_A_BLOCK: unknown = expect.stringMatching(/^ACCEPTED_ON_L[12]$/);
