import type { QuoteTransfer } from '@sotto/bridge-core';
import { BRIDGE_CHAINS, STRK, formatAmountOf, type TransferQuote } from '@sotto/bridge-core';
import { z } from 'zod';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { AmountText, SMALL_BODY_BYTES } from '../../schemas.js';
import { EXAMPLE_TRANSFER_ID } from './examples.js';

const Chain = z.string().min(1).max(40).meta({
  description: 'Lower-case name of the chain; `starknet` for the one that this service is on.',
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
      description: 'Address on the destination chain. Needed unless it is a dry run.',
    }),
    refund_to: ForeignAddress.optional().meta({
      description:
        'Address on the source chain that gets the funds back if the transfer fails. Some bridge protocols need it unless it is a dry run.',
    }),
  })
  .meta({ id: 'BridgeQuoteRequest' });

const RouteLeg = z.object({
  step: z.enum(['swap', 'bridge']),
  from: z.string(),
  to: z.string(),
  dex: z.string().optional().meta({ description: 'Of swaps.' }),
});

const BridgeQuote = z
  .object({
    transaction_id: z
      .string()
      .optional()
      .meta({ description: 'For `GET /api/bridge/status`. Not with a dry run.' }),
    deposit_address: z.string().optional().meta({
      description:
        'Address on the source chain that must receive exactly the quoted token and amount. Not with a dry run.',
    }),
    deposit_memo: z
      .string()
      .optional()
      .meta({ description: 'Must go with the deposit; only where the chain needs one.' }),
    deposit_deadline: z.int().optional().meta({
      description:
        'Unix time in seconds after which nothing may be sent any more, where it is known.',
    }),
    estimated_output: z
      .string()
      .meta({ description: 'In whole tokens, with the unit.', example: '1250.5 STRK' }),
    estimated_output_amount: AmountText.meta({
      description: 'The same in the destination token’s smallest unit.',
    }),
    estimated_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'How long the transfer usually takes, where it is known.' }),
    route: z.array(RouteLeg),
    fees: z
      .object({
        bridge_fee: z.string().optional(),
        gas_estimate: z.string().optional(),
        swap_fees: z.string().optional(),
      })
      .meta({ description: 'With their units, as far as the bridge protocol reports them.' }),
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

const bridgeQuote = describeRoute({
  method: 'post',
  path: '/api/bridge/quote',
  operationId: 'quoteBridgeTransfer',
  summary: 'Terms of a transfer to or from Starknet',
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
        summary: 'The same in earnest',
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
          summary: 'Terms to act on',
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
  errors: ERRORS_OF.bridgeQuote,
});

/** `POST /api/bridge/quote`. */
export class BridgeQuoteRoute implements Route {
  static readonly definition = bridgeQuote;
  readonly definition = bridgeQuote;
  readonly handler = handlerFor(bridgeQuote, (input) => this.#answer(input));

  constructor(private readonly quoteTransfer: QuoteTransfer) {}

  async #answer({ body }: InputOf<typeof bridgeQuote>): Promise<AnswerOf<typeof bridgeQuote>> {
    const quote = await this.quoteTransfer.execute({
      fromChain: body.from_chain,
      fromToken: body.from_token,
      toChain: body.to_chain,
      toToken: body.to_token,
      amount: body.amount,
      dryRun: body.dry_run,
      recipient: body.recipient,
      refundTo: body.refund_to,
    });
    return { status: 200, body: toBridgeQuoteDto(quote, body.to_chain, body.to_token) };
  }
}

function toBridgeQuoteDto(
  { deposit, route, fees, ...quote }: TransferQuote,
  chain: string,
  symbol: string,
): z.input<typeof BridgeQuote> {
  return {
    ...(deposit === null
      ? {}
      : {
          transaction_id: deposit.transactionId,
          deposit_address: deposit.address,
          ...whenKnown('deposit_memo', deposit.memo),
          ...whenKnown('deposit_deadline', deposit.deadlineSeconds),
        }),
    estimated_output: formatAmountOf(quote.estimatedOutput, {
      symbol,
      decimals: decimalsOf(chain, symbol),
    }),
    estimated_output_amount: String(quote.estimatedOutput),
    ...whenKnown('estimated_seconds', quote.durationSeconds),
    route: route.map(({ step, from, to, dex }) => ({ step, from, to, ...whenKnown('dex', dex) })),
    fees: {
      ...whenKnown('bridge_fee', fees.bridgeFee),
      ...whenKnown('gas_estimate', fees.gasEstimate),
      ...whenKnown('swap_fees', fees.swapFees),
    },
  };
}

/** The field with its value; nothing where that is not known. */
function whenKnown<Name extends string, Value>(
  name: Name,
  value: Value | null,
): { readonly [Key in Name]?: Value } {
  // CAST: a computed key of a type parameter widens to an index signature; the object has exactly
  // this key.
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

/** @throws Error for a token that is not listed: the use case refuses those before */
function decimalsOf(chainId: string, symbol: string): number {
  const tokens =
    chainId === STRK.chain
      ? [STRK]
      : BRIDGE_CHAINS.filter(({ id }) => id === chainId).flatMap((chain) => chain.tokens);
  const token = tokens.find((candidate) => candidate.symbol === symbol);
  if (token === undefined) throw new Error('a transfer was quoted to a token that is not listed');
  return token.decimals;
}
