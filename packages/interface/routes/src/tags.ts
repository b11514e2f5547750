/** Purpose of the routes of each group. The groups are in the order of the documents. */
export const TAGS = {
  relayer:
    'Withdrawals, private swaps and deposits of shielded pools: what they cost, sending them, and what became of them.',
  staking: 'What the supported lending pools yield now.',
  curator: 'Puts what lies idle in a vault to work; asks for a token.',
  bridge: 'Transfers between Starknet and other chains: terms, routes and progress.',
  keeper: 'What the protocol does by itself, and when it does so next.',
  operator: 'Looks into the running service and stops parts of it; asks for a token.',
  meta: 'What the service says of itself: a signed status, and this document.',
  health: 'Whether the process lives, and whether it can take withdrawals.',
} as const;

/** Name of a group of routes. */
export type Tag = keyof typeof TAGS;
