import { executeCall } from '../../engine/execute.js';
import { CallFailure, OutOfGas } from '../../engine/failure.js';
import { selectorOf, toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import { Overlay, type StateReader } from '../../engine/state.js';
import type { DeployedContract } from '../../engine/world.js';
import { defineMethod, type Method, type MethodContext } from '../method.js';
import { BlockIdParam, Felt, FunctionCall } from '../wire.js';
import type { ContractModel } from '../../engine/contract.js';
import type { JsonObject } from '../../json.js';

const DEFAULT_SIERRA = [1, 7, 0] as const;
const COMPILER = [2, 14, 0] as const;

/** Renders a model as CONTRACT_CLASS, with compiler versions and entry points but without code. */
function renderClass({ entrypoints, sierraVersion = DEFAULT_SIERRA }: ContractModel): JsonObject {
  const external = Object.keys(entrypoints)
    .map((name) => selectorOf(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((selector, index) => ({ selector: toHex(selector), function_idx: index }));
  return {
    // A Sierra program begins with two versions: the version of Sierra and the version of its
    // compiler.
    sierra_program: [...sierraVersion, ...COMPILER].map((number) => toHex(BigInt(number))),
    // Version of the class format. Every compiler writes this version, for every version of Sierra.
    contract_class_version: '0.1.0',
    entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: external, L1_HANDLER: [] },
    abi: '[]',
  };
}

/** Methods that read contracts in the state after a block. */
export const stateMethods: Readonly<Record<string, Method>> = {
  starknet_getNonce: defineMethod(
    { block_id: BlockIdParam, contract_address: Felt },
    ({ block_id: id, contract_address: address }, context) => {
      const { state } = context.view().block(id);
      contractAt(address, state, context);
      return toHex(state.nonce(address));
    },
  ),
  starknet_getClassHashAt: defineMethod(
    { block_id: BlockIdParam, contract_address: Felt },
    ({ block_id: id, contract_address: address }, context) => {
      const { state } = context.view().block(id);
      return toHex(contractAt(address, state, context).model.classHash);
    },
  ),
  starknet_getClassAt: defineMethod(
    { block_id: BlockIdParam, contract_address: Felt },
    ({ block_id: id, contract_address: address }, context) => {
      const { state } = context.view().block(id);
      return renderClass(contractAt(address, state, context).model);
    },
  ),
  /**
   * Reads a storage slot. The key is a slot's name if the model names its slots by their addresses,
   * or the address that Cairo computes from the name of a storage variable. For every other key,
   * the method returns 0.
   */
  starknet_getStorageAt: defineMethod(
    { contract_address: Felt, key: Felt, block_id: BlockIdParam },
    ({ contract_address: address, key, block_id: id }, context) => {
      const { state } = context.view().block(id);
      contractAt(address, state, context);
      const names = state.names(address);
      if (names.has(toHex(key))) return toHex(state.storage(address, toHex(key)));
      const name = [...names].find((slot) => !slot.startsWith('0x') && selectorOf(slot) === key);
      return toHex(name === undefined ? 0n : state.storage(address, name));
    },
  ),
  starknet_getClass: defineMethod(
    { block_id: BlockIdParam, class_hash: Felt },
    ({ block_id: id, class_hash: hash }, context) => {
      context.view().block(id);
      const model = context.chain.world.classOf(hash);
      if (model === undefined) throw new SpecError(28);
      return renderClass(model);
    },
  ),
  starknet_call: defineMethod(
    { request: FunctionCall, block_id: BlockIdParam },
    ({ request, block_id: id }, context) => {
      const block = context.view().block(id);
      const { contract_address: to, entry_point_selector: selector, calldata } = request;
      if (contractAt(to, block.state, context).entrypoint(selector) === undefined)
        throw new SpecError(21);
      try {
        return executeCall(new Overlay(block.state), { to, selector, calldata }, block.context).map(
          toHex,
        );
      } catch (error) {
        if (error instanceof CallFailure) throw new SpecError(40, { revert_error: error.toWire() });
        if (error instanceof OutOfGas) throw new SpecError(40, { revert_error: error.message });
        throw error;
      }
    },
  ),
};

function contractAt(
  address: bigint,
  state: StateReader,
  { chain }: MethodContext,
): DeployedContract {
  const contract = chain.world.contractAt(address, state);
  if (contract === undefined) throw new SpecError(20);
  return contract;
}
