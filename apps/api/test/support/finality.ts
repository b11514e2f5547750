import { expect } from '@jest/globals';

/** Of what a block holds, on a chain that goes on by itself: the next look may find L1 there already. */
export const IN_A_BLOCK: unknown = expect.stringMatching(/^ACCEPTED_ON_L[12]$/);
