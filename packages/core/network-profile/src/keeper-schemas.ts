import { ORDER_FIELD_NAMES, layoutProblems, type OrderLayout } from '@sotto/dca-core';
import { z } from 'zod';
import { Address, EntrypointName } from './values.js';

const SIZES = ['bool', 'u32', 'u64', 'u128', 'u256', 'felt'] as const;
const MAX_FIELDS = 40;
const MAX_ARGUMENTS = 20;
const Literal = z.int().min(0);

/** How the contract of recurring purchases is laid out: nothing of it is public. */
export const Purchases = z
  .strictObject({
    address: Address,
    deployedAt: z.int().min(0).default(0).meta({
      description: 'Block in which the contract was deployed: no order is older.',
    }),
    keeperFeeBps: z.int().min(0).max(1_000).default(10).meta({
      description:
        'What the contract pays for the execution of an order, in hundredths of a percent of the WBTC.',
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
          'The view of one order, and what it answers in order. `ignored` takes its place and is not looked at.',
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
          'The event of a new order: its selector, and where the order’s id stands. Key 0 is the selector itself.',
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
      .meta({ description: 'The view of the Mayer Multiple; 1.0 is `scale`.' }),
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
          'The call that executes an order: `order` is its id, `minimum` the least amount of WBTC as u256, `routes` the router’s routes with their count; a number is that felt.',
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

/** Each of the parts once; numbers and `increase` besides. */
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

/** How a vault is led to another leverage. */
export const Leverage = z.strictObject({
  lendingPool: Address.meta({ description: 'Where the vault supplies and borrows.' }),
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
        '`rounds`: each transaction borrows, swaps and supplies, or withdraws, swaps and repays. `lever`: one entry point does any leverage in one transaction. Amounts and debts are u256. `expected_debt` is the debt that the vault has to have, as `nominalDebt` of its position counts it: what interest leaves as it is; without one it is `debt`, which fits only a pool whose debt does not grow by the second. `increase` is 1 on the way up and 0 on the way back. `repaysHeld`: a round back that withdraws nothing repays with what the vault holds.',
    }),
});

/** The layout as the core of purchases takes it. */
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
