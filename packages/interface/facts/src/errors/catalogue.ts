import type { DetailKind, ErrorEntry, Retry } from './entry.js';
import {
  AGGREGATOR_ERRORS,
  BRIDGE_PROTOCOL_ERRORS,
  INNER_ERRORS,
  LEDGER_ERRORS,
  NODE_ERRORS,
  SIGNER_ERRORS,
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

/** All errors by code. Codes are stable; the texts of errors may change. */
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
  ...SIGNER_ERRORS,
  ...AGGREGATOR_ERRORS,
  ...BRIDGE_PROTOCOL_ERRORS,
  ...INNER_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

type Optional<D> = { [Name in keyof D]: D[Name] extends `${string}?` ? Name : never }[keyof D];
type ValueOf<Kind> = Kind extends 'number' ? number : string;

/** Type of an error's `details` as the catalogue declares them; undefined if it declares none. */
export type DetailsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  readonly details: infer D extends Readonly<Record<string, DetailKind>>;
}
  ? { readonly [Name in Exclude<keyof D, Optional<D>>]: ValueOf<D[Name]> } & {
      readonly [Name in Optional<D>]?: ValueOf<D[Name]>;
    }
  : undefined;

/** Returns the codes of a section's entries, in the sequence of the section. */
export function codesOf<const Entries extends Partial<Record<ErrorCode, ErrorEntry>>>(
  entries: Entries,
): readonly (keyof Entries & ErrorCode)[] {
  // CAST: the keys of a constant are all the keys that its type has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(entries) as (keyof Entries & ErrorCode)[];
}

/** True if the text, such as `code` of a reply's body, is a code of this catalogue. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Returns the `retry` field for a failure with this code; `never` for an unknown code. */
export const retryOf = (code: string): Retry => (isErrorCode(code) ? ERRORS[code].retry : 'never');
