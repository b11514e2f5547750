/** Purpose of the routes of each group. The groups are in the sequence of the documentation. */
export const TAGS = {
  relayer:
    'Withdrawals, private swaps and deposits of shielded pools: their costs, their submission and their outcomes.',
  staking: 'Present yields of the supported lending pools.',
  curator: 'Deploys the idle funds of a vault; needs a token.',
  bridge: 'Transfers between Starknet and other chains: terms, routes and progress.',
  keeper: 'Automatic actions of the protocol, and the times of the next ones.',
  operator: 'Shows the state of the running service and stops parts of it; needs a token.',
  meta: 'Facts about the service: a signed status, and this document.',
  health: 'Liveness of the process, and its readiness for withdrawals.',
} as const;

/** Name of a group of routes. */
export type Tag = keyof typeof TAGS;
