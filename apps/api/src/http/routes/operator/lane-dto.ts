import type { Lane as LedgerLane } from '@sotto/submission-core';
import { z } from 'zod';
import type { OperatedLane } from '@sotto/relayer-core';
import { AmountText } from '../../schemas.js';

const Quarantine = z
  .object({
    cause: z.enum(['introduced', 'behind']).meta({
      description:
        'introduced: the ledger has never held this account. behind: the chain has more of it than the ledger.',
    }),
    until: AmountText.meta({ description: 'First nonce that is not in question any more.' }),
    since: z.int().meta({ description: 'Unix seconds, by the clock of the store.' }),
    taking: z.boolean().meta({
      description:
        'Whether the lifetime of the mempool is over, so that nonces in question are taken by no-ops.',
    }),
  })
  .meta({ id: 'LaneQuarantine' });

export const Lane = z
  .object({
    address: z.string(),
    role: z.enum(['relay', 'swap_owner', 'curator']),
    state: z.string().meta({
      description: 'What the lane can do now, as this instance sees it.',
      example: 'ready',
    }),
    reason: z.string().nullable().meta({
      description: 'Why it takes nothing; null while it does, and where the state says it all.',
    }),
    openNonces: z
      .int()
      .min(0)
      .meta({ description: 'Nonces that are undecided, as the last look showed them.' }),
    configured: z.boolean().meta({
      description:
        'False for an account of the ledger that is not in the settings: it is followed, and can’t sign.',
    }),
    retiring: z.boolean().meta({ description: 'Followed, and given nothing new.' }),
    paused: z.string().nullable().meta({
      description: 'Why it was stopped until an operator resumes it; null while it was not.',
    }),
    quarantine: Quarantine.nullable(),
    nonce: AmountText.nullable().meta({
      description: 'At ACCEPTED_ON_L2; null while the node does not answer.',
    }),
    balanceFri: AmountText.nullable(),
  })
  .meta({ id: 'OperatedLane' });

const text = (amount: bigint | undefined): string | null =>
  amount === undefined ? null : String(amount);

export function toLaneDto(lane: OperatedLane): z.input<typeof Lane> {
  const {
    address,
    role,
    state,
    reason,
    openNonces,
    isConfigured,
    isRetiring = false,
    pausedFor,
    quarantine,
    account,
  } = lane;
  return {
    address,
    role,
    state,
    reason,
    openNonces,
    configured: isConfigured,
    retiring: isRetiring,
    paused: pausedFor,
    quarantine: toQuarantineDto(quarantine),
    nonce: text(account?.nonce),
    balanceFri: text(account?.balanceFri),
  };
}

function toQuarantineDto(quarantine: LedgerLane['quarantine']): z.input<typeof Quarantine> | null {
  if (quarantine === null) return null;
  const { cause, until, sinceMs, isAged } = quarantine;
  return { cause, until: String(until), since: Math.floor(sinceMs / 1_000), taking: isAged };
}

export const LANE_EXAMPLE = {
  address: '0x7a1e5f',
  role: 'relay',
  state: 'ready',
  reason: null,
  openNonces: 2,
  configured: true,
  retiring: false,
  paused: null,
  quarantine: null,
  nonce: '812',
  balanceFri: '950000000000000000000',
};
