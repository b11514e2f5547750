import type { PoolView } from '../pools/pool-view.js';
import type { Relayer } from '../relayers/relayers.js';
import { FakeChain, FakePool, type FakeTransaction } from './fake-chain.js';
import { readFakeProof } from './fake-prover.js';
import { FakeRelayer, type FakeFault, type FakeRelayerOptions } from './fake-relayer.js';

/** Swap pool on the fake chain: its leaves are the new notes of swaps. */
export class FakeSwapChain extends FakeChain {
  override readonly pool = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
}

/** Fake swap pool as a wallet reads it. */
export class FakeSwapPoolView extends FakePool {
  override readonly kind: PoolView['kind'] = 'swap';
}

/** Private swap that the relayer received. */
export interface FakeSwap {
  readonly id: string;
  readonly nullifierHash: bigint;
  readonly commitment: bigint;
  readonly outputToken: bigint;
  readonly minAmountOut: string;
  readonly transaction: FakeTransaction;
}

const SUBMISSION = /^\/api\/relayer\/submissions\/([\w-]+-\d+)$/;

/**
 * {@link FakeRelayer} that also swaps notes of one pool into notes of the swap pool, and withdraws
 * the new notes. Each note is swapped only once, with the terms of its first request.
 */
export class FakeSwapRelayer {
  readonly relayer: Relayer;
  /** Relayer of the pool whose notes are swapped. */
  readonly input: FakeRelayer;
  /** Relayer of the swap pool. */
  readonly output: FakeRelayer;
  /** Address of the output token (ERC-20) as 0x hex. */
  outputToken = '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7';
  /** While true, each arriving swap reverts, as if the price had changed. */
  isPriceMoving = false;
  /** Faults to simulate. @default no faults */
  fault: FakeFault = () => undefined;
  readonly swaps: FakeSwap[] = [];
  /** Number of received requests for private swaps, including requests without a response. */
  arrivals = 0;
  readonly #chain: FakeChain;
  readonly #swapChain: FakeSwapChain;
  readonly #quotes = new Map<string, { readonly fee: bigint; readonly expiresAtMs: number }>();

  constructor(chain: FakeChain, swapChain: FakeSwapChain, options: FakeRelayerOptions = {}) {
    this.#chain = chain;
    this.#swapChain = swapChain;
    this.input = new FakeRelayer(chain, options);
    this.output = new FakeRelayer(swapChain, options);
    for (const side of [this.input, this.output]) side.fault = (path) => this.fault(path);
    this.relayer = { ...this.input.relayer, fetch: (request) => this.#fetch(request) };
  }

  async #fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = request.method === 'POST' ? await request.clone().text() : '{}';
    const body: Readonly<Record<string, unknown>> = Object(JSON.parse(text));
    const answer = this.#ownAnswer(pathname, body);
    if (answer === undefined) {
      const isOutput = poolIn(body) === BigInt(this.#swapChain.pool);
      if (SUBMISSION.test(pathname)) {
        const response = await sent(this.output, request.clone());
        if (response.ok) return response;
      }
      return sent(isOutput ? this.output : this.input, request);
    }
    request.signal.throwIfAborted();
    const fault = this.fault(pathname);
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (pathname.endsWith('/private-swap')) this.arrivals += 1;
    if (typeof fault === 'object') return failure(fault.status, fault.code, fault.retry);
    const response = answer();
    if (fault === 'unanswered') throw new TypeError('fetch failed');
    return response;
  }

  #ownAnswer(path: string, body: Readonly<Record<string, unknown>>): (() => Response) | undefined {
    if (path === '/api/relayer/pools') return () => this.#pools();
    if (path === '/api/relayer/private-swap') return () => this.#swap(body);
    if (path === '/api/relayer/quote' && body['operation'] === 'private_swap')
      return () => this.#quote();
    const isInput = poolIn(body) === BigInt(this.#chain.pool);
    if (path === '/api/relayer/submissions/lookup' && isInput) {
      const { nullifierHash } = readFakeProof(felts(body['calldata']));
      const found = this.swaps.findLast((swap) => swap.nullifierHash === nullifierHash);
      return found === undefined ? undefined : () => shown(found, this.#swapChain);
    }
    const id = SUBMISSION.exec(path)?.[1];
    const swap = this.swaps.find((one) => one.id === id);
    return swap === undefined ? undefined : () => shown(swap, this.#swapChain);
  }

  #pools(): Response {
    return Response.json({
      chainId: this.#chain.chainId,
      relayer: '0xfee',
      pools: [],
      swapOutputs: null,
      privateSwap: {
        swapPool: this.#swapChain.pool,
        outputTokens: [{ symbol: 'ETH', address: this.outputToken, decimals: 18 }],
        defaultSlippage: 0.01,
        minSlippage: 0.001,
        maxSlippage: 0.15,
        maxPriceImpact: 0.03,
      },
    });
  }

  #quote(): Response {
    const quote = this.input.quote();
    const expiresAtMs = quote.expiresAt * 1_000;
    this.#quotes.set(quote.quoteId, { fee: BigInt(quote.fee), expiresAtMs });
    return Response.json({ ...quote, operation: 'private_swap' });
  }

  #swap(body: Readonly<Record<string, unknown>>): Response {
    const statement = readFakeProof(felts(body['proofCalldata']));
    const { nullifierHash } = statement;
    const commitment = BigInt(String(body['newCommitment']));
    const outputToken = BigInt(String(body['outputToken']));
    const last = this.swaps.findLast((swap) => swap.nullifierHash === nullifierHash);
    if (last !== undefined && (last.commitment !== commitment || last.outputToken !== outputToken))
      return failure(409, 'SWAP_PINNED', 'never');
    if (last !== undefined && !last.transaction.isReverted) return accepted(last);
    if (statement.recipient !== BigInt(this.#swapChain.pool))
      return failure(422, 'RECIPIENT_NOT_SWAP_POOL', 'new-proof');
    const quote = this.#quotes.get(String(body['quoteId']));
    if (quote === undefined) return failure(422, 'QUOTE_UNKNOWN', 'new-quote');
    if (quote.expiresAtMs <= Date.now()) return failure(422, 'QUOTE_EXPIRED', 'new-quote');
    if (statement.fee < quote.fee) return failure(422, 'FEE_TOO_LOW', 'new-quote');
    if (this.#chain.spending(nullifierHash) !== undefined)
      return failure(409, 'NULLIFIER_SPENT', 'never');
    const swap: FakeSwap = {
      id: `swap-${this.swaps.length}`,
      nullifierHash,
      commitment,
      outputToken,
      minAmountOut: String(body['minAmountOut']),
      transaction: this.isPriceMoving ? this.#revert() : this.#include(nullifierHash, commitment),
    };
    this.swaps.push(swap);
    return accepted(swap);
  }

  #include(nullifierHash: bigint, commitment: bigint): FakeTransaction {
    const transaction = this.#chain.withdraw(nullifierHash, BigInt(this.#swapChain.pool));
    this.#swapChain.leaves.push({ commitment, atMs: transaction.acceptedAtMs });
    return transaction;
  }

  #revert(): FakeTransaction {
    const nowMs = Date.now();
    const hash = `0xbad${this.swaps.length}`;
    const times = { includedAtMs: nowMs + 4_000, acceptedAtMs: nowMs + 8_000 };
    const transaction = { hash, isReverted: true, ...times };
    this.#chain.transactions.push(transaction);
    return transaction;
  }
}

function poolIn({ poolAddress }: Readonly<Record<string, unknown>>): bigint {
  return typeof poolAddress === 'string' ? BigInt(poolAddress) : 0n;
}

async function sent({ relayer: { fetch } }: FakeRelayer, request: Request): Promise<Response> {
  return fetch?.(request) ?? Response.error();
}

function accepted({ id, transaction: { hash } }: FakeSwap): Response {
  return Response.json(
    { transaction_hash: hash, execution_status: 'UNKNOWN', revert_reason: null },
    { status: 202, headers: { location: `/api/relayer/submissions/${id}` } },
  );
}

function shown({ id, commitment, transaction }: FakeSwap, { leaves }: FakeSwapChain): Response {
  const nowMs = Date.now();
  const isIncluded = transaction.includedAtMs <= nowMs;
  const isAccepted = transaction.acceptedAtMs <= nowMs;
  const outcome = transaction.isReverted ? 'reverted' : 'succeeded';
  const leafIndex = leaves.findIndex((leaf) => leaf.commitment === commitment);
  const body = {
    id,
    attempt: 1,
    state: isAccepted ? outcome : 'broadcast',
    transaction_hash: transaction.hash,
    execution_status: isIncluded ? outcome.toUpperCase() : 'UNKNOWN',
    revert_reason: null,
    finality: isAccepted ? 'ACCEPTED_ON_L2' : isIncluded ? 'PRE_CONFIRMED' : null,
    reorged: null,
    code: null,
    ...(isIncluded ? { leafIndex, outputAmount: '0x64' } : {}),
  };
  return Response.json(body, {
    headers: {
      location: `/api/relayer/submissions/${id}`,
      ...(isAccepted ? {} : { 'retry-after': '1' }),
    },
  });
}

function failure(status: number, code: string, retry: string): Response {
  const error = `The fake relayer returns ${code}.`;
  return Response.json({ error, code, retry, requestId: 'fake', leafIndex: -1 }, { status });
}

function felts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
