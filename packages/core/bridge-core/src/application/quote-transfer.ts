import { BRIDGE_PROTOCOL_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import { UNLIMITED_BUDGET, UNNAMED_CALLER, type Caller, type UpstreamBudget } from '@sotto/kernel';
import { isAddress } from '../domain/address.js';
import { parseAmount } from '../domain/amount.js';
import {
  BRIDGE_CHAINS,
  STRK,
  assetsOf,
  type BridgeAsset,
  type BridgeChain,
} from '../domain/catalogue.js';
import type { TransferQuote, TransferRequest } from '../domain/transfer-quote.js';
import {
  AmountInvalid,
  AmountTooLow,
  BridgeQuoteUnusable,
  BridgeRecipientInvalid,
  ChainNotSupported,
  NoBridgeRoute,
  RefundAddressInvalid,
  RouteNotSupported,
  TokenNotSupported,
} from '../errors.js';
import type { BridgeProtocol } from '../ports/bridge-protocol.port.js';

/** A transfer in the words of its caller. */
export interface QuoteTransferInput {
  readonly fromChain: string;
  readonly fromToken: string;
  readonly toChain: string;
  readonly toToken: string;
  /** Decimal digits: the source token's smallest unit. */
  readonly amount: string;
  /** True: an estimate, nothing changes. False: an address to send the funds to. */
  readonly dryRun: boolean;
  /** On the destination chain. Needed unless it is a dry run. */
  readonly recipient?: string | undefined;
  /** On the source chain. Some protocols need one unless it is a dry run. */
  readonly refundTo?: string | undefined;
  /** @default the one of requests that name none */
  readonly caller?: Caller;
}

/** Terms of a transfer between Starknet and another chain, and where its funds shall be sent. */
export class QuoteTransfer {
  /** Codes of its errors. */
  static readonly throws = [
    'CHAIN_NOT_SUPPORTED',
    'TOKEN_NOT_SUPPORTED',
    'ROUTE_NOT_SUPPORTED',
    'AMOUNT_INVALID',
    'BRIDGE_RECIPIENT_INVALID',
    'REFUND_ADDRESS_INVALID',
    'NO_BRIDGE_ROUTE',
    'AMOUNT_TOO_LOW',
    'BRIDGE_QUOTE_UNUSABLE',
    'OVERLOADED',
    ...codesOf(BRIDGE_PROTOCOL_ERRORS),
  ] as const satisfies readonly ErrorCode[];

  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly budget: Pick<UpstreamBudget, 'spend'> = UNLIMITED_BUDGET,
    private readonly chains: readonly BridgeChain[] = BRIDGE_CHAINS,
  ) {}

  /**
   * @throws ChainNotSupported, TokenNotSupported, RouteNotSupported, AmountInvalid,
   *   BridgeRecipientInvalid or RefundAddressInvalid before anybody is asked; Overloaded if the
   *   caller may cause no request now; NoBridgeRoute, AmountTooLow, BridgeRecipientInvalid or
   *   RefundAddressInvalid as the protocol answers; BridgeQuoteUnusable when its answer must not
   *   be passed on; errors of the protocol's adapter
   */
  async execute(input: QuoteTransferInput): Promise<TransferQuote> {
    const request = this.#parse(input);
    this.budget.spend(input.caller ?? UNNAMED_CALLER);
    const answer = await this.protocol.quote(request);
    switch (answer.kind) {
      case 'quoted':
        return checked(answer.quote, request);
      case 'no_route':
        throw new NoBridgeRoute();
      case 'amount_too_low':
        throw new AmountTooLow(
          answer.minimum === null ? {} : { details: { minimum: answer.minimum.toString() } },
        );
      case 'recipient_refused':
        throw new BridgeRecipientInvalid({ details: { reason: 'refused' } });
      case 'refund_address_needed':
        throw new RefundAddressInvalid({
          details: { reason: input.refundTo === undefined ? 'missing' : 'refused' },
        });
    }
  }

  #parse({
    fromChain,
    fromToken,
    toChain,
    toToken,
    amount: amountText,
    dryRun,
    recipient,
    refundTo,
  }: QuoteTransferInput): TransferRequest {
    const from = this.#asset(fromChain, fromToken, 'from');
    const to = this.#asset(toChain, toToken, 'to');
    if (!this.#isServed(from, to)) throw new RouteNotSupported();

    const amount = parseAmount(amountText);
    if (amount === undefined) throw new AmountInvalid();

    if (recipient !== undefined && !isAddress(to.family, recipient))
      throw new BridgeRecipientInvalid({ details: { reason: 'format' } });
    if (refundTo !== undefined && !isAddress(from.family, refundTo))
      throw new RefundAddressInvalid({ details: { reason: 'format' } });
    const terms = { from, to, amount, refundTo: refundTo ?? null };
    if (dryRun) return { ...terms, dryRun, recipient: recipient ?? null };
    if (recipient === undefined)
      throw new BridgeRecipientInvalid({ details: { reason: 'missing' } });
    return { ...terms, dryRun, recipient };
  }

  #asset(chainId: string, symbol: string, end: 'from' | 'to'): BridgeAsset {
    const assets =
      chainId === STRK.chain
        ? [STRK]
        : this.chains.filter(({ id }) => id === chainId).flatMap(assetsOf);
    if (assets.length === 0) throw new ChainNotSupported({ details: { end } });
    const asset = assets.find((candidate) => candidate.symbol === symbol);
    if (asset === undefined) throw new TokenNotSupported({ details: { end } });
    return asset;
  }

  /** One end is Starknet, and the other allows the direction. */
  #isServed(from: BridgeAsset, to: BridgeAsset): boolean {
    if (from.chain === to.chain) return false;
    const [other, direction] =
      to.chain === STRK.chain ? [from, 'in' as const] : [to, 'out' as const];
    if (direction === 'out' && from.chain !== STRK.chain) return false;
    return this.chains.some(
      ({ id, directions }) => id === other.chain && directions.includes(direction),
    );
  }
}

/**
 * Funds are sent to what is answered here, so whatever a protocol says is held against what was
 * asked.
 */
function checked(quote: TransferQuote, { dryRun, from }: TransferRequest): TransferQuote {
  const { deposit, estimatedOutput } = quote;
  if (estimatedOutput <= 0n) throw new BridgeQuoteUnusable({ details: { reason: 'no_output' } });
  if (dryRun !== (deposit === null))
    throw new BridgeQuoteUnusable({ details: { reason: 'deposit' } });
  if (deposit !== null && !isAddress(from.family, deposit.address)) {
    throw new BridgeQuoteUnusable({ details: { reason: 'deposit_address' } });
  }
  return quote;
}
