import type { EngineStatus } from '@sotto/submission-core';

/**
 * Whether an account can pay for a withdrawal. A full one can, it only has to end something first;
 * one that another instance holds is that one's to judge, and work that is accepted here gets to
 * it.
 */
export function canRelay(lanes: EngineStatus['lanes']): boolean {
  return lanes.some(
    ({ role, state }) =>
      role === 'relay' && (state === 'ready' || state === 'full' || state === 'held_elsewhere'),
  );
}
