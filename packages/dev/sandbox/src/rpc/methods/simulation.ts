import { z } from 'zod';
import { canPayBounds, executeInvoke, type ExecutionResult } from '../../engine/execute.js';
import { coversPrices } from '../../engine/fee.js';
import { invalidSignatureText, nonceText } from '../../engine/gateway.js';
import { toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import { Overlay } from '../../engine/state.js';
import type { InvokeTransaction } from '../../engine/transaction.js';
import type { BlockView } from '../../engine/view.js';
import type { JsonObject } from '../../json.js';
import { defineMethod, type Method, type MethodContext } from '../method.js';
import { renderFeeEstimate } from '../render.js';
import { renderTrace } from '../trace.js';
import { BlockIdParam, invokeParam } from '../wire.js';

interface SimulationFlags {
  readonly validate: boolean;
  readonly chargeFee: boolean;
}

/**
 * Methods that run transactions in sequence on a temporary state, which is discarded afterwards.
 */
export const simulationMethods: Readonly<Record<string, Method>> = {
  starknet_estimateFee: defineMethod(
    ({ chain }) => ({
      request: z.array(invokeParam(chain)),
      simulation_flags: z.array(z.enum(['SKIP_VALIDATE'])),
      block_id: BlockIdParam,
    }),
    ({ request, simulation_flags: names, block_id: id }, context) => {
      const block = context.view().block(id);
      if (request.some(({ fields }) => context.chain.world.contractAt(fields.sender) === undefined))
        throw new SpecError(20);
      const flags = { validate: !names.includes('SKIP_VALIDATE'), chargeFee: false };
      return simulate(request, block, flags, context).map(({ result }, index) => {
        if (result.outcome.status === 'REVERTED') {
          const { failure, reason } = result.outcome;
          throw new SpecError(41, {
            transaction_index: index,
            execution_error: failure?.toWire() ?? reason,
          });
        }
        return estimateOf(result, block);
      });
    },
  ),
  starknet_simulateTransactions: defineMethod(
    ({ chain }) => ({
      block_id: BlockIdParam,
      transactions: z.array(invokeParam(chain)),
      simulation_flags: z.array(z.enum(['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'])),
    }),
    ({ block_id: id, transactions, simulation_flags: names }, context) => {
      const block = context.view().block(id);
      const flags = {
        validate: !names.includes('SKIP_VALIDATE'),
        chargeFee: !names.includes('SKIP_FEE_CHARGE'),
      };
      return simulate(transactions, block, flags, context).map(({ transaction, result }) => ({
        transaction_trace: renderTrace(transaction.fields, block.context, result, flags.validate),
        fee_estimation: estimateOf(result, block),
      }));
    },
  ),
};

function simulate(
  transactions: readonly InvokeTransaction[],
  block: BlockView,
  flags: SimulationFlags,
  context: MethodContext,
): { transaction: InvokeTransaction; result: ExecutionResult }[] {
  const state = new Overlay(block.state);
  return transactions.map((transaction, index) => {
    const problem = findProblem(transaction, state, block, flags, context);
    if (problem !== undefined)
      throw new SpecError(41, { transaction_index: index, execution_error: problem });
    return {
      transaction,
      result: executeInvoke(state, transaction.fields, block.context, {
        chargeFee: flags.chargeFee,
      }),
    };
  });
}

/**
 * Returns the reason why a transaction cannot be executed. A nonce above the account's nonce is
 * accepted, since earlier transactions may be in flight. Proof facts are checked, but not the
 * proof: a node simulates without it.
 */
function findProblem(
  transaction: InvokeTransaction,
  state: Overlay,
  { header }: BlockView,
  { validate, chargeFee }: SimulationFlags,
  { chain, gateway }: MethodContext,
): string | undefined {
  const { fields } = transaction;
  if (chain.world.contractAt(fields.sender) === undefined)
    return `Requested contract address ${toHex(fields.sender)} is not deployed.`;
  if (!chain.world.isAccount(fields.sender))
    return 'Entry point __execute__ not found in contract.';
  const nonce = state.nonce(fields.sender);
  if (fields.nonce < nonce) return nonceText(fields.sender, nonce, fields.nonce);
  if (chargeFee && !coversPrices(fields.bounds, header.prices))
    return 'Resource bounds were not satisfied: max price per unit is below the gas price.';
  if (chargeFee && !canPayBounds(state, chain.feeToken, fields))
    return 'Resources bounds exceed balance.';
  const factsProblem = chain.findFactsProblem(fields.proofFacts, header.number);
  if (factsProblem !== undefined) return factsProblem;
  return validate && !gateway.isSigned(transaction)
    ? invalidSignatureText(fields.sender, chain.world)
    : undefined;
}

function estimateOf({ used, fee }: ExecutionResult, { header }: BlockView): JsonObject {
  return renderFeeEstimate(used, header.prices, fee);
}
