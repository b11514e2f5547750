import type { Invocation } from '../engine/call.js';
import {
  validateInvocation,
  type ExecutionContext,
  type ExecutionResult,
} from '../engine/execute.js';
import { toHex } from '../engine/felt.js';
import type { InvokeFields } from '../engine/transaction.js';
import type { JsonObject } from '../json.js';
import { renderResources } from './render.js';

/**
 * Renders the trace of a simulated INVOKE. If the transaction reverted, the trace has a
 * `revert_reason` instead of the execution.
 */
export function renderTrace(
  fields: InvokeFields,
  context: ExecutionContext,
  result: ExecutionResult,
  validated: boolean,
): JsonObject {
  const { outcome, feeTransfer } = result;
  return {
    type: 'INVOKE',
    ...(validated && {
      validate_invocation: renderInvocation(validateInvocation(fields, context)),
    }),
    execute_invocation:
      outcome.status === 'SUCCEEDED'
        ? renderInvocation(outcome.invocation)
        : { revert_reason: outcome.reason },
    ...(feeTransfer !== undefined && { fee_transfer_invocation: renderInvocation(feeTransfer) }),
    execution_resources: renderResources(result),
  };
}

function renderInvocation(invocation: Invocation): JsonObject {
  return {
    contract_address: toHex(invocation.to),
    entry_point_selector: toHex(invocation.selector),
    calldata: invocation.calldata.map(toHex),
    caller_address: toHex(invocation.caller),
    class_hash: toHex(invocation.classHash),
    entry_point_type: 'EXTERNAL',
    call_type: 'CALL',
    result: invocation.result.map(toHex),
    calls: invocation.calls.map(renderInvocation),
    events: invocation.events.map(({ order, keys, data }) => ({
      order,
      keys: keys.map(toHex),
      data: data.map(toHex),
    })),
    messages: [],
    execution_resources: { l1_gas: 0, l2_gas: Number(invocation.l2Gas) },
    is_reverted: false,
  };
}
