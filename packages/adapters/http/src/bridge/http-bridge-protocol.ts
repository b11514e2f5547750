import type {
  BridgeProtocol,
  QuoteAnswer,
  TransferRequest,
  TransferStatusReport,
} from '@sotto/bridge-core';
import { parseJson, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { z } from 'zod';
import { classifyRejection } from './classify-rejection.js';
import { quoteBody, toQuote, toReportedStatus } from './translate.js';
import { NOT_FOUND, REJECTIONS, connect, parseAs } from './upstream.js';

/** Client of the specification's bridge protocol over HTTP. */
export class HttpBridgeProtocol implements BridgeProtocol {
  readonly #http: Upstream;

  constructor(settings: UpstreamSettings) {
    this.#http = connect(settings);
  }

  async quote(request: TransferRequest): Promise<QuoteAnswer> {
    // Only a dry run may be repeated: each real quote creates a deposit address.
    const { status, text } = await this.#http.postJson({
      path: 'quote',
      body: quoteBody(request),
      answers: REJECTIONS,
      idempotent: request.dryRun,
    });
    const body = parseJson(text);
    if (REJECTIONS.includes(status)) return classifyRejection(this.#http, status, body);
    return { kind: 'quoted', quote: toQuote(body, request, this.#http.leaveOut) };
  }

  async status(transactionId: string): Promise<TransferStatusReport | null> {
    const params = { transaction_id: transactionId };
    const { status, text } = await this.#http.get({ path: 'status', params, answers: [NOT_FOUND] });
    const body = parseJson(text);
    if (status !== NOT_FOUND) return toReportedStatus(body, transactionId, this.#http.leaveOut);
    // A wrong base URL also returns a 404 page. So a 404 response that is not a JSON object proves
    // nothing about a transfer.
    parseAs(z.object({}), body);
    return null;
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
