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
import type { BridgeProtocol, QuoteRefusal } from '../ports/bridge-protocol.port.js';
import type { TransferStore } from '../ports/transfer-store.port.js';

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

/**
 * Market value of an amount, in the smallest unit of another token; null if it is not known. Never
 * rejects for want of a price.
 */
export type MarketValue = (
  from: BridgeAsset,
  amount: bigint,
  to: BridgeAsset,
) => Promise<bigint | null>;

export interface QuoteTransferOptions {
  /** Bounds the requests that callers cause. @default none */
  readonly budget?: Pick<UpstreamBudget, 'spend'>;
  readonly chains?: readonly BridgeChain[];
  /** Starknet contracts that cannot give back what they are paid. @default none */
  readonly contracts?: readonly Felt[];
  /** Quotes far from this value are not passed on. @default no value is known */
  readonly marketValue?: MarketValue;
}

/**
 * A quote of more than this many times the market value, or less than this part of it, is in
 * another unit than the protocol's. Narrower bounds would refuse small transfers with large fees.
 */
const MAX_MARKET_FACTOR = 10n;

/** Terms of a transfer between Starknet and another chain, and where its funds shall be sent. */
export class QuoteTransfer {
  /** Codes of the route that it stands behind. */
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
   * The terms of a real transfer are stored before they are returned: its outcome is compared with
   * them.
   * @throws ChainNotSupported, TokenNotSupported, RouteNotSupported, AmountInvalid,
   *   BridgeRecipientInvalid, BridgeRecipientUnspendable or RefundAddressInvalid before anybody is
   *   asked; Overloaded if the caller may cause no request now; NoBridgeRoute, AmountTooLow,
   *   BridgeRecipientInvalid or RefundAddressInvalid as the protocol answers; BridgeQuoteUnusable
   *   when its answer must not be passed on; errors of the protocol's adapter and of the store
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
    // One id for two transfers would send the funds of both to one recipient.
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

  /** Null for a Starknet address that can give money back, and for what is no address. */
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

  /** One end is Starknet, and the other allows the direction. */
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

function errorOf(refusal: QuoteRefusal, { refundTo }: QuoteTransferInput): DomainError {
  const text = refusal.text === undefined ? {} : { text: refusal.text };
  switch (refusal.kind) {
    case 'no_route':
      return new NoBridgeRoute({ details: text });
    case 'amount_too_low': {
      const { minimum } = refusal;
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
 * Funds are sent to what is answered here, so whatever a protocol says is held against what was
 * asked.
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
