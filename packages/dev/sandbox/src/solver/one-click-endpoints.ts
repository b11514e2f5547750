import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../http/server.js';
import type { Json } from '../json.js';
import { SOLVER_ASSETS, tokensText, type SolverAsset } from './assets.js';
import type { Solver } from './solver.js';
import type { SolverTransfer, TransferOrder } from './transfer.js';

/**
 * Body of a quote request with the fields that 1Click requires. Fields that the solver does not use
 * are only validated.
 */
const QuoteBody = z.looseObject({
  dry: z.boolean(),
  swapType: z.literal('EXACT_INPUT'),
  slippageTolerance: z.int().min(0).max(10_000),
  originAsset: z.string(),
  depositType: z.literal('ORIGIN_CHAIN'),
  destinationAsset: z.string(),
  amount: z.string().regex(/^[1-9][0-9]{0,77}$/),
  refundTo: z.string().min(1),
  refundType: z.literal('ORIGIN_CHAIN'),
  recipient: z.string().min(1),
  recipientType: z.literal('DESTINATION_CHAIN'),
  deadline: z.iso.datetime(),
});

/** Value of 100 % in the unit of the slippage tolerance. */
const BPS = 10_000n;

/** Handles `GET /v0/tokens`. */
export function answerTokens(solver: Solver): Answer {
  const priceUpdatedAt = new Date(solver.nowMs()).toISOString();
  return {
    status: 200,
    body: SOLVER_ASSETS.map(({ assetId, decimals, blockchain, listedSymbol, usdE4 }) => ({
      assetId,
      decimals,
      blockchain,
      symbol: listedSymbol,
      price: Number(usdE4) / 10_000,
      priceUpdatedAt,
    })),
  };
}

/** Handles `POST /v0/quote`. */
export function answerOneClickQuote(solver: Solver, body: unknown): Answer {
  const parsed = QuoteBody.safeParse(body);
  if (!parsed.success) return refuseOneClick(400, z.prettifyError(parsed.error));
  const { data: request } = parsed;
  const from = assetOf(request.originAsset);
  if (from === undefined) return refuseOneClick(400, 'tokenIn is not valid');
  const to = assetOf(request.destinationAsset);
  if (to === undefined) return refuseOneClick(400, 'tokenOut is not valid');
  const amount = BigInt(request.amount);
  const minimum = solver.minimumOf(from);
  if (amount < minimum)
    return refuseOneClick(400, `Amount is too low for bridge, try at least ${minimum}`);

  const output = solver.outputOf(from, to, amount);
  const terms = { from, to, amount, output, request };
  const order = request.dry ? undefined : solver.open(terms);
  return { status: 201, body: renderQuote(solver, terms, order) };
}

/**
 * Handles `GET /v0/status?depositAddress=`. @param word status text that replaces the true status
 */
export function answerOneClickStatus(
  solver: Solver,
  query: URLSearchParams,
  word?: string,
): Answer {
  const transfer = solver.find(query.get('depositAddress') ?? '');
  if (transfer === undefined) return refuseOneClick(404, 'Deposit address not found');
  const { order, completions, deposit, isCompleted, refundedAtMs } = transfer;
  const { from, to, amount, output } = order;
  const last = completions.at(-1);
  return {
    status: 200,
    body: {
      correlationId: randomUUID(),
      quoteResponse: renderQuote(solver, order, order),
      status: word ?? wordOf(transfer),
      updatedAt: new Date(
        refundedAtMs ?? last?.atMs ?? deposit?.atMs ?? solver.nowMs(),
      ).toISOString(),
      swapDetails: {
        intentHashes: [],
        nearTxHashes: [],
        ...(isCompleted && {
          amountIn: amount.toString(),
          amountInFormatted: tokensText(amount, from.decimals),
          amountOut: output.toString(),
          amountOutFormatted: tokensText(output, to.decimals),
        }),
        originChainTxHashes:
          deposit === undefined
            ? []
            : [{ hash: deposit.txHash, explorerUrl: `https://example.com/${deposit.txHash}` }],
        destinationChainTxHashes:
          isCompleted && last !== undefined
            ? [{ hash: last.txHash, explorerUrl: `https://example.com/${last.txHash}` }]
            : [],
        ...(deposit !== undefined && {
          depositedAmount: deposit.amount.toString(),
          depositedAmountFormatted: tokensText(deposit.amount, from.decimals),
        }),
        ...(refundedAtMs !== undefined && {
          refundedAmount: (deposit?.amount ?? 0n).toString(),
          refundReason: 'SANDBOX',
        }),
      },
    },
  };
}

/** Returns an error response in 1Click's format. */
export function refuseOneClick(status: number, message: string): Answer {
  return { status, body: { message, statusCode: status } };
}

function wordOf({
  deposit,
  completions,
  isCompleted,
  isIncomplete,
  failedAtMs,
  refundedAtMs,
}: SolverTransfer): string {
  if (refundedAtMs !== undefined) return 'REFUNDED';
  if (failedAtMs !== undefined) return 'FAILED';
  if (isCompleted) return 'SUCCESS';
  if (deposit === undefined) return 'PENDING_DEPOSIT';
  if (isIncomplete) return 'INCOMPLETE_DEPOSIT';
  return completions.length === 0 ? 'KNOWN_DEPOSIT_TX' : 'PROCESSING';
}

function renderQuote(
  solver: Solver,
  {
    from,
    to,
    amount,
    output,
    request,
  }: Pick<TransferOrder, 'from' | 'to' | 'amount' | 'output' | 'request'>,
  order: TransferOrder | undefined,
): Json {
  return {
    correlationId: randomUUID(),
    timestamp: new Date(solver.nowMs()).toISOString(),
    signature: 'ed25519:sandbox',
    quoteRequest: z.record(z.string(), z.json()).parse(request),
    quote: {
      amountIn: amount.toString(),
      amountInFormatted: tokensText(amount, from.decimals),
      amountInUsd: usdText(amount, from),
      minAmountIn: amount.toString(),
      amountOut: output.toString(),
      amountOutFormatted: tokensText(output, to.decimals),
      amountOutUsd: usdText(output, to),
      minAmountOut: ((output * (BPS - 100n)) / BPS).toString(),
      timeEstimate: 10,
      ...(order !== undefined && {
        depositAddress: order.depositAddress,
        deadline: new Date(order.deadlineMs).toISOString(),
        timeWhenInactive: new Date(order.deadlineMs).toISOString(),
      }),
    },
  };
}

function usdText(units: bigint, { usdE4, decimals }: SolverAsset): string {
  return tokensText((units * usdE4) / 10n ** BigInt(decimals), 4);
}

function assetOf(assetId: string): SolverAsset | undefined {
  return SOLVER_ASSETS.find((asset) => asset.assetId === assetId);
}
