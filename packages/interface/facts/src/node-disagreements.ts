/**
 * Differences between a node and the other nodes. `head`: the node is behind. `block`: at a height
 * that all nodes have, the node has a different block. `nonce`: for the same block, the node
 * reports a different nonce of an account.
 */
export const NODE_DISAGREEMENTS = ['head', 'block', 'nonce'] as const;
export type NodeDisagreement = (typeof NODE_DISAGREEMENTS)[number];
