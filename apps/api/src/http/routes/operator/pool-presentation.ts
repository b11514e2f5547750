import type { GuardedPool, PoolVerdict } from '@sotto/relayer-core';
import { z } from 'zod';
import { AmountText } from '../../schemas.js';

const Gate = z
  .object({
    state: z.enum(['open', 'trial', 'paused', 'exhausted']).meta({
      description:
        'trial: a pause is over and one attempt is let through. exhausted: the gas of the hour is spent, or (cause losses) users have lost more than they may together.',
    }),
    cause: z
      .enum(['operator', 'configuration', 'reverts', 'losses', 'upstream', 'pool', 'all'])
      .nullable()
      .meta({ description: 'Why; for `exhausted` whose budget it is. Null when open.' }),
    reason: z.string().nullable().meta({ description: 'Given by the operator who paused it.' }),
    until: z
      .int()
      .nullable()
      .meta({ description: 'Unix seconds; null when open, and while the end is not known.' }),
  })
  .meta({ id: 'PoolGate' });

export const OperatedPool = z
  .object({
    key: z.string(),
    address: z.string(),
    withdrawals: Gate,
    batches: Gate,
    strict: z.boolean().meta({
      description:
        'Users have lost more than LOSS_BUDGET_PER_POOL_FRI: each caller has one request on its way at a time.',
    }),
    money: z
      .object({
        earned: AmountText.nullable().meta({
          description:
            'Fees of what succeeded, in the token’s smallest unit; null for the swap pool, whose fees are paid in several tokens.',
        }),
        earnedFri: AmountText.meta({
          description: 'The same in fri, each at the prices of its own admission.',
        }),
        spentFri: AmountText.meta({
          description: 'Gas that was charged, for reverts and no-ops too.',
        }),
        reservedFri: AmountText.meta({
          description: 'What submissions on their way are expected to cost.',
        }),
        succeeded: z.int(),
        reverted: z.int(),
        unsent: z.int().meta({ description: 'Refused or expired.' }),
        losses: z.int().meta({ description: 'Withdrawals that cost more than they brought.' }),
        lostFri: AmountText.meta({
          description: 'Gas of reverts that users brought about: spent elsewhere, slippage.',
        }),
      })
      .meta({ description: 'Of the last hour.' }),
  })
  .meta({ id: 'OperatedPool' });

export function toPoolDto({
  pool,
  relays,
  batches,
  isStrict,
  money,
}: GuardedPool): z.input<typeof OperatedPool> {
  const { succeeded, reverted, unsent, losses } = money;
  return {
    key: pool.key,
    address: pool.address,
    withdrawals: toGateDto(relays),
    batches: toGateDto(batches),
    strict: isStrict,
    money: {
      earned: money.earnedFeeToken === null ? null : String(money.earnedFeeToken),
      earnedFri: String(money.earnedFri),
      spentFri: String(money.spentFri),
      reservedFri: String(money.reservedFri),
      succeeded,
      reverted,
      unsent,
      losses,
      lostFri: String(money.lostFri),
    },
  };
}

function toGateDto(verdict: PoolVerdict): z.input<typeof Gate> {
  switch (verdict.kind) {
    case 'open':
      return { state: 'open', cause: null, reason: null, until: null };
    case 'trial':
      return { state: 'trial', cause: verdict.cause, reason: null, until: null };
    case 'paused':
      return {
        state: 'paused',
        cause: verdict.cause,
        reason: verdict.reason,
        until: secondsOf(verdict.untilMs),
      };
    case 'exhausted':
      return {
        state: 'exhausted',
        cause: verdict.scope,
        reason: null,
        until: secondsOf(verdict.untilMs),
      };
  }
}

const secondsOf = (ms: number | null): number | null =>
  ms === null ? null : Math.ceil(ms / 1_000);

const OPEN = { state: 'open', cause: null, reason: null, until: null };
const MONEY = {
  earned: '4980',
  earnedFri: '69488372093023255813',
  spentFri: '8450000000000000000',
  reservedFri: '289600000000000000',
  succeeded: 30,
  reverted: 0,
  unsent: 1,
  losses: 0,
  lostFri: '0',
};
export const OPEN_POOL_EXAMPLE = {
  key: 'sentinel_1x',
  address: '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33',
  withdrawals: OPEN,
  batches: OPEN,
  strict: false,
  money: MONEY,
};
const PAUSED = {
  state: 'paused',
  cause: 'operator',
  reason: 'The pool’s contract is being upgraded.',
  until: null,
};
export const PAUSED_POOL_EXAMPLE = { ...OPEN_POOL_EXAMPLE, withdrawals: PAUSED, batches: PAUSED };
