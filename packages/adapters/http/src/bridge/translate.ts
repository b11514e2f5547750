import {
  STEP_NAMES,
  canonicalAddress,
  earlier,
  parseTokens,
  type BridgeAsset,
  type DepositInstructions,
  type StepDetail,
  type StepName,
  type TransferQuote,
  type TransferRequest,
  type TransferStatusReport,
} from '@sotto/bridge-core';
import type { LeaveOut } from '@sotto/http-client';
import { Quote, Status } from './bridge-protocol.schemas.js';
import { progressOf, type Progress } from './status-words.js';
import { malformedAt, parseAs } from './upstream.js';
import { TokenAmount, countLeftOut, isSameAmount } from './wire.js';

/** Returns the body of a quote request. */
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

/** @throws BridgeMalformed if the response is malformed or belongs to another request */
export function toQuote(
  body: unknown,
  request: TransferRequest,
  leaveOut?: LeaveOut,
): TransferQuote {
  const quote = parseAs(Quote, body);
  checkEcho(quote, request);
  const { route, fees } = quote;
  countLeftOut(leaveOut, 'route', route);
  return {
    estimatedOutput: outputOf(quote.estimated_output, request.to),
    route: route.elements.map(({ dex, ...leg }) => ({ ...leg, dex: dex ?? null })),
    fees: {
      bridgeFee: fees.bridge_fee ?? null,
      gasEstimate: fees.gas_estimate ?? null,
      swapFees: fees.swap_fees ?? null,
    },
    durationSeconds: null,
    deposit: request.dryRun ? null : depositOf(quote),
  };
}

/**
 * Checks echoed fields. The specification has no echoed fields, but if a response repeats fields of
 * our request, they must be unchanged.
 */
function checkEcho(quote: Quote, request: TransferRequest): void {
  const { family } = request.to;
  const wanted = {
    from_chain: request.from.chain,
    from_token: request.from.symbol,
    to_chain: request.to.chain,
    to_token: request.to.symbol,
    dry_run: request.dryRun,
  } as const;
  for (const name of ECHOED) {
    const echoed = quote[name] ?? null;
    if (echoed !== null && echoed !== wanted[name]) throw malformedAt(name);
  }
  const amount = quote.amount ?? null;
  if (amount !== null && !isSameAmount(String(amount), request.amount.toString()))
    throw malformedAt('amount');
  const recipient = quote.recipient ?? null;
  if (recipient === null || request.recipient === null) return;
  if (canonicalAddress(family, String(recipient)) !== canonicalAddress(family, request.recipient))
    throw malformedAt('recipient');
}

const ECHOED = ['from_chain', 'from_token', 'to_chain', 'to_token', 'dry_run'] as const;

function outputOf(text: string, { symbol, decimals }: BridgeAsset): bigint {
  const amount = TokenAmount.parse(text);
  const output = amount?.symbol === symbol ? parseTokens(amount.tokens, decimals) : undefined;
  if (output === undefined) throw malformedAt('estimated_output');
  return output;
}

function depositOf(quote: Quote): DepositInstructions {
  const { transaction_id, deposit_address, deposit_deadline, expires_at } = quote;
  if (typeof transaction_id !== 'string') throw malformedAt('transaction_id');
  if (typeof deposit_address !== 'string') throw malformedAt('deposit_address');
  return {
    transactionId: transaction_id,
    address: deposit_address,
    memo: null,
    deadlineSeconds: earlier(deposit_deadline ?? null, expires_at ?? null),
  };
}

/** @throws BridgeMalformed if the response is malformed or belongs to another transfer */
export function toReportedStatus(
  body: unknown,
  transactionId: string,
  leaveOut?: LeaveOut,
): TransferStatusReport {
  const status = parseAs(Status, body);
  if (status.transaction_id !== transactionId) throw malformedAt('transaction_id');
  countLeftOut(leaveOut, 'steps', status.steps);
  const progress = progressBy(status);
  return {
    ...progress,
    output: status.output_amount,
    deposited: status.deposited_amount,
    refund: status.refunded_amount,
    reasonText: status.reason ?? progress.reasonText,
    details: detailsOf(status),
  };
}

/**
 * Derives the progress from the steps if the response has steps. The status determines the outcome
 * of the transfer.
 */
function progressBy({ status, steps: { elements: steps } }: Status): Progress {
  const overall = progressOf(status);
  if (steps.length === 0 || overall.completedSteps === STEP_NAMES.length) return overall;
  // A completed step implies that all earlier steps are completed, regardless of their status.
  const completedSteps =
    STEP_NAMES.findLastIndex((name) => statusOf(steps, name) === 'completed') + 1;
  if (overall.next === 'failed')
    return { ...overall, completedSteps: Math.max(completedSteps, overall.completedSteps) };
  const words = STEP_NAMES.map((name) => statusOf(steps, name));
  if (words.includes('failed')) return { completedSteps, next: 'failed', refunded: false };
  const next = words[completedSteps];
  return {
    ...overall,
    completedSteps,
    next: next === undefined || next === 'pending' ? 'pending' : 'processing',
  };
}

type Steps = Status['steps']['elements'];

function statusOf(steps: Steps, name: StepName): string | undefined {
  return steps.find(({ step }) => step === name)?.status.toLowerCase();
}

function detailsOf({
  steps: { elements: steps },
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
