import type {
  BridgeProtocol,
  QuoteAnswer,
  QuotedTerms,
  TransferRequest,
  TransferStatusReport,
} from '@sotto/bridge-core';
import { parseJson, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { Cached, DomainError, systemClock, type Clock } from '@sotto/kernel';
import { z } from 'zod';
import { classifyRejection } from './classify-rejection.js';
import { assetIdOf, unitOf } from './one-click-tokens.js';
import { OneClickStatus, Tokens, type Token } from './one-click.schemas.js';
import {
  checkOneClickTerms,
  oneClickQuoteBody,
  oneClickStatusParams,
  toOneClickQuote,
  toOneClickStatus,
  type AssetIds,
  type KnownAssets,
} from './translate-one-click.js';
import { NOT_FOUND, REJECTIONS, connect, parseAs } from './upstream.js';
import { countLeftOut } from './wire.js';

export interface OneClickSettings extends UpstreamSettings {
  /** Maximum slippage, in basis points of the output. @default 100 */
  readonly slippageBps?: number;
  /** Time within which the deposit must arrive, in milliseconds. @default 3_600_000 */
  readonly depositWindowMs?: number;
  /** Time for which the list of tokens is cached, in milliseconds. @default 600_000 */
  readonly tokensTtlMs?: number;
}

type OneClickClock = Pick<Clock, 'nowMs' | 'monotonicMs'>;

/**
 * Client of a solver with the HTTP interface of NEAR Intents' 1Click. 1Click has no transfer ids,
 * so the id is the deposit address, with the memo if there is one. A real transfer requires a
 * refund address.
 */
export class OneClickBridgeProtocol implements BridgeProtocol {
  readonly #http: Upstream;
  readonly #clock: OneClickClock;
  readonly #slippageBps: number;
  readonly #depositWindowMs: number;
  readonly #tokens: Cached<readonly Token[]>;

  constructor(settings: OneClickSettings, clock: OneClickClock = systemClock) {
    const {
      slippageBps = 100,
      depositWindowMs = 3_600_000,
      tokensTtlMs = 600_000,
      ...upstream
    } = settings;
    this.#http = connect(upstream);
    this.#clock = clock;
    this.#slippageBps = slippageBps;
    this.#depositWindowMs = depositWindowMs;
    this.#tokens = new Cached({ clock, freshMs: tokensTtlMs });
  }

  async quote(request: TransferRequest): Promise<QuoteAnswer> {
    if (!request.dryRun && request.refundTo === null) return { kind: 'refund_address_needed' };
    const assets = await this.#assetsOf(request);
    if (assets === undefined) return { kind: 'no_route' };

    const terms = {
      slippageBps: this.#slippageBps,
      deadlineMs: this.#clock.nowMs() + this.#depositWindowMs,
    };
    const requested = oneClickQuoteBody(request, assets, terms);
    // Only a dry run may be repeated: each real quote creates a deposit address.
    const { status, text } = await this.#http.postJson({
      path: 'v0/quote',
      body: requested,
      answers: REJECTIONS,
      idempotent: request.dryRun,
    });
    const body = parseJson(text);
    if (REJECTIONS.includes(status)) return classifyRejection(this.#http, status, body);
    return { kind: 'quoted', quote: toOneClickQuote(body, requested, request) };
  }

  async status(
    transactionId: string,
    terms: QuotedTerms | null,
  ): Promise<TransferStatusReport | null> {
    const params = oneClickStatusParams(transactionId);
    if (params === null) return null;
    const { status, text } = await this.#http.get({
      path: 'v0/status',
      params: { ...params },
      answers: [NOT_FOUND],
    });
    const body = parseJson(text);
    if (status !== NOT_FOUND) return this.#statusOf(parseAs(OneClickStatus, body), terms);
    // A wrong base URL also returns a 404 page. So a 404 response that is not a JSON object proves
    // nothing about a transfer.
    parseAs(z.object({}), body);
    return null;
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }

  async #statusOf(
    status: OneClickStatus,
    terms: QuotedTerms | null,
  ): Promise<TransferStatusReport> {
    if (terms !== null) checkOneClickTerms(status, terms);
    const { originChainTxHashes, destinationChainTxHashes } = status.swapDetails;
    countLeftOut(this.#http.leaveOut, 'originChainTxHashes', originChainTxHashes);
    countLeftOut(this.#http.leaveOut, 'destinationChainTxHashes', destinationChainTxHashes);
    return toOneClickStatus(status, terms ?? (await this.#echoedAssets(status)));
  }

  /**
   * Returns the units of both tokens for a transfer that this service did not quote, from the quote
   * in the status. If the token list is unavailable, the units remain unknown.
   */
  async #echoedAssets({ quoteResponse }: OneClickStatus): Promise<KnownAssets> {
    const { originAsset, destinationAsset } = quoteResponse?.quoteRequest ?? {};
    if (originAsset === undefined && destinationAsset === undefined)
      return { from: null, to: null };
    const tokens = await this.#tokens.get('', () => this.#fetchTokens()).catch(noTokens);
    return { from: unitOf(tokens, originAsset), to: unitOf(tokens, destinationAsset) };
  }

  async #assetsOf({ from, to }: TransferRequest): Promise<AssetIds | undefined> {
    const tokens = await this.#tokens.get('', () => this.#fetchTokens());
    const origin = assetIdOf(tokens, from);
    const destination = assetIdOf(tokens, to);
    return origin === undefined || destination === undefined ? undefined : { origin, destination };
  }

  async #fetchTokens(): Promise<readonly Token[]> {
    const { text } = await this.#http.get({ path: 'v0/tokens' });
    const { elements, leftOut } = parseAs(Tokens, parseJson(text));
    const unreadable = elements.filter(({ assetId }) => assetId === null).length;
    countLeftOut(this.#http.leaveOut, 'tokens', { leftOut: leftOut + unreadable });
    return elements;
  }
}

function noTokens(error: unknown): readonly Token[] {
  if (error instanceof DomainError) return [];
  throw error;
}
