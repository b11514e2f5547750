import { executeInvoke } from '../../engine/execute.js';
import { toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import { Overlay } from '../../engine/state.js';
import type { BlockView } from '../../engine/view.js';
import type { JsonObject } from '../../json.js';
import { defineMethod, type Method, type MethodContext } from '../method.js';
import { renderTrace } from '../trace.js';
import { BlockIdParam, Felt } from '../wire.js';

/**
 * Methods that trace transactions of a block. For a trace, the block is executed again, on the
 * state after its parent block.
 */
export const traceMethods: Readonly<Record<string, Method>> = {
  starknet_traceTransaction: defineMethod(
    { transaction_hash: Felt },
    ({ transaction_hash: hash }, context) => {
      const found = context.view().transaction(hash);
      if (found.stage !== 'INCLUDED') throw new SpecError(10, { status: 'RECEIVED' });
      const trace = tracesOf(found.block, context, found.index).at(-1);
      if (trace === undefined) throw new SpecError(29);
      return trace;
    },
  ),
  starknet_traceBlockTransactions: defineMethod(
    { block_id: BlockIdParam },
    ({ block_id: id }, context) => {
      const block = context.view().block(id);
      return tracesOf(block, context).map((trace, index) => ({
        transaction_hash: toHex(block.inclusions[index]?.transaction.hash ?? 0n),
        trace_root: trace,
      }));
    },
  ),
};

/**
 * Traces the block's transactions up to an index. @param last highest index @default all
 * transactions
 */
function tracesOf(
  { header, inclusions, context }: BlockView,
  { chain }: MethodContext,
  last = inclusions.length - 1,
): readonly JsonObject[] {
  const state = new Overlay(chain.stateAt(header.number - 1));
  return inclusions.slice(0, last + 1).map(({ transaction: { fields }, revertReason }) => {
    const result = executeInvoke(state, fields, context, {
      chargeFee: true,
      // A test may have forced this revert, so the new execution must use the recorded revert
      // reason.
      forcedRevert: revertReason,
    });
    return renderTrace(fields, context, result, true);
  });
}
