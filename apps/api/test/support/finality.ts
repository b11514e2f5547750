import { expect } from '@jest/globals';

/** On a chain that goes on by itself the next look at a block may find it on L1 already. */
export const IN_A_BLOCK: unknown = expect.stringMatching(/^ACCEPTED_ON_L[12]$/);
