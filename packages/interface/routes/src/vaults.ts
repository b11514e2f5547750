import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import { KEEPER_CACHE, Subject, SUBJECT_EXAMPLE } from './keeper.js';
import { AmountText } from './schemas.js';

const LastRun = Subject.omit({ subject: true, details: true }).meta({
  id: 'VaultRun',
  description: 'Last check of the vault’s idle funds by the keeper.',
});

const Leverage = z
  .object({
    lastLookAt: z.int().nullable().meta({
      description:
        'Unix seconds of the check that produced the figures; null before the first one.',
    }),
    target: z.number().nullable().meta({
      description:
        'Collateral over equity that the operator has set, shown once the position is there. Null without a target, and while rounds move the position to it, because others could trade against them.',
    }),
    leverage: z.number().nullable().meta({ description: 'Collateral over equity; 1 is no debt.' }),
    collateral: AmountText.nullable().meta({ description: 'Supplied WBTC, in sats.' }),
    debt: AmountText.nullable().meta({
      description: 'Debt with interest, in the smallest unit of the borrowed token.',
    }),
    health: z
      .number()
      .nullable()
      .meta({ description: 'Health factor: at 1 the lending pool liquidates. Null without debt.' }),
    reason: Subject.shape.reason,
    meaning: Subject.shape.meaning,
  })
  .meta({
    id: 'VaultLeverage',
    description: 'Position of a vault that can borrow, from the keeper’s last check.',
  });

const Vault = z
  .object({
    id: z.string().meta({ description: 'Name for `POST /api/curator`.', example: 'sentinel' }),
    address: z.string().meta({ description: 'Address of the vault’s contract.' }),
    method: z.string().meta({ description: 'Entry point that deploys idle funds.' }),
    idle: AmountText.nullable().meta({
      description: 'Idle WBTC in sats at `block`; null if it can’t be read now.',
    }),
    lastRun: LastRun.nullable().meta({
      description: 'Null if the keeper has never checked, for example because its task is off.',
    }),
    leverage: Leverage.nullable().meta({ description: 'Null for a vault that can’t borrow.' }),
  })
  .meta({ id: 'Vault' });

const { subject: _subject, details: _details, ...RUN_EXAMPLE } = SUBJECT_EXAMPLE;

export const vaults = describeRoute({
  method: 'get',
  path: '/api/vaults',
  operationId: 'listVaults',
  summary: 'Vaults with their idle funds and last runs',
  description:
    'Each vault of the network profile: its contract, the method that deploys idle funds, the idle balance, and the keeper’s last check with its reason. All balances are of one block, which is read once for all callers.',
  tag: 'curator',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'Vaults in the order of the network profile',
      schema: z
        .object({
          block: z.int().nullable().meta({
            description: 'Block of `idle`; null if the node can’t answer.',
          }),
          at: z.int().nullable().meta({ description: 'Time of the block, in Unix seconds.' }),
          vaults: z.array(Vault),
        })
        .meta({ id: 'Vaults' }),
      examples: {
        turbo: {
          summary: 'A vault at its target',
          value: {
            block: 1_204_506,
            at: 1_760_000_000,
            vaults: [
              {
                id: 'turbo',
                address: '0x70b0',
                method: 'deploy_to_lending',
                idle: '1250000',
                lastRun: RUN_EXAMPLE,
                leverage: {
                  lastLookAt: 1_760_000_000,
                  target: 3,
                  leverage: 2.9985,
                  collateral: '300000000',
                  debt: '120000000000',
                  health: 1.275,
                  reason: 'AT_TARGET' as const,
                  meaning: 'The position is at its target.',
                },
              },
            ],
          },
        },
      },
    },
  },
  cached: KEEPER_CACHE,
  errors: CODES_OF.vaults,
});
