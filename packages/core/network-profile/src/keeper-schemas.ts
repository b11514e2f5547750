import { ORDER_FIELD_NAMES, layoutProblems, type OrderLayout } from '@sotto/dca-core';
import { z } from 'zod';
import { Address, EntrypointName } from './values.js';

const SIZES = ['bool', 'u32', 'u64', 'u128', 'u256', 'felt'] as const;
const MAX_FIELDS = 40;
const MAX_ARGUMENTS = 20;
const Literal = z.int().min(0);

/**
 * Schema of the layout of the recurring purchases contract. The contract's interface is not public.
 */
export const Purchases = z
  .strictObject({
    address: Address,
    deployedAt: z.int().min(0).default(0).meta({
      description: 'Block in which the contract was deployed: no order is older.',
    }),
    keeperFeeBps: z.int().min(0).max(1_000).default(10).meta({
      description:
        'Fee that the contract pays for the execution of an order, in hundredths of a percent of the WBTC.',
    }),
    order: z
      .strictObject({
        view: EntrypointName.default('get_order'),
        fields: z
          .array(z.strictObject({ name: z.enum(ORDER_FIELD_NAMES), size: z.enum(SIZES) }))
          .min(1)
          .max(MAX_FIELDS),
      })
      .meta({
        description:
          'View of one order, and the fields of its result in order. `ignored` is a field without a use.',
      }),
    created: z
      .strictObject({
        selector: Address,
        orderId: z.strictObject({
          in: z.enum(['keys', 'data'], 'must be keys or data'),
          at: z.int().min(0).max(MAX_FIELDS),
        }),
      })
      .meta({
        description:
          'Event of a new order: its selector, and the position of the order’s id. Key 0 is the selector itself.',
      }),
    mayerMultiple: z
      .strictObject({
        view: EntrypointName.default('get_mayer_multiple'),
        size: z.enum(SIZES),
        scale: z
          .string()
          .regex(/^[1-9]\d{0,38}$/, 'must be a whole number above 0, as text')
          .transform(BigInt),
      })
      .meta({ description: 'View of the Mayer Multiple; 1.0 is `scale`.' }),
    execute: z
      .strictObject({
        entrypoint: EntrypointName.default('execute_order'),
        calldata: z
          .array(
            z.union(
              [z.enum(['order', 'minimum', 'routes']), Literal],
              'must be "order", "minimum", "routes" or a whole number',
            ),
          )
          .max(MAX_ARGUMENTS)
          .default(['order', 'minimum', 'routes']),
      })
      .prefault({})
      .meta({
        description:
          'Call that executes an order. `order` is its id, `minimum` the least amount of WBTC as u256, and `routes` the router’s routes with their count. A number is that felt.',
      }),
  })
  .superRefine((purchases, context) => {
    for (const message of layoutProblems(layoutOf(purchases)))
      context.addIssue({ code: 'custom', message });
  });

const Entry = (amount: 'borrow' | 'withdraw') =>
  z.strictObject({
    entrypoint: EntrypointName,
    calldata: recipeOf(['expected_debt', amount, 'minimum', 'routes']),
  });

/**
 * Returns the schema of the list of a call's arguments. Each argument in `parts` must occur once;
 * numbers and `increase` are optional.
 */
function recipeOf(
  parts: readonly ('expected_debt' | 'borrow' | 'withdraw' | 'minimum' | 'routes')[],
) {
  return z
    .array(
      z.union([
        z.enum(['expected_debt', 'borrow', 'withdraw', 'minimum', 'routes', 'increase']),
        Literal,
      ]),
    )
    .max(MAX_ARGUMENTS)
    .refine(
      (recipe) => parts.every((part) => recipe.filter((each) => each === part).length === 1),
      `must have each of ${parts.join(', ')} once`,
    );
}

const PositionView = z.strictObject({
  entrypoint: EntrypointName.default('position'),
  fields: z
    .array(
      z.strictObject({
        field: z.enum([
          'collateral',
          'debt',
          'nominalDebt',
          'freeLiquidity',
          'borrowRateE18',
          'supplyRateE18',
          'maxLtvE18',
          'unused',
        ]),
        felts: z.union([z.literal(1), z.literal(2)], 'must be 1 or 2'),
      }),
    )
    .min(2)
    .max(MAX_FIELDS)
    .refine(
      (fields) =>
        ['collateral', 'debt'].every(
          (name) => fields.filter(({ field }) => field === name).length === 1,
        ),
      'must have collateral and debt once',
    ),
  ratesPerSecond: z.boolean().exactOptional(),
});

const LEVER = ['expected_debt', 'borrow', 'withdraw', 'minimum', 'routes'] as const;

/** Schema of the description of a vault whose leverage can be changed. */
export const Leverage = z.strictObject({
  lendingPool: Address.meta({
    description: 'Lending pool in which the vault supplies and borrows.',
  }),
  layout: z
    .discriminatedUnion('form', [
      z.strictObject({
        form: z.literal('rounds'),
        position: PositionView,
        up: Entry('borrow'),
        down: Entry('withdraw'),
        repaysHeld: z.boolean().exactOptional(),
      }),
      z.strictObject({
        form: z.literal('lever'),
        position: PositionView,
        lever: z.strictObject({ entrypoint: EntrypointName, calldata: recipeOf(LEVER) }),
      }),
    ])
    .meta({
      description:
        '`rounds`: each transaction borrows, swaps and supplies, or withdraws, swaps and repays. `lever`: one entry point does any leverage in one transaction. Amounts and debts are u256. `expected_debt` is the debt that the vault must have, in units of its position’s `nominalDebt`, which interest does not change. Without such a field it is `debt`, which fits only a pool whose debt does not grow every second. `increase` is 1 for more leverage and 0 for less. `repaysHeld`: a round that reduces leverage without a withdrawal repays with tokens of the vault.',
    }),
});

/** Converts the parsed section to the order layout that the purchases core uses. */
export function layoutOf(purchases: {
  readonly order: { readonly view: string; readonly fields: OrderLayout['fields'] };
  readonly created: OrderLayout['created'];
  readonly mayerMultiple: OrderLayout['mayerMultiple'] & { readonly view: string };
  readonly execute: { readonly entrypoint: string; readonly calldata: OrderLayout['execution'] };
}): OrderLayout {
  const { order, created, mayerMultiple, execute } = purchases;
  return {
    fields: order.fields,
    created,
    mayerMultiple: { size: mayerMultiple.size, scale: mayerMultiple.scale },
    entrypoints: {
      order: order.view,
      mayerMultiple: mayerMultiple.view,
      execute: execute.entrypoint,
    },
    execution: execute.calldata,
  };
}
