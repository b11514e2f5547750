import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import { STEP_NAMES } from './limits.js';
import { AmountText, SMALL_BODY_BYTES } from './schemas.js';

const EXAMPLE_TRANSFER_ID = 'tr_5f0c2a7e91b34d68';

const BridgeStep = z
  .object({
    step: z.enum(STEP_NAMES),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    timestamp: z
      .int()
      .nullable()
      .meta({ description: 'Unix time in seconds; null until the step completes.' }),
    tx_hash: z
      .string()
      .optional()
      .meta({ description: 'Hash of the step’s transaction, if known.' }),
  })
  .meta({ id: 'BridgeStep' });

const BridgeTransfer = z
  .object({
    from_chain: z.string(),
    from_token: z.string(),
    to_chain: z.string(),
    to_token: z.string(),
    amount: z.string().meta({ description: 'Amount to send, with the unit.', example: '100 USDC' }),
    estimated_output: z
      .string()
      .meta({ description: 'Quoted output, with the unit.', example: '831.2 STRK' }),
    recipient: z.string().meta({ description: 'Address on the destination chain.' }),
    deposit_address: z.string().meta({ description: 'Address on the source chain.' }),
    deposit_memo: z.string().optional().meta({
      description: 'Memo that the deposit must carry; present only if the chain needs one.',
    }),
  })
  .meta({
    id: 'BridgeTransfer',
    description: 'Terms of the quote; present only if this service quoted the transfer.',
  });

const BridgeStatus = z
  .object({
    status: z.enum(['processing', 'completed']).meta({
      description:
        'completed: the recipient has the funds. A transfer with a failed step never becomes completed.',
    }),
    steps: z
      .array(BridgeStep)
      .length(STEP_NAMES.length)
      .meta({ description: 'All steps, in the order in which they run.' }),
    refund: z.enum(['expected', 'refunded']).optional().meta({
      description:
        'Present only if a step has failed: the bridge returns the funds, less gas, to the source chain automatically within 1 to 24 hours.',
    }),
    output_amount: z.string().optional().meta({
      description:
        'Amount that arrived, in whole tokens with the unit; present only if the transfer is completed and the bridge reports it.',
      example: '831.2 STRK',
    }),
    reason: z.enum(['unconfirmed', 'deposit_incomplete', 'deposit_expired']).optional().meta({
      description:
        'Why the transfer does not continue. `unconfirmed`: the bridge reports a delivery, but neither a transaction nor an amount confirms it. `deposit_incomplete`: less than the quoted amount has arrived; send `missing_amount` until `deposit_deadline`. `deposit_expired`: the deadline has passed; send nothing more.',
    }),
    shortfall: z.string().optional().meta({
      description:
        'Missing part of the quoted output, with the unit; present only if it exceeds the tolerance of 1 %.',
      example: '31.2 STRK',
    }),
    deposited_amount: z.string().optional().meta({
      description: 'Amount that arrived at the deposit address, if the bridge reports it.',
      example: '60.5 USDC',
    }),
    missing_amount: z.string().optional().meta({
      description: 'Missing part of an incomplete deposit.',
      example: '39.5 USDC',
    }),
    refunded_amount: z.string().optional().meta({
      description: 'Amount that was returned to the refund address, if the bridge reports it.',
      example: '99.7 USDC',
    }),
    bridge_message: z.string().max(200).optional().meta({
      description:
        'Message of the bridge about a failure, a refund or a state unknown to this service. Long words, such as addresses, are replaced by “…”.',
    }),
    deposit_deadline: z.int().optional().meta({
      description: 'Unix time in seconds after which nothing may be sent, if known.',
    }),
    transfer: BridgeTransfer.optional(),
  })
  .meta({ id: 'BridgeStatus' });

const EXAMPLE_STEPS = [
  { step: 'deposit_detected', status: 'completed', timestamp: 1_792_000_000, tx_hash: '0x9c1f' },
  { step: 'swap_source_token', status: 'completed', timestamp: 1_792_000_020 },
  { step: 'bridge_to_destination', status: 'processing', timestamp: null },
  { step: 'swap_destination_token', status: 'pending', timestamp: null },
  { step: 'send_to_recipient', status: 'pending', timestamp: null },
] as const;

export const bridgeStatus = describeRoute({
  method: 'get',
  path: '/api/bridge/status',
  operationId: 'getBridgeStatus',
  summary: 'Progress of a bridge transfer',
  description:
    'A step never goes back to an earlier status, and its time never changes once it is reported. Instances may differ by up to two seconds. Poll it until `status` is completed or a step has failed. Any caller with the id may read it.',
  tag: 'bridge',
  limitedAs: 'reads',
  query: z.strictObject({
    transaction_id: z.string().min(1).max(256).meta({
      description: 'Transfer id from a quote that was not a dry run.',
      example: EXAMPLE_TRANSFER_ID,
    }),
  }),
  replies: {
    200: {
      description: 'The transfer as last reported by the bridge',
      schema: BridgeStatus,
      examples: {
        processing: {
          summary: 'In progress',
          value: { status: 'processing', steps: EXAMPLE_STEPS },
        },
        failed: {
          summary: 'Failed; the refund is in progress',
          value: {
            status: 'processing',
            steps: EXAMPLE_STEPS.map((step) =>
              step.status === 'processing' ? { ...step, status: 'failed' } : step,
            ),
            refund: 'expected',
          },
        },
        incomplete: {
          summary: 'Part of the deposit is missing',
          value: {
            status: 'processing',
            steps: EXAMPLE_STEPS.map(({ step }, index) => ({
              step,
              status: index === 0 ? 'processing' : 'pending',
              timestamp: null,
            })),
            reason: 'deposit_incomplete',
            deposited_amount: '60.5 USDC',
            missing_amount: '39.5 USDC',
            deposit_deadline: 1_792_003_600,
            transfer: {
              from_chain: 'ethereum',
              from_token: 'USDC',
              to_chain: 'starknet',
              to_token: 'STRK',
              amount: '100 USDC',
              estimated_output: '831.2 STRK',
              recipient: '0x4a1c5e0f7b29d38643e8a7d5c9b0f1e2d3c4b5a69788796a5b4c3d2e1f0a9b',
              deposit_address: '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0',
            },
          },
        },
      },
    },
  },
  // A transfer is private to its owner: no shared cache may store it.
  cached: { cacheControl: 'private, no-cache', freshMs: 1_000, staleMs: 2_000 },
  errors: CODES_OF.bridgeStatus,
});

const Chain = z.string().min(1).max(40).meta({
  description: 'Lower-case name of the chain; `starknet` for the chain that this service runs on.',
});

const Token = z
  .string()
  .min(1)
  .max(20)
  .meta({ description: 'Symbol of a token that `GET /api/bridge/routes` lists for the chain.' });

const ForeignAddress = z.string().min(1).max(200);

const BridgeQuoteRequest = z
  .strictObject({
    from_chain: Chain,
    from_token: Token,
    to_chain: Chain,
    to_token: Token,
    amount: z.string().max(100).meta({
      description: 'Decimal digits, in the source token’s smallest unit.',
      example: '100000000',
    }),
    dry_run: z
      .boolean()
      .meta({ description: 'true: an estimate. false: an address to send the funds to.' }),
    recipient: ForeignAddress.optional().meta({
      description:
        'Address on the destination chain. Required unless it is a dry run. On Starknet it must be able to return the funds: a token, a contract of the service or a value below 2^160 is rejected.',
    }),
    refund_to: ForeignAddress.optional().meta({
      description:
        'Address on the source chain that receives the funds if the transfer fails. Some bridge protocols require it unless it is a dry run.',
    }),
  })
  .meta({ id: 'BridgeQuoteRequest' });

const RouteLeg = z.object({
  step: z.enum(['swap', 'bridge']),
  from: z.string(),
  to: z.string(),
  dex: z.string().optional().meta({ description: 'Name of the exchange; only for swaps.' }),
});

const BridgeQuote = z
  .object({
    transaction_id: z
      .string()
      .optional()
      .meta({ description: 'Transfer id for `GET /api/bridge/status`. Absent in a dry run.' }),
    deposit_address: z.string().optional().meta({
      description:
        'Address on the source chain that must receive exactly the quoted token and amount. Absent in a dry run.',
    }),
    deposit_memo: z.string().optional().meta({
      description: 'Memo that the deposit must carry; present only if the chain needs one.',
    }),
    deposit_deadline: z.int().optional().meta({
      description: 'Unix time in seconds after which nothing may be sent, if known.',
    }),
    estimated_output: z.string().meta({
      description: 'Estimated output in whole tokens, with the unit.',
      example: '1250.5 STRK',
    }),
    estimated_output_amount: AmountText.meta({
      description: 'The estimated output in the destination token’s smallest unit.',
    }),
    estimated_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Usual duration of the transfer in seconds, if known.' }),
    route: z.array(RouteLeg),
    fees: z
      .object({
        bridge_fee: z.string().optional(),
        gas_estimate: z.string().optional(),
        swap_fees: z.string().optional(),
      })
      .meta({ description: 'Fees with their units; only those that the bridge protocol reports.' }),
  })
  .meta({ id: 'BridgeQuote' });

const IN = {
  from_chain: 'ethereum',
  from_token: 'USDC',
  to_chain: 'starknet',
  to_token: 'STRK',
  amount: '100000000',
} as const;

const ESTIMATE = {
  estimated_output: '831.2 STRK',
  estimated_output_amount: '831200000000000000000',
  route: [
    { step: 'bridge', from: 'USDC on ethereum', to: 'USDC on starknet' },
    { step: 'swap', from: 'USDC', to: 'STRK', dex: 'AVNU' },
  ],
  fees: { bridge_fee: '0.3 USDC', gas_estimate: '0.1 USDC', swap_fees: '0.2 USDC' },
} as const;

export const bridgeQuote = describeRoute({
  method: 'post',
  path: '/api/bridge/quote',
  operationId: 'quoteBridgeTransfer',
  summary: 'Quote a transfer to or from Starknet',
  description:
    'Any listed token to STRK on Starknet, or STRK on Starknet to any listed token. A dry run estimates. Otherwise send exactly the quoted ' +
    'amount to `deposit_address` and follow the transfer by its `transaction_id`. An address to which nothing is sent costs nothing.',
  tag: 'bridge',
  limitedAs: 'quotes',
  body: {
    schema: BridgeQuoteRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      estimate: { summary: '100 USDC from Ethereum, an estimate', value: { ...IN, dry_run: true } },
      real: {
        summary: 'The same transfer, not a dry run',
        value: {
          ...IN,
          dry_run: false,
          recipient: '0x4a1c5e0f7b29d38643e8a7d5c9b0f1e2d3c4b5a69788796a5b4c3d2e1f0a9b',
        },
      },
    },
  },
  replies: {
    200: {
      description: 'The terms',
      schema: BridgeQuote,
      examples: {
        estimate: { summary: 'An estimate', value: ESTIMATE },
        real: {
          summary: 'Terms with a deposit address',
          value: {
            ...ESTIMATE,
            transaction_id: EXAMPLE_TRANSFER_ID,
            deposit_address: '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0',
            deposit_deadline: 1_792_003_600,
          },
        },
      },
    },
  },
  errors: CODES_OF.bridgeQuote,
});

const End = z
  .object({
    chain: z.string(),
    token: z.string(),
    decimals: z
      .int()
      .min(0)
      .meta({ description: 'Number of decimals: one token is 10^decimals of its smallest unit.' }),
  })
  .meta({ id: 'BridgeEnd' });

const BridgeRoutes = z
  .object({
    routes: z.array(
      z
        .object({
          direction: z
            .enum(['in', 'out'])
            .meta({ description: 'in: to Starknet. out: from Starknet.' }),
          from: End,
          to: End,
        })
        .meta({ id: 'BridgeRoute' }),
    ),
  })
  .meta({ id: 'BridgeRoutes' });

const STRK_END = { chain: 'starknet', token: 'STRK', decimals: 18 } as const;

export const bridgeRoutes = describeRoute({
  method: 'get',
  path: '/api/bridge/routes',
  operationId: 'listBridgeRoutes',
  summary: 'Supported bridge pairs',
  description:
    'Whether a solver accepts a transfer now depends on its liquidity: only a quote shows that.',
  tag: 'bridge',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'Every supported pair of tokens, in both directions',
      schema: BridgeRoutes,
      examples: {
        routes: {
          summary: 'Two pairs',
          value: {
            routes: [
              {
                direction: 'in',
                from: { chain: 'ethereum', token: 'USDC', decimals: 6 },
                to: STRK_END,
              },
              {
                direction: 'out',
                from: STRK_END,
                to: { chain: 'ethereum', token: 'USDC', decimals: 6 },
              },
            ],
          },
        },
      },
    },
  },
  cached: { cacheControl: 'public, max-age=300', freshMs: 300_000, staleMs: 300_000 },
  errors: CODES_OF.bridgeRoutes,
});
