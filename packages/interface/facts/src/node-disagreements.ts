/**
 * Differences between a node and the other nodes. `head`: the node is behind. `block`: it has
 * another block at a height that all nodes have. `nonce`: it reports another nonce of an account in
 * the same block.
 */
export const NODE_DISAGREEMENTS = ['head', 'block', 'nonce'] as const;
export type NodeDisagreement = (typeof NODE_DISAGREEMENTS)[number];
