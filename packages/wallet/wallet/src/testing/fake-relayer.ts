import { getStarkKey, sign } from '@scure/starknet';

import type { Relayer } from '../relayers/relayers.js';
import { feeQuoteMessage } from '../signed/fee-quote.js';
import { sleep } from '../journeys/sleep.js';
import { digestOf, statusMessage } from '../signed/service-status.js';
import { messageHash } from '../signed/snip-12.js';
import type { SignedMessage } from '../signed/stark-signature.js';
import type { FakeChain, FakeTransaction } from './fake-chain.js';
import { readFakeProof, type FakeStatement } from './fake-prover.js';

/**
 * Function that returns a fault to replace the response to a path; undefined for a normal response.
 */
export type FakeFault = (path: string) =>
  | undefined
  /** The request never arrives. */
  | 'lost'
  /** The request is executed, but the answer is lost. */
  | 'unanswered'
  /** A failure with this code and status. */
  | { readonly code: string; readonly retry: string; readonly status: number };

/** Failed check of a dry run. */
export interface FakeCheckFailure {
  readonly code: string;
  readonly retry: string;
  /** Unix time in seconds. */
  readonly retryAt?: number;
}

interface FakeSubmission {
  readonly id: string;
  readonly key: string;
  readonly effect: string;
  readonly transaction: FakeTransaction;
  /** Code of the rejection; null if the request is on chain. */
  readonly code: string | null;
}

export interface FakeRelayerOptions {
  readonly baseUrl?: string;
  /** Private key of the signer as 0x hex. */
  readonly privateKey?: string;
  /** 0x hex address that receives the fees. */
  readonly feeAddress?: string;
  /** Fee in the smallest unit of the pool's ERC-20 token. */
  readonly fee?: bigint;
}

const SIGNER = '0x5e1a7e2';
const NOTHING: FakeTransaction = {
  hash: '0x0',
  isReverted: false,
  includedAtMs: Infinity,
  acceptedAtMs: Infinity,
};
const QUOTE_MS = 60_000;
const LEAF = /^\/api\/relayer\/submissions\/([\w-]+)$/;

/**
 * Fake relayer in this process, which uses a {@link FakeChain}. Signs quotes and status, creates
 * one submission per note and commitment, and simulates the configured faults. Pass `relayer` to a
 * journey.
 */
export class FakeRelayer {
  readonly relayer: Relayer;
  fee: bigint;
  isAccepting = true;
  hasCapacity = true;
  /**
   * Code with which submissions are rejected; null for no rejection. While a code is set, each
   * request is accepted, and its submission is then rejected with this code.
   */
  refuses: string | null = null;
  /** False for a relayer of an earlier release, which rejects the parameter `wait`. */
  acceptsWait = true;
  /** Faults to simulate. @default no faults */
  fault: FakeFault = () => undefined;
  /** Received requests, each as method and path, for example `POST /api/relayer/withdraw`. */
  readonly requests: string[] = [];
  readonly #chain: FakeChain;
  readonly #privateKey: string;
  readonly #feeAddress: string;
  readonly #submissions: FakeSubmission[] = [];
  readonly #quotes = new Map<string, { readonly fee: bigint; readonly expiresAtMs: number }>();

  constructor(
    chain: FakeChain,
    {
      baseUrl = 'https://relayer.example',
      privateKey = '0x1234567890abcdef1234567890abcdef',
      feeAddress = '0xfee',
      fee = 26n,
    }: FakeRelayerOptions = {},
  ) {
    this.#chain = chain;
    this.#privateKey = privateKey;
    this.#feeAddress = feeAddress;
    this.fee = fee;
    this.relayer = {
      baseUrl,
      signerKey: getStarkKey(privateKey),
      fetch: (request) => this.#fetch(request),
    };
  }

  /** Returns the reply of `POST /api/relayer/quote`. */
  quote() {
    const quoteId = `quote-${this.#quotes.size}`;
    const expiresAt = Math.floor((Date.now() + QUOTE_MS) / 1_000);
    this.#quotes.set(quoteId, { fee: this.fee, expiresAtMs: expiresAt * 1_000 });
    const terms = {
      quoteId,
      chainId: this.#chain.chainId,
      pool: this.#chain.pool,
      relayer: this.#feeAddress,
      fee: String(this.fee),
      expiresAt,
    };
    return { ...terms, ...this.#sign(feeQuoteMessage(terms)) };
  }

  async #fetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const { pathname, searchParams } = new URL(request.url);
    const fault = this.fault(pathname);
    if (fault === 'lost') throw new TypeError('fetch failed');
    this.requests.push(`${request.method} ${pathname}`);
    if (searchParams.has('wait') && !this.acceptsWait)
      return failure(400, 'INVALID_REQUEST', 'never');
    const waitMs = this.#waitMs(pathname, searchParams);
    if (waitMs > 0) await sleep(waitMs, request.signal);
    if (typeof fault === 'object') return failure(fault.status, fault.code, fault.retry);
    const body: unknown = request.method === 'POST' ? await request.json() : undefined;
    const answer = await this.#answer(path, Object(body));
    if (fault === 'unanswered') throw new TypeError('fetch failed');
    return answer;
  }

  async #answer(path: string, body: Readonly<Record<string, unknown>>): Promise<Response> {
    switch (path) {
      case '/status':
        return this.#status();
      case '/api/relayer/quote':
        return Response.json(this.quote());
      case '/api/relayer/withdraw':
        return this.#withdraw(readFakeProof(felts(body['calldata'])), String(body['quoteId']));
      case '/api/relayer/deposit':
        return this.#deposit(body);
      case '/api/relayer/deposit?dryRun=true':
        return this.hasDepositDryRun
          ? this.#depositReport(body)
          : failure(400, 'INVALID_REQUEST', 'never');
      case '/api/relayer/submissions/lookup':
        return this.#lookUp(readFakeProof(felts(body['calldata'])));
      default: {
        const submission = this.#submissionAt(path);
        return submission === undefined
          ? failure(404, 'SUBMISSION_NOT_FOUND', 'never')
          : this.#shown(submission);
      }
    }
  }

  /** Returns the time for which the reply is delayed, in ms. */
  #waitMs(path: string, query: URLSearchParams): number {
    const { transaction } = this.#submissionAt(path) ?? {};
    const wait = query.get('wait');
    if (wait === null || transaction === undefined) return 0;
    const { includedAtMs, acceptedAtMs } = transaction;
    const dueMs = query.get('until') === 'accepted' ? acceptedAtMs : includedAtMs;
    return Math.min(Number(wait) * 1_000, Math.max(dueMs - Date.now(), 0));
  }

  #submissionAt(path: string): FakeSubmission | undefined {
    const id = LEAF.exec(path)?.[1];
    return this.#submissions.find((one) => one.id === id);
  }

  async #status(): Promise<Response> {
    const asOf = Math.floor(Date.now() / 1_000);
    const status = {
      version: 1,
      chainId: this.#chain.chainId,
      relayer: this.#feeAddress,
      issuedAt: asOf,
      build: { version: 'fake', commit: 'unknown' },
      pools: [
        {
          key: 'fake',
          address: this.#chain.pool,
          token: 'WBTC',
          fee: { value: String(this.fee), asOf },
          accepting: { value: this.isAccepting, asOf },
          pausedFor: null,
          reason: null,
        },
      ],
      capacity: { value: this.hasCapacity, asOf },
      success: { percent: null, windowSeconds: 86_400, asOf },
      inclusion: { p50Seconds: null, p95Seconds: null, windowSeconds: 86_400, asOf },
    };
    const message = statusMessage(status, await digestOf(status));
    return Response.json({ status, ...this.#sign(message) });
  }

  #withdraw(statement: FakeStatement, quoteId: string): Response {
    const { nullifierHash, recipient, relayer, fee } = statement;
    const key = `withdraw|${nullifierHash}`;
    const effect = [key, recipient, relayer, fee].join('|');
    const standing = this.#standing(key, effect);
    if (standing !== undefined) return standing;
    if (relayer !== BigInt(this.#feeAddress)) return failure(422, 'RELAYER_MISMATCH', 'new-proof');
    const quote = this.#quotes.get(quoteId);
    if (quote === undefined) return failure(422, 'QUOTE_UNKNOWN', 'new-quote');
    if (quote.expiresAtMs <= Date.now()) return failure(422, 'QUOTE_EXPIRED', 'new-quote');
    if (fee < quote.fee) return failure(422, 'FEE_TOO_LOW', 'new-quote');
    const spending = this.#chain.spending(nullifierHash);
    if (spending !== undefined)
      return failure(409, 'NULLIFIER_SPENT', 'never', { transactionHash: spending.hash });
    return this.#begin(key, effect, () => this.#chain.withdraw(nullifierHash, recipient));
  }

  #deposit(body: Readonly<Record<string, unknown>>): Response {
    const commitment = BigInt(String(body['commitment']));
    const key = `deposit|${commitment}`;
    const effect = `${key}|${String(body['depositor'])}`;
    const standing = this.#standing(key, effect);
    if (standing !== undefined) return standing;
    if (Number(body['expiresAt']) * 1_000 <= Date.now())
      return failure(422, 'DEPOSIT_EXPIRED', 'never');
    if (this.#chain.depositOf(commitment) !== undefined)
      return failure(409, 'DEPOSIT_EXISTS', 'never');
    const depositor = String(body['depositor']);
    if (felts(body['signature']).length !== 2)
      return failure(422, 'DEPOSIT_SIGNATURE_INVALID', 'never');
    if (this.#chain.allowanceOf(depositor) < this.#chain.denomination)
      return failure(422, 'DEPOSIT_ALLOWANCE_TOO_LOW', 'later');
    return this.#begin(key, effect, () => this.#chain.deposit(commitment, depositor));
  }

  #depositReport({ commitment, depositor }: Readonly<Record<string, unknown>>): Response {
    const exists = this.#chain.depositOf(BigInt(String(commitment))) !== undefined;
    const isApproved = this.#chain.allowanceOf(String(depositor)) >= this.#chain.denomination;
    const failures: readonly FakeCheckFailure[] = [
      ...(exists ? [{ code: 'DEPOSIT_EXISTS', retry: 'never' }] : []),
      ...(isApproved ? [] : [{ code: 'DEPOSIT_ALLOWANCE_TOO_LOW', retry: 'later' }]),
      ...this.depositFailures,
    ];
    const checks = failures.map((check) => ({
      check: check.code.toLowerCase(),
      status: 'failed',
      detail: `The fake relayer reports ${check.code}.`,
      ...check,
    }));
    return Response.json({ admissible: checks.length === 0, checks });
  }

  #standing(key: string, effect: string): Response | undefined {
    const last = this.#submissions.findLast((one) => one.key === key && one.code === null);
    if (last === undefined || last.transaction.isReverted) return undefined;
    if (last.effect === effect) return this.#accepted(last);
    if (key.startsWith('deposit|')) return failure(409, 'DEPOSIT_IN_PROGRESS', 'never');
    return last.transaction.acceptedAtMs <= Date.now()
      ? failure(409, 'NULLIFIER_SPENT', 'never', { transactionHash: last.transaction.hash })
      : failure(409, 'WITHDRAWAL_IN_PROGRESS', 'later');
  }

  #begin(key: string, effect: string, send: () => FakeTransaction): Response {
    const id = `submission-${this.relayer.signerKey.slice(-4)}-${this.#submissions.length}`;
    const code = this.refuses;
    const submission = { id, key, effect, code, transaction: code === null ? send() : NOTHING };
    this.#submissions.push(submission);
    return this.#accepted(submission);
  }

  #lookUp({ nullifierHash }: FakeStatement): Response {
    const found = this.#submissions.findLast(({ key }) => key === `withdraw|${nullifierHash}`);
    return found === undefined ? failure(404, 'WITHDRAWAL_NOT_FOUND', 'never') : this.#shown(found);
  }

  #accepted({ id, transaction }: FakeSubmission): Response {
    const isDone = transaction.acceptedAtMs <= Date.now();
    const status = transaction.isReverted ? 'REVERTED' : 'SUCCEEDED';
    return Response.json(
      {
        transaction_hash: transaction.hash,
        execution_status: isDone ? status : 'UNKNOWN',
        revert_reason: null,
      },
      { status: isDone ? 200 : 202, headers: { location: `/api/relayer/submissions/${id}` } },
    );
  }

  #shown({ id, key, transaction, code }: FakeSubmission): Response {
    const { hash, isReverted, includedAtMs, acceptedAtMs } = transaction;
    const nowMs = Date.now();
    const isIncluded = includedAtMs <= nowMs;
    const isAccepted = acceptedAtMs <= nowMs;
    const outcome = isReverted ? 'reverted' : 'succeeded';
    const leafIndex = this.#chain.leaves.findIndex(
      ({ commitment }) => `deposit|${commitment}` === key,
    );
    const body = {
      id,
      attempt: 1,
      state: code === null ? (isAccepted ? outcome : 'broadcast') : 'refused',
      transaction_hash: code === null ? hash : null,
      execution_status: code === null ? (isIncluded ? outcome.toUpperCase() : 'UNKNOWN') : null,
      revert_reason: null,
      finality: isAccepted ? 'ACCEPTED_ON_L2' : isIncluded ? 'PRE_CONFIRMED' : null,
      ...(this.acceptsWait && { progress: progressOf(code, isIncluded, isAccepted) }),
      reorged: null,
      code,
      ...(key.startsWith('deposit|') && isIncluded ? { leafIndex, batch: null } : {}),
    };
    return Response.json(body, {
      headers: {
        location: `/api/relayer/submissions/${id}`,
        ...(isAccepted || code !== null ? {} : { 'retry-after': '1' }),
      },
    });
  }

  #sign({ chainId, struct }: SignedMessage): { signer: string; signature: string[] } {
    const hash = messageHash(struct, { chainId, signer: SIGNER }).toString(16).padStart(64, '0');
    const { r, s } = sign(hash, this.#privateKey);
    return { signer: SIGNER, signature: [r, s].map((part) => `0x${part.toString(16)}`) };
  }
}

function progressOf(code: string | null, isIncluded: boolean, isAccepted: boolean): string {
  if (code !== null) return 'settled';
  if (!isIncluded) return 'received';
  return isAccepted ? 'accepted' : 'preconfirmed';
}

function failure(
  status: number,
  code: string,
  retry: string,
  details?: Readonly<Record<string, unknown>>,
): Response {
  const error = `The fake relayer returns ${code}.`;
  const body = { error, code, retry, requestId: 'fake', ...(details && { details }) };
  return Response.json(body, { status });
}

function felts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
