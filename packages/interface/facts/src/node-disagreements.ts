/**
 * Differences between a node and the others: `head`, it is behind; `block`, another block at a
 * height that all have; `nonce`, another nonce of an account in the same block.
 */
export const NODE_DISAGREEMENTS = ['head', 'block', 'nonce'] as const;
export type NodeDisagreement = (typeof NODE_DISAGREEMENTS)[number];
