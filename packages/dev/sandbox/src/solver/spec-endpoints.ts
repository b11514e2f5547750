import { z } from 'zod';
import type { Answer } from '../http/server.js';
import type { Json } from '../json.js';
import { SOLVER_ASSETS, tokensText, type SolverAsset } from './assets.js';
import type { Solver } from './solver.js';
import { SOLVER_STEPS, type SolverTransfer } from './transfer.js';

const QuoteBody = z.object({
  from_chain: z.string(),
  from_token: z.string(),
  to_chain: z.string(),
  to_token: z.string(),
  amount: z.string().regex(/^[1-9][0-9]{0,77}$/),
  dry_run: z.boolean(),
  recipient: z.string().min(1).optional(),
});

/** Handles `POST {bridge_url}/quote` of Sotto's specification. */
export function answerSpecQuote(solver: Solver, body: unknown): Answer {
  const parsed = QuoteBody.safeParse(body);
  if (!parsed.success) return refuseSpec(400, z.prettifyError(parsed.error));
  const {
    from_chain,
    from_token,
    to_chain,
    to_token,
    amount: amountText,
    dry_run,
    recipient,
  } = parsed.data;
  const from = assetOf(from_chain, from_token);
  const to = assetOf(to_chain, to_token);
  if (from === undefined || to === undefined)
    return refuseSpec(400, 'No route between these tokens');
  if (!dry_run && recipient === undefined) return refuseSpec(400, 'recipient is not valid');
  const amount = BigInt(amountText);
  const minimum = solver.minimumOf(from);
  if (amount < minimum)
    return refuseSpec(400, `Amount is too low for bridge, try at least ${minimum}`);

  const output = solver.outputOf(from, to, amount);
  const order = dry_run ? undefined : solver.open({ from, to, amount, output, request: {} });
  return {
    status: 200,
    body: {
      ...(order !== undefined && {
        transaction_id: order.id,
        deposit_address: order.depositAddress,
      }),
      estimated_output: withUnit(output, to),
      route: [
        {
          step: 'swap',
          from: `${from.chain}:${from.symbol}`,
          to: `${from.chain}:USDC`,
          dex: 'sandbox-dex',
        },
        { step: 'bridge', from: `${from.chain}:USDC`, to: `${to.chain}:USDC` },
        {
          step: 'swap',
          from: `${to.chain}:USDC`,
          to: `${to.chain}:${to.symbol}`,
          dex: 'sandbox-dex',
        },
      ],
      fees: {
        bridge_fee: `${solver.settings.feeBps / 100}%`,
        gas_estimate: `0.0001 ${from.symbol}`,
        swap_fees: '0.1%',
      },
      estimated_time_seconds: 10,
    },
  };
}

/**
 * Handles `GET {bridge_url}/status?transaction_id=` of Sotto's specification.
 * @param word status text that replaces the true status
 */
export function answerSpecStatus(solver: Solver, query: URLSearchParams, word?: string): Answer {
  const transfer = solver.find(query.get('transaction_id') ?? '');
  if (transfer === undefined) return refuseSpec(404, 'Transaction not found');
  const { order, completions, isCompleted } = transfer;
  const last = completions.at(-1);
  return {
    status: 200,
    body: {
      transaction_id: order.id,
      status: word ?? wordOf(transfer),
      output_amount: isCompleted ? withUnit(order.output, order.to) : null,
      output_tx_hash: isCompleted && last !== undefined ? last.txHash : null,
      completion_time: isCompleted && last !== undefined ? Math.floor(last.atMs / 1_000) : null,
      ...(solver.settings.showSteps && word === undefined && { steps: stepsOf(transfer) }),
    },
  };
}

/** Returns an error response in the specification's format. */
export function refuseSpec(status: number, error: string): Answer {
  return { status, body: { error } };
}

function wordOf({ deposit, isCompleted, failedAtMs, refundedAtMs }: SolverTransfer): string {
  if (refundedAtMs !== undefined) return 'refunded';
  if (failedAtMs !== undefined) return 'failed';
  if (isCompleted) return 'completed';
  return deposit === undefined ? 'pending' : 'processing';
}

function stepsOf(transfer: SolverTransfer): Json {
  const { completions, deposit, failedAtMs } = transfer;
  return SOLVER_STEPS.map((step, index) => {
    const completion = completions[index];
    if (completion !== undefined) {
      return {
        step,
        status: 'completed',
        timestamp: Math.floor(completion.atMs / 1_000),
        tx_hash: completion.txHash,
      };
    }
    const isNext = index === completions.length;
    const status =
      isNext && failedAtMs !== undefined
        ? 'failed'
        : step === transfer.step
          ? 'processing'
          : 'pending';
    return {
      step,
      status,
      timestamp: null,
      ...(index === 0 && deposit !== undefined && { tx_hash: deposit.txHash }),
    };
  });
}

function assetOf(chain: string, symbol: string): SolverAsset | undefined {
  return SOLVER_ASSETS.find((asset) => asset.chain === chain && asset.symbol === symbol);
}

const withUnit = (units: bigint, { decimals, symbol }: SolverAsset): string =>
  `${tokensText(units, decimals)} ${symbol}`;
