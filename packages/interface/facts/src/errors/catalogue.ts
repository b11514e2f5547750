import type { ErrorEntry } from './entry.js';
import {
  AGGREGATOR_ERRORS,
  BRIDGE_PROTOCOL_ERRORS,
  INNER_ERRORS,
  LEDGER_ERRORS,
  NODE_ERRORS,
  VERIFIER_ERRORS,
} from './ports.js';
import { DEPOSIT_ERRORS, RELAYER_ERRORS, SUBMISSION_ERRORS } from './relayer.js';
import { CONNECTION_ERRORS, REQUEST_ERRORS } from './requests.js';
import {
  BRIDGE_ERRORS,
  CURATOR_ERRORS,
  KEEPER_ERRORS,
  OPERATOR_ERRORS,
  STAKING_ERRORS,
} from './services.js';

/** Every error by its code. Codes are stable; sentences are not. */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...CONNECTION_ERRORS,
  ...RELAYER_ERRORS,
  ...DEPOSIT_ERRORS,
  ...SUBMISSION_ERRORS,
  ...STAKING_ERRORS,
  ...CURATOR_ERRORS,
  ...KEEPER_ERRORS,
  ...OPERATOR_ERRORS,
  ...BRIDGE_ERRORS,
  ...LEDGER_ERRORS,
  ...VERIFIER_ERRORS,
  ...NODE_ERRORS,
  ...AGGREGATOR_ERRORS,
  ...BRIDGE_PROTOCOL_ERRORS,
  ...INNER_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The codes of entries, in their order. */
export function codesOf<const Entries extends Partial<Record<ErrorCode, ErrorEntry>>>(
  entries: Entries,
): readonly (keyof Entries & ErrorCode)[] {
  // CAST: the keys of a constant are all the keys that its type has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(entries) as (keyof Entries & ErrorCode)[];
}

/** Whether a text, such as `code` of an answer's body, is a code of this catalogue. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
