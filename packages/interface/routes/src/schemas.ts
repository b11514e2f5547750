import { RETRY_WORDS } from '@sotto/facts';
import * as z from 'zod';
import { PAUSED_FOR } from './limits.js';

/** Body of every failure, for every route. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'Human-readable description of the error.' }),
    code: z.string().meta({
      description: 'Stable code, for programs; docs/reference/errors.md lists them.',
      example: 'POOL_NOT_SUPPORTED',
    }),
    retry: z.enum(RETRY_WORDS).meta({
      description:
        '`same`: the same request may be sent again, after `Retry-After` if present; `later`: once something has changed; `new-quote`, `new-proof`: with a new one; `never`: not this request.',
    }),
    requestId: z.string().meta({ description: 'Also in the X-Request-Id header.' }),
    retryAt: z.int().min(0).optional().meta({
      description:
        'Unix time in seconds at which the request may be sent again: the end of `Retry-After`. Absent if the time is unknown.',
      example: 1_792_000_060,
    }),
    details: z.record(z.string(), z.unknown()).optional(),
    docs: z.string().optional().meta({
      description:
        'Page of this service that explains the code and its remedy, as a relative URL; absent without such a page.',
      format: 'uri-reference',
      example: '/docs/errors#POOL_NOT_SUPPORTED',
    }),
  })
  .meta({ id: 'Error' });

/** Schema of the `Prefer` header of routes that can reply before the outcome is known. */
const PreferHeader = z.object({
  prefer: z.string().optional().meta({
    description:
      '`respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome.',
    example: 'respond-async',
  }),
});

/** Headers of routes that send a transaction. */
export const SubmitHeaders = PreferHeader.extend({
  'sotto-notify': z
    .string()
    .regex(/^[a-z][\w.-]{0,39}$/, 'must be the name of an endpoint')
    .optional()
    .meta({
      description:
        'Name of an endpoint registered by the operator of this relayer. It receives a signed webhook whenever the submission’s state changes. At most two endpoints for one submission.',
    }),
});

/** Headers of routes for private actions. */
export const SponsorHeader = z.object({
  'x-paymaster-api-key': z.string().min(1).max(256).optional().meta({
    description:
      'Key of a sponsor, issued by the operator of this relayer. Required if the fee mode is sponsored.',
    example: 'key-of-a-sponsor',
  }),
});

/**
 * Maximum length of a felt's text in characters: 77 decimal digits. The hexadecimal form is 0x and
 * up to 64 digits.
 */
const MAX_FELT_TEXT = 77;

/**
 * Pattern of the texts that the kernel parses as felts. A pattern can't check that the value is
 * below the prime.
 */
const FELT_PATTERN = '^(0[xX][0-9a-fA-F]{1,64}|[0-9]{1,77})$';

/**
 * Text of a felt. This schema does not check the value. The value is checked when the text is
 * converted to a domain value.
 */
export const FeltText = z.string().max(MAX_FELT_TEXT).meta({
  id: 'Felt252',
  // The pattern is only for the OpenAPI document. If a text is not a felt, the request is rejected
  // with INVALID_FELT and the path of the text.
  pattern: FELT_PATTERN,
  description:
    'Field element below 2^251 + 17·2^192 + 1: 0x hex (any case, leading zeros) or decimal.',
  example: '0x1a2b',
});

/**
 * Maximum length of the calldata of a Starknet transaction, in felts. Source: versioned constants
 * of Starknet 0.14, max_calldata_length.
 */
export const MAX_CALLDATA = 5_000;

/** Calldata of a proof in a request. */
export const ProofCalldata = z.array(FeltText).min(1).max(MAX_CALLDATA).meta({
  description:
    'Garaga calldata of the withdrawal proof, with or without its leading length: 2,019 or 2,020 felts.',
});

/** Maximum size of a body that carries a proof, in bytes: five times the usual size. */
export const PROOF_BODY_BYTES = 256 * 1024;

/**
 * Maximum size in bytes of a body with private actions, after decompression: 4 MiB. A Stwo proof is
 * the largest part, as base64 text.
 */
export const PRIVATE_ACTION_BODY_BYTES = 4 * 1024 * 1024;

/** Maximum size of a body with a few short fields, in bytes. */
export const SMALL_BODY_BYTES = 4 * 1024;

/** First felts of a proof's calldata, used in examples. */
export const EXAMPLE_CALLDATA = [
  '0x7e3',
  '0x4b3a1f60c55d0e2c1b8f9a27',
  '0x1d9e5a7702c4b6f8e3a1d5c9',
  '0x2f81c7e4',
];

/** First felts of a call of `apply_actions`, used in examples. */
export const EXAMPLE_ACTIONS = ['0x2', '0x0', '0x3ac9d17b42', '0x1', '0x1'];

/** First proof facts of a virtual execution, used in examples. */
export const EXAMPLE_PROOF_FACTS = [
  '0x50524f4f4630',
  '0x5649525455414c5f534e4f53',
  '0x1f5d3b9a7c',
  '0x5649525455414c5f534e4f5330',
  '0x16e360',
];

export const EXAMPLE_PRIVACY_POOL =
  '0x40337b1af3c663e86e333bab5a4b28da8d4652a15a69beee2b677776ffe812a';

export const EXAMPLE_INPUT_POOL =
  '0xa9ca1d554d7ef360e47de70f89fefcb571b568c8dd049de96fa181e1c69c60';

export const EXAMPLE_SWAP_POOL =
  '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';

export const EXAMPLE_POOL = '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33';

/** Reason why a pool accepts no withdrawals now; null if the pool accepts withdrawals. */
export const PausedFor = z.enum(PAUSED_FOR).nullable();

export const PauseReason = z
  .string()
  .nullable()
  .meta({ description: 'Reason given by the operator who paused it.' });

/** Amount in a reply, as decimal text because it may exceed a JSON number. */
export const AmountText = z.string().regex(/^\d+$/);

const RECIPIENT_GAS =
  'STRK that the withdrawal’s transaction gives to the recipient of the proof, in fri (1 STRK is 10^18), so that a fresh account can pay for its first transaction. The fee must cover its price. 0 or absent: none.';

/** STRK for the recipient of a withdrawal, in fri. */
export const RecipientGasFri = z
  .string()
  .regex(/^\d{1,20}$/)
  .meta({ description: RECIPIENT_GAS, example: '50000000000000000' });

const U32_LIMIT = 2 ** 32;

/** Note of the swap pool. */
const LEAF_INDEX = {
  description:
    'Leaf of a note in the swap pool, as returned by its private swap: required for that pool, refused for others.',
  example: 12,
} as const;

export const LeafIndex = z
  .int()
  .min(0)
  .max(U32_LIMIT - 1)
  .meta(LEAF_INDEX);

/** Leaf index in a query, as text. */
export const LeafIndexText = z
  .string()
  .regex(/^(0|[1-9]\d{0,9})$/, 'must be a whole number')
  .transform(Number)
  .refine((index) => index < U32_LIMIT, 'must be below 2^32')
  .meta({ ...LEAF_INDEX, example: '12' });

/** Id of a fee quote. */
export const QuoteId = z.string().regex(/^[\w-]{1,64}$/);

/** Operation for which a fee is requested. */
export const Operation = z.enum(['withdraw', 'private_swap']).default('withdraw').meta({
  description:
    'Operation that the fee is for. A private swap starts from pools of the kind `swap_input` and costs more gas than a withdrawal.',
});

/** Decimal text of a number below 2^256. Use cases apply smaller limits. */
export const U256Text = z
  .string()
  .max(78)
  .regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/, 'must be 0x hex or decimal digits')
  .transform(BigInt)
  // 78 decimal digits hold more than 256 bits.
  .refine((amount) => amount < 2n ** 256n, 'must be below 2^256');

/**
 * Unit of denominations in replies. Every description of a field with a denomination contains this
 * text.
 */
export const DENOMINATION_UNIT =
  'sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor';

export const BuildSchema = z
  .object({
    version: z.string(),
    commit: z.string().meta({ description: 'Commit that it was built from, or `unknown`.' }),
  })
  .meta({ id: 'Build', description: 'Build of the answering instance.' });
export const EXAMPLE_BUILD = { version: '0.1.0', commit: 'unknown' };
