import type { LaneRole } from '@sotto/submission-core';
import type { Settings, SigningAccount } from './settings.js';

/** Every account that signs, and for what. */
export function lanesOf({
  relay,
  swap,
  curator,
}: Pick<Settings, 'relay' | 'swap' | 'curator'>): readonly (SigningAccount & {
  readonly role: LaneRole;
})[] {
  return [
    ...relay.accounts.map((account) => ({ ...account, role: 'relay' as const })),
    ...(swap === null ? [] : [{ ...swap.owner, role: 'swap_owner' as const }]),
    ...(curator.account === null ? [] : [{ ...curator.account, role: 'curator' as const }]),
  ];
}
