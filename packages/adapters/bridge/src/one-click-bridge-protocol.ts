import type {
  BridgeProtocol,
  QuoteAnswer,
  TransferRequest,
  TransferStatusReport,
} from '@sotto/bridge-core';
import { parseJson, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { Cached, systemClock, type Clock } from '@sotto/kernel';
import { z } from 'zod';
import { classifyRefusal } from './classify-refusal.js';
import { assetIdOf } from './one-click-tokens.js';
import { Tokens } from './one-click.schemas.js';
import {
  oneClickQuoteBody,
  oneClickStatusParams,
  toOneClickQuote,
  toOneClickSighting,
  type AssetIds,
} from './translate-one-click.js';
import { NOT_FOUND, REFUSALS, connect, parseAs } from './upstream.js';

export interface OneClickSettings extends UpstreamSettings {
  /** Part of the output that may be lost, in basis points. @default 100 */
  readonly slippageBps?: number;
  /** How long a deposit is waited for. @default 3_600_000 */
  readonly depositWindowMs?: number;
  /** How long a list of tokens serves. @default 600_000 */
  readonly tokensTtlMs?: number;
}

type OneClickClock = Pick<Clock, 'nowMs' | 'monotonicMs'>;

/**
 * A solver with the wire of NEAR Intents' 1Click. It has no id of its own for transfers, so theirs
 * is the deposit address, with the memo where there is one; and it makes no real transfer without
 * an address for refunds.
 */
export class OneClickBridgeProtocol implements BridgeProtocol {
  readonly #http: Upstream;
  readonly #clock: OneClickClock;
  readonly #slippageBps: number;
  readonly #depositWindowMs: number;
  readonly #tokens: Cached<Tokens>;

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
    const asked = oneClickQuoteBody(request, assets, terms);
    // Only a dry run may be repeated: a real quote makes a deposit address each time.
    const { status, text } = await this.#http.postJson({
      path: 'v0/quote',
      body: asked,
      answers: REFUSALS,
      idempotent: request.dryRun,
    });
    const body = parseJson(text);
    if (REFUSALS.includes(status)) return classifyRefusal(status, body);
    return { kind: 'quoted', quote: toOneClickQuote(body, asked, request) };
  }

  async status(transactionId: string): Promise<TransferStatusReport | null> {
    const params = oneClickStatusParams(transactionId);
    if (params === null) return null;
    const { status, text } = await this.#http.get({
      path: 'v0/status',
      params: { ...params },
      answers: [NOT_FOUND],
    });
    const body = parseJson(text);
    if (status !== NOT_FOUND) return toOneClickSighting(body);
    // The page of a wrong address is a 404 as well, and says nothing of a transfer.
    parseAs(z.object({}), body);
    return null;
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }

  async #assetsOf({ from, to }: TransferRequest): Promise<AssetIds | undefined> {
    const tokens = await this.#tokens.get('', () => this.#fetchTokens());
    const origin = assetIdOf(tokens, from);
    const destination = assetIdOf(tokens, to);
    return origin === undefined || destination === undefined ? undefined : { origin, destination };
  }

  async #fetchTokens(): Promise<Tokens> {
    const { text } = await this.#http.get({ path: 'v0/tokens' });
    return parseAs(Tokens, parseJson(text));
  }
}
