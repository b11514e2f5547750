import { CODES_OF } from '@sotto/facts';
import {
  UNLIMITED_BUDGET,
  UNNAMED_CALLER,
  unspendableReason,
  type Caller,
  type Clock,
  type DomainError,
  type Felt,
  type UnspendableReason,
  type UpstreamBudget,
} from '@sotto/kernel';
import { isAddress, starknetAddress } from '../domain/address.js';
import { parseAmount } from '../domain/amount.js';
import {
  BRIDGE_CHAINS,
  STRK,
  assetsOf,
  type BridgeAsset,
  type BridgeChain,
} from '../domain/catalogue.js';
import { isSameTerms, type QuotedTerms } from '../domain/quoted-terms.js';
import type {
  DepositInstructions,
  TransferQuote,
  TransferRequest,
} from '../domain/transfer-quote.js';
import { UNSEEN } from '../domain/transfer.js';
import {
  AmountInvalid,
  AmountTooLow,
  BridgeQuoteUnusable,
  BridgeRecipientInvalid,
  BridgeRecipientUnspendable,
  ChainNotSupported,
  NoBridgeRoute,
  RefundAddressInvalid,
  RouteNotSupported,
  TokenNotSupported,
} from '../errors.js';
import type { BridgeProtocol, QuoteRejection } from '../ports/bridge-protocol.port.js';
import type { TransferStore } from '../ports/transfer-store.port.js';

/** A transfer as requested by the caller. */
export interface QuoteTransferInput {
  readonly fromChain: string;
  readonly fromToken: string;
  readonly toChain: string;
  readonly toToken: string;
  /** Amount in the source token's smallest unit, as decimal digits. */
  readonly amount: string;
  /**
   * True for an estimate, which has no effect. False for a real quote, which includes a deposit
   * address.
   */
  readonly dryRun: boolean;
  /** Recipient address on the destination chain. Required unless `dryRun` is true. */
  readonly recipient?: string | undefined;
  /**
   * Refund address on the source chain. Some protocols require a refund address unless `dryRun` is
   * true.
   */
  readonly refundTo?: string | undefined;
  /** @default a single caller that represents all requests without a caller */
  readonly caller?: Caller;
}

/**
 * Returns the value of an amount of one asset in the smallest unit of another asset, at market
 * prices; null if the value is unknown. A missing price never rejects the promise.
 */
export type MarketValue = (
  from: BridgeAsset,
  amount: bigint,
  to: BridgeAsset,
) => Promise<bigint | null>;

export interface QuoteTransferOptions {
  /** Limits the requests to the protocol that each caller may cause. @default no limit */
  readonly budget?: Pick<UpstreamBudget, 'spend'>;
  readonly chains?: readonly BridgeChain[];
  /**
   * Starknet contracts that can receive funds but can't transfer them. These addresses are rejected
   * as recipients. @default none
   */
  readonly contracts?: readonly Felt[];
  /**
   * Market value for a comparison with each quote; a quote far from the market value is rejected.
   * @default no comparison, because every value is unknown
   */
  readonly marketValue?: MarketValue;
}

/**
 * Maximum ratio between a quote and the market value, in either direction. A quote beyond this
 * ratio probably uses a different unit. A narrower limit would reject small transfers with large
 * fees.
 */
const MAX_MARKET_FACTOR = 10n;

/**
 * Quotes the terms of a transfer between Starknet and another chain. A real quote includes the
 * deposit address.
 */
export class QuoteTransfer {
  /** Error codes of the bridge quote route. */
  static readonly throws = CODES_OF.bridgeQuote;

  readonly #budget: Pick<UpstreamBudget, 'spend'>;
  readonly #chains: readonly BridgeChain[];
  readonly #contracts: ReadonlySet<Felt>;
  readonly #marketValue: MarketValue;

  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly store: Pick<TransferStore, 'update'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    {
      budget = UNLIMITED_BUDGET,
      chains = BRIDGE_CHAINS,
      contracts = [],
      marketValue = async () => null,
    }: QuoteTransferOptions = {},
  ) {
    this.#budget = budget;
    this.#chains = chains;
    this.#contracts = new Set(contracts);
    this.#marketValue = marketValue;
  }

  /**
   * Quotes a transfer. The terms of a real transfer are stored before they are returned, because
   * the transfer's outcome is compared with the stored terms.
   * @throws ChainNotSupported, TokenNotSupported, RouteNotSupported, AmountInvalid,
   *   BridgeRecipientInvalid, BridgeRecipientUnspendable or RefundAddressInvalid before any request
   * @throws Overloaded if the caller's request budget is used up
   * @throws NoBridgeRoute, AmountTooLow, BridgeRecipientInvalid or RefundAddressInvalid if the
   *   protocol refuses
   * @throws BridgeQuoteUnusable if the protocol's quote is unsafe
   * @throws the error of the protocol's adapter or of the store
   */
  async execute(input: QuoteTransferInput): Promise<TransferQuote> {
    const request = this.#parse(input);
    this.#budget.spend(input.caller ?? UNNAMED_CALLER);
    const { from, to, amount } = request;
    const [answer, value] = await Promise.all([
      this.protocol.quote(request),
      this.#marketValue(from, amount, to),
    ]);
    if (answer.kind === 'quoted') return this.#accept(answer.quote, request, value);
    throw errorOf(answer, input);
  }

  async #accept(
    quote: TransferQuote,
    request: TransferRequest,
    value: bigint | null,
  ): Promise<TransferQuote> {
    const nowMs = this.clock.nowMs();
    checkQuote(quote, request, { value, nowSeconds: Math.floor(nowMs / 1_000) });
    if (quote.deposit === null || request.dryRun) return quote;
    const terms = termsOf(request, quote.estimatedOutput, quote.deposit);
    const stored = await this.store.update(quote.deposit.transactionId, nowMs, (known) =>
      known === null || known.terms === null ? { ...(known ?? UNSEEN), terms } : known,
    );
    // If two transfers had the same id, the funds of both would go to one recipient.
    if (stored.terms === null || !isSameTerms(stored.terms, terms))
      throw new BridgeQuoteUnusable({ details: { reason: 'transaction_id' } });
    return quote;
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

    const unspendable = to.family === 'starknet' ? this.#unspendable(recipient) : null;
    if (unspendable !== null)
      throw new BridgeRecipientUnspendable({ details: { reason: unspendable } });
    if (recipient !== undefined && !isAddress(to.family, recipient))
      throw new BridgeRecipientInvalid({ details: { reason: 'format' } });
    if (refundTo !== undefined && !isAddress(from.family, refundTo))
      throw new RefundAddressInvalid({ details: { reason: 'format' } });
    const lost = from.family === 'starknet' ? this.#unspendable(refundTo) : null;
    if (lost !== null) throw new RefundAddressInvalid({ details: { reason: lost } });
    const terms = { from, to, amount, refundTo: refundTo ?? null };
    if (dryRun) return { ...terms, dryRun, recipient: recipient ?? null };
    if (recipient === undefined)
      throw new BridgeRecipientInvalid({ details: { reason: 'missing' } });
    return { ...terms, dryRun, recipient };
  }

  /**
   * Returns the reason why a Starknet address can't spend funds; null for a spendable address and
   * for text that is not an address.
   */
  #unspendable(text: string | undefined): UnspendableReason | null {
    const address = text === undefined ? undefined : starknetAddress(text);
    return address === undefined ? null : unspendableReason(address, this.#contracts);
  }

  #asset(chainId: string, symbol: string, end: 'from' | 'to'): BridgeAsset {
    const assets =
      chainId === STRK.chain
        ? [STRK]
        : this.#chains.filter(({ id }) => id === chainId).flatMap(assetsOf);
    if (assets.length === 0) {
      const chains = [STRK.chain, ...this.#chains.map(({ id }) => id)].join(', ');
      throw new ChainNotSupported({ details: { end, chains } });
    }
    const asset = assets.find((candidate) => candidate.symbol === symbol);
    if (asset === undefined) throw new TokenNotSupported({ details: { end } });
    return asset;
  }

  /**
   * Returns true if exactly one of the two assets is on Starknet and the chain of the other asset
   * allows the transfer's direction.
   */
  #isServed(from: BridgeAsset, to: BridgeAsset): boolean {
    if (from.chain === to.chain) return false;
    const [other, direction] =
      to.chain === STRK.chain ? [from, 'in' as const] : [to, 'out' as const];
    if (direction === 'out' && from.chain !== STRK.chain) return false;
    return this.#chains.some(
      ({ id, directions }) => id === other.chain && directions.includes(direction),
    );
  }
}

function errorOf(rejection: QuoteRejection, { refundTo }: QuoteTransferInput): DomainError {
  const text = rejection.text === undefined ? {} : { text: rejection.text };
  switch (rejection.kind) {
    case 'no_route':
      return new NoBridgeRoute({ details: text });
    case 'amount_too_low': {
      const { minimum } = rejection;
      return new AmountTooLow({
        details: { ...(minimum !== null && { minimum: minimum.toString() }), ...text },
      });
    }
    case 'recipient_refused':
      return new BridgeRecipientInvalid({ details: { reason: 'refused', ...text } });
    case 'refund_address_needed':
      return new RefundAddressInvalid({
        details: { reason: refundTo === undefined ? 'missing' : 'refused', ...text },
      });
  }
}

/**
 * Compares the protocol's quote with the request, because the caller sends funds to the quote's
 * deposit address.
 * @throws BridgeQuoteUnusable
 */
function checkQuote(
  { deposit, estimatedOutput }: TransferQuote,
  { dryRun, from }: TransferRequest,
  { value, nowSeconds }: { readonly value: bigint | null; readonly nowSeconds: number },
): void {
  if (estimatedOutput <= 0n) throw new BridgeQuoteUnusable({ details: { reason: 'no_output' } });
  if (value !== null && value > 0n && isFarFrom(value, estimatedOutput))
    throw new BridgeQuoteUnusable({ details: { reason: 'market_value' } });
  if (dryRun !== (deposit === null))
    throw new BridgeQuoteUnusable({ details: { reason: 'deposit' } });
  if (deposit === null) return;
  if (!isAddress(from.family, deposit.address))
    throw new BridgeQuoteUnusable({ details: { reason: 'deposit_address' } });
  if (deposit.deadlineSeconds !== null && deposit.deadlineSeconds <= nowSeconds)
    throw new BridgeQuoteUnusable({ details: { reason: 'expired' } });
}

function isFarFrom(value: bigint, output: bigint): boolean {
  return output > MAX_MARKET_FACTOR * value || MAX_MARKET_FACTOR * output < value;
}

function termsOf(
  { from, to, amount, recipient }: TransferRequest & { readonly dryRun: false },
  estimatedOutput: bigint,
  { address, memo, deadlineSeconds }: DepositInstructions,
): QuotedTerms {
  return {
    from,
    to,
    amount,
    estimatedOutput,
    recipient,
    depositAddress: address,
    depositMemo: memo,
    deadlineSeconds,
  };
}
