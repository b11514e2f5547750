import {
  STEP_NAMES,
  parseTokens,
  type BridgeAsset,
  type DepositInstructions,
  type StepDetail,
  type StepName,
  type TransferQuote,
  type TransferRequest,
  type TransferStatusReport,
} from '@sotto/bridge-core';
import { Quote, Status } from './bridge-protocol.schemas.js';
import { progressOf } from './status-words.js';
import { malformedAt, parseAs } from './upstream.js';

const OUTPUT = /^[~≈]?\s*([0-9.]+)\s+(\S+)$/;

/** Body of a request for a quote. */
export function quoteBody({
  from,
  to,
  amount,
  dryRun,
  recipient,
}: TransferRequest): Readonly<Record<string, unknown>> {
  return {
    from_chain: from.chain,
    from_token: from.symbol,
    to_chain: to.chain,
    to_token: to.symbol,
    amount: amount.toString(),
    dry_run: dryRun,
    ...(recipient !== null && { recipient }),
  };
}

/** @throws BridgeMalformed */
export function toQuote(body: unknown, { to, dryRun }: TransferRequest): TransferQuote {
  const quote = parseAs(Quote, body);
  const { route, fees } = quote;
  return {
    estimatedOutput: outputOf(quote.estimated_output, to),
    route: route.map(({ dex, ...leg }) => ({ ...leg, dex: dex ?? null })),
    fees: {
      bridgeFee: fees.bridge_fee ?? null,
      gasEstimate: fees.gas_estimate ?? null,
      swapFees: fees.swap_fees ?? null,
    },
    durationSeconds: null,
    deposit: dryRun ? null : depositOf(quote),
  };
}

function outputOf(text: string, { symbol, decimals }: BridgeAsset): bigint {
  const [, tokens = '', unit] = OUTPUT.exec(text.trim()) ?? [];
  const output = unit === symbol ? parseTokens(tokens, decimals) : undefined;
  if (output === undefined) throw malformedAt('estimated_output');
  return output;
}

function depositOf({ transaction_id, deposit_address }: Quote): DepositInstructions {
  if (typeof transaction_id !== 'string') throw malformedAt('transaction_id');
  if (typeof deposit_address !== 'string') throw malformedAt('deposit_address');
  return {
    transactionId: transaction_id,
    address: deposit_address,
    memo: null,
    deadlineSeconds: null,
  };
}

/** @throws BridgeMalformed, also when the answer is about another transfer */
export function toSighting(body: unknown, transactionId: string): TransferStatusReport {
  const status = parseAs(Status, body);
  if (status.transaction_id !== transactionId) throw malformedAt('transaction_id');
  return { ...progressBy(status), outputAmount: status.output_amount, details: detailsOf(status) };
}

/** By the steps, where the answer has them; the status word decides how the transfer ended. */
function progressBy({ status, steps = [] }: Status): Omit<TransferStatusReport, 'details'> {
  const overall = progressOf(status);
  if (steps.length === 0 || overall.completedSteps === STEP_NAMES.length) return overall;
  // A completed step implies that all steps before it are completed, whatever their status says.
  const completedSteps =
    STEP_NAMES.findLastIndex((name) => statusOf(steps, name) === 'completed') + 1;
  if (overall.next === 'failed')
    return { ...overall, completedSteps: Math.max(completedSteps, overall.completedSteps) };
  const words = STEP_NAMES.map((name) => statusOf(steps, name));
  if (words.includes('failed')) return { completedSteps, next: 'failed', refunded: false };
  const next = words[completedSteps];
  return {
    completedSteps,
    next: next === undefined || next === 'pending' ? 'pending' : 'processing',
    refunded: false,
  };
}

function statusOf(steps: NonNullable<Status['steps']>, name: StepName): string | undefined {
  return steps.find(({ step }) => step === name)?.status.toLowerCase();
}

function detailsOf({
  steps = [],
  output_tx_hash,
  completion_time,
}: Status): TransferStatusReport['details'] {
  const entries = STEP_NAMES.map((name): readonly [StepName, StepDetail] => {
    const step = steps.find((candidate) => candidate.step === name);
    return [name, { completedAtSeconds: step?.timestamp, txHash: step?.tx_hash }];
  });
  const details: Partial<Record<StepName, StepDetail>> = Object.fromEntries(entries);
  const { send_to_recipient: last } = details;
  return {
    ...details,
    send_to_recipient: {
      completedAtSeconds: last?.completedAtSeconds ?? completion_time,
      txHash: last?.txHash ?? output_tx_hash,
    },
  };
}
