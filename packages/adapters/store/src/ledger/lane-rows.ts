import type { Lane, Quarantine } from '@sotto/submission-core';
import type { Selectable } from 'kysely';
import { bigintOrNull, flagOrNull } from './rows.js';
import type { LanesTable } from '../schema.js';

/** Columns of a lane that the machine reads. */
export const LANE = [
  'address',
  'role',
  'leased_to',
  'fence',
  'next_nonce',
  'quarantine_cause',
  'quarantine_until',
  'quarantine_since_ms',
  'quarantine_is_aged',
  'paused_for',
] as const satisfies readonly (keyof LanesTable)[];

export type LaneColumns = Pick<Selectable<LanesTable>, (typeof LANE)[number]>;

export function toLane(row: LaneColumns): Lane {
  const { address, role, leased_to, fence, next_nonce, paused_for } = row;
  return {
    address,
    role,
    leasedTo: leased_to,
    fence,
    nextNonce: next_nonce,
    quarantine: quarantine(row),
    pausedFor: paused_for,
  };
}

/**
 * Builds those columns of a lane that commands write. The columns for lease, role and pause are
 * written elsewhere.
 */
export function fromLane({ address, nextNonce, quarantine: its }: Lane): LaneWrite {
  return {
    address,
    next_nonce: nextNonce,
    quarantine_cause: its?.cause ?? null,
    quarantine_until: its?.until ?? null,
    quarantine_since_ms: bigintOrNull(its?.sinceMs ?? null),
    quarantine_is_aged: flagOrNull(its?.isAged),
  };
}

export type LaneWrite = Omit<LaneColumns, 'role' | 'leased_to' | 'fence' | 'paused_for'>;

function quarantine({
  quarantine_cause,
  quarantine_until,
  quarantine_since_ms,
  quarantine_is_aged,
}: LaneColumns): Quarantine | null {
  if (quarantine_cause === null || quarantine_until === null) return null;
  return {
    cause: quarantine_cause,
    until: quarantine_until,
    sinceMs: Number(quarantine_since_ms),
    isAged: quarantine_is_aged === 1n,
  };
}
