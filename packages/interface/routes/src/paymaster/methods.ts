import * as z from 'zod';
import { MAX_CALLDATA } from '../schemas.js';

/**
 * Felt as SNIP-29 spells it. The pattern does not check that the value is below the prime: the
 * value is checked when the text is converted to a domain value.
 */
const RpcFelt = z
  .string()
  .regex(
    /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,62})$/,
    'must be 0x hex without leading zeros; decimal texts are not accepted',
  );

const Version = z.literal('0x1', 'must be "0x1"');

/**
 * Requested tip. Transactions are sent with the tip of the relayer’s policy. Words for more than
 * the usual tip, and numbers, are rejected.
 */
const Tip = z
  .enum(['slow', 'low', 'normal'], 'must be slow, low or normal: no other tip is served')
  .optional();

/** Payer of the costs, and the token of the fee. */
const FeeMode = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({ mode: z.literal('default'), gas_token: RpcFelt, tip: Tip }),
    z.strictObject({ mode: z.literal('sponsored'), tip: Tip }),
    z.strictObject({ mode: z.literal('sponsored_private'), pool_fee_token: RpcFelt, tip: Tip }),
  ],
  'mode must be default, sponsored or sponsored_private',
);

/** Unix time in seconds, as a number or as text of decimal digits or 0x hex. */
const Timestamp = z
  .union([z.int().min(0), z.string().regex(/^(?:\d{1,15}|0x[0-9a-fA-F]{1,13})$/)], {
    error: 'must be a Unix time in seconds',
  })
  .transform(Number);

const Parameters = z.strictObject({
  version: Version,
  fee_mode: FeeMode,
  time_bounds: z
    .strictObject({ execute_after: Timestamp.optional(), execute_before: Timestamp })
    .optional(),
});

/** Execution parameters of a request. */
export type PaymasterParameters = z.output<typeof Parameters>;

/** Unparsed transactions of the types that this paymaster does not serve. */
const NotServed = z.looseObject({ type: z.enum(['deploy', 'invoke', 'deploy_and_invoke']) });
const TYPE_ERROR = 'type must be apply_action or invoke_and_apply_action: no other type is served';

const transactionOf = <A extends z.ZodRawShape, I extends z.ZodRawShape>(
  applyAction: A,
  invoke: I,
) =>
  z.discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('apply_action'),
        apply_action: z.strictObject(applyAction),
      }),
      z.strictObject({
        type: z.literal('invoke_and_apply_action'),
        apply_action: z.strictObject(applyAction),
        ...invoke,
      }),
      NotServed,
    ],
    TYPE_ERROR,
  );

/** Transaction of any type. Only the two types with private actions are served. */
export interface PaymasterTransaction {
  readonly type:
    'apply_action' | 'invoke_and_apply_action' | 'deploy' | 'invoke' | 'deploy_and_invoke';
}

/** Maximum number of calls of a user's account. */
const MAX_CALLS = 20;
/** Maximum number of felts of the signature of a user's account. */
const MAX_SIGNATURE = 500;

const UserCall = z.strictObject({
  to: RpcFelt,
  selector: RpcFelt,
  calldata: z.array(RpcFelt).max(MAX_CALLDATA),
});

/** Number in typed data: hex, or decimal digits as text or number. */
const TypedNumber = z
  .union([z.int().min(0), z.string().regex(/^(?:\d{1,38}|0x[0-9a-fA-F]{1,32})$/)], {
    error: 'must be a whole number',
  })
  .transform(BigInt);

const TypedCall = z.looseObject({
  To: RpcFelt,
  Selector: RpcFelt,
  Calldata: z.array(RpcFelt).max(MAX_CALLDATA),
});

/** Typed data of SNIP-9, version 2. The standard defines the types, so they are not read. */
const TypedData = z.looseObject({
  primaryType: z.literal('OutsideExecution', 'must be OutsideExecution'),
  domain: z.looseObject({
    name: z.literal('Account.execute_from_outside', 'must be Account.execute_from_outside'),
    version: z.union([z.literal('2'), z.literal(2)], 'must be 2'),
    chainId: z.string(),
    revision: z.union([z.literal('1'), z.literal(1)], 'must be 1'),
  }),
  message: z.looseObject({
    Caller: RpcFelt,
    Nonce: RpcFelt,
    'Execute After': TypedNumber,
    'Execute Before': TypedNumber,
    Calls: z.array(TypedCall).max(MAX_CALLS),
  }),
});

const SignedInvoke = z.strictObject({
  user_address: RpcFelt,
  typed_data: TypedData,
  signature: z.array(RpcFelt).min(1).max(MAX_SIGNATURE),
});

const BuildParams = z.strictObject({
  transaction: transactionOf(
    { pool_address: RpcFelt },
    {
      invoke: z.strictObject({
        user_address: RpcFelt,
        calls: z.array(UserCall).min(1).max(MAX_CALLS),
      }),
    },
  ),
  parameters: Parameters,
});

const ExecuteParams = z.strictObject({
  transaction: transactionOf(
    {
      apply_actions_call: z.strictObject({
        to: RpcFelt,
        selector: RpcFelt,
        calldata: z.array(RpcFelt).min(1).max(MAX_CALLDATA),
      }),
      /** Canonical base64. The service decodes it. */
      proof: z.string().optional(),
      proof_facts: z.array(RpcFelt).min(1).max(MAX_CALLDATA),
    },
    // The OpenRPC document and the implementations have different names for this field.
    { invoke: SignedInvoke.optional(), execute_from_outside: SignedInvoke.optional() },
  ),
  parameters: Parameters,
});

const BuiltTransaction = z.object({
  type: z.enum(['apply_action', 'invoke_and_apply_action']),
  parameters: z.record(z.string(), z.unknown()),
  fee: z.object({
    gas_token_price_in_strk: RpcFelt,
    estimated_fee_in_strk: RpcFelt,
    estimated_fee_in_gas_token: RpcFelt,
    suggested_max_fee_in_strk: RpcFelt,
    suggested_max_fee_in_gas_token: RpcFelt,
  }),
  fee_action: z.object({
    type: z.literal('withdraw'),
    recipient: RpcFelt,
    token: RpcFelt,
    amount: RpcFelt,
  }),
  /** Typed data that the user's account signs; absent for `apply_action`. */
  typed_data: z.record(z.string(), z.unknown()).optional(),
});

const NO_PARAMS = z.strictObject({});

/** Names of the methods of `POST /paymaster`. */
export const PAYMASTER_METHOD_NAMES = [
  'paymaster_isAvailable',
  'paymaster_health',
  'paymaster_getSupportedTokens',
  'paymaster_buildTransaction',
  'paymaster_executeTransaction',
  'paymaster_trackingIdToLatestHash',
] as const;

/** Schemas of the parameters and the result of each method of `POST /paymaster`. */
export const PAYMASTER_METHODS = {
  paymaster_isAvailable: { params: NO_PARAMS, result: z.boolean() },
  paymaster_health: { params: NO_PARAMS, result: z.boolean() },
  paymaster_getSupportedTokens: {
    params: NO_PARAMS,
    result: z.array(
      z.object({ token_address: RpcFelt, decimals: z.int(), price_in_strk: RpcFelt }),
    ),
  },
  paymaster_buildTransaction: { params: BuildParams, result: BuiltTransaction },
  paymaster_executeTransaction: {
    params: ExecuteParams,
    result: z.object({ transaction_hash: RpcFelt, tracking_id: RpcFelt }),
  },
  paymaster_trackingIdToLatestHash: {
    params: z.strictObject({ tracking_id: RpcFelt }),
    result: z.object({
      transaction_hash: RpcFelt,
      status: z.enum(['active', 'accepted', 'dropped']),
    }),
  },
} as const satisfies Readonly<
  Record<(typeof PAYMASTER_METHOD_NAMES)[number], { params: z.ZodType; result: z.ZodType }>
>;
