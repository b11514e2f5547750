import type { ContractModel } from '../engine/contract.js';
import { selectorOf, toHex } from '../engine/felt.js';
import type { JsonObject } from '../json.js';

const DEFAULT_SIERRA = [1, 7, 0] as const;
const COMPILER = [2, 14, 0] as const;

/**
 * A model as CONTRACT_CLASS: versions and entry points as a compiler would write them, and no code.
 */
export function renderClass({
  entrypoints,
  sierraVersion = DEFAULT_SIERRA,
}: ContractModel): JsonObject {
  const external = Object.keys(entrypoints)
    .map((name) => selectorOf(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((selector, index) => ({ selector: toHex(selector), function_idx: index }));
  return {
    // A Sierra program begins with the versions of Sierra and of its compiler.
    sierra_program: [...sierraVersion, ...COMPILER].map((number) => toHex(BigInt(number))),
    // Of the class's format: every compiler writes this, whatever Sierra it is.
    contract_class_version: '0.1.0',
    entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: external, L1_HANDLER: [] },
    abi: '[]',
  };
}
