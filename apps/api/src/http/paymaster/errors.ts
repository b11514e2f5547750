import { ERRORS, STATUS_BY_KIND, isErrorCode, type ErrorCode } from '@sotto/facts';
import { InvalidRequest, RpcError, type RpcFailure } from '@sotto/http-server';
import { InvalidFelt, type DomainError } from '@sotto/kernel';
import { OutsideExecutionInvalid } from '@sotto/relayer-core';

/** Error codes of SNIP-29, with those for private actions. */
const SNIP_29 = {
  TOKEN_NOT_SUPPORTED: 151,
  MAX_AMOUNT_TOO_LOW: 154,
  TRANSACTION_EXECUTION_ERROR: 156,
  INVALID_TIME_BOUNDS: 157,
  INVALID_ID: 160,
  PRIVACY_POOL_NOT_WHITELISTED: 161,
  INVALID_APPLY_ACTIONS_SELECTOR: 162,
  UNKNOWN_ERROR: 163,
  INVOKE_ACTION_NOT_ALLOWED: 164,
  MISSING_FEE_TRANSFER_TO: 165,
  CALLDATA_PARSING: 166,
  POOL_FEE_TOO_LOW: 167,
  PRIVACY_PROOF_MISSING: 168,
} as const;

export type PaymasterErrorName = keyof typeof SNIP_29;

const PARSE_ERROR: RpcFailure = { code: -32_700, message: 'Parse error' };
const INVALID_REQUEST: RpcFailure = { code: -32_600, message: 'Invalid Request' };
const INVALID_PARAMS: RpcFailure = { code: -32_602, message: 'Invalid params' };

const snip29 = (name: PaymasterErrorName): RpcFailure => ({
  code: SNIP_29[name],
  message: `An error occurred (${name})`,
});

/** Creates an error of SNIP-29 that has no code in the error catalogue. */
export const paymasterError = (name: PaymasterErrorName, data: string): RpcError =>
  new RpcError({ ...snip29(name), data });

/** Names in SNIP-29 of errors of the catalogue. All other errors are UNKNOWN_ERROR. */
const NAMES: Partial<Readonly<Record<ErrorCode, PaymasterErrorName>>> = {
  POOL_NOT_SUPPORTED: 'PRIVACY_POOL_NOT_WHITELISTED',
  FEE_TOKEN_NOT_SERVED: 'TOKEN_NOT_SUPPORTED',
  PRIVATE_ACTION_FEE_MISSING: 'MISSING_FEE_TRANSFER_TO',
  FEE_TOO_LOW: 'MAX_AMOUNT_TOO_LOW',
  PRIVATE_ACTIONS_UNREADABLE: 'CALLDATA_PARSING',
  PROOF_MISSING: 'PRIVACY_PROOF_MISSING',
  INVOKED_CONTRACT_NOT_ALLOWED: 'INVOKE_ACTION_NOT_ALLOWED',
  DEPOSITOR_NOT_ALLOWED: 'INVOKE_ACTION_NOT_ALLOWED',
  OUTSIDE_EXECUTION_INVALID: 'INVOKE_ACTION_NOT_ALLOWED',
  SUBMISSION_NOT_FOUND: 'INVALID_ID',
  PROOF_FACTS_UNREADABLE: 'TRANSACTION_EXECUTION_ERROR',
  PROOF_FACTS_MISMATCH: 'TRANSACTION_EXECUTION_ERROR',
  PROOF_OF_ANOTHER_NETWORK: 'TRANSACTION_EXECUTION_ERROR',
  PROOF_TOO_YOUNG: 'TRANSACTION_EXECUTION_ERROR',
  PROOF_EXPIRED: 'TRANSACTION_EXECUTION_ERROR',
  PROOF_BASE_BLOCK_UNKNOWN: 'TRANSACTION_EXECUTION_ERROR',
  POOL_VERSION_MISMATCH: 'TRANSACTION_EXECUTION_ERROR',
  PRIVATE_ACTIONS_APPLIED: 'TRANSACTION_EXECUTION_ERROR',
  SIMULATION_REVERTED: 'TRANSACTION_EXECUTION_ERROR',
  SUBMISSION_REFUSED: 'TRANSACTION_EXECUTION_ERROR',
  SUBMISSION_EXPIRED: 'TRANSACTION_EXECUTION_ERROR',
};

/** Errors of the request itself, as JSON-RPC 2.0 names them. */
const STANDARD: Partial<Readonly<Record<ErrorCode, RpcFailure>>> = {
  INVALID_JSON: PARSE_ERROR,
  UNSUPPORTED_CONTENT_TYPE: INVALID_REQUEST,
  BODY_TOO_LARGE: INVALID_REQUEST,
  INVALID_REQUEST: INVALID_PARAMS,
  INVALID_FELT: INVALID_PARAMS,
};

/**
 * Errors whose response has the HTTP status of their kind, so that proxies and clients treat them
 * as overload. All other errors have the status 200.
 */
const WITH_STATUS: ReadonlySet<string> = new Set<ErrorCode>([
  'BODY_TOO_LARGE',
  'RATE_LIMITED',
  'TOO_MANY_IN_FLIGHT',
  'OVERLOADED',
  'QUEUE_FULL',
]);

/**
 * Converts an error of the catalogue to an error object. `data` is a text that begins with the
 * error's code.
 */
export function rpcErrorOf(failure: DomainError): {
  readonly status: number;
  readonly error: RpcFailure;
} {
  const { code, kind } = failure;
  const status = WITH_STATUS.has(code) ? STATUS_BY_KIND[kind] : 200;
  const known = isErrorCode(code) ? code : 'INTERNAL';
  const standard = STANDARD[known];
  const data = textOf(failure);
  if (standard !== undefined) return { status, error: { ...standard, data } };
  const name = isOfTime(failure) ? 'INVALID_TIME_BOUNDS' : (NAMES[known] ?? 'UNKNOWN_ERROR');
  return {
    status,
    error: {
      ...snip29(name),
      data: name === 'TRANSACTION_EXECUTION_ERROR' ? { execution_error: data } : data,
    },
  };
}

/** True if calls of a user's account may not be executed now. */
const isOfTime = ({ code, details: { reason } }: DomainError): boolean =>
  code === OutsideExecutionInvalid.code && (reason === 'NOT_YET' || reason === 'EXPIRES');

/** Creates the error of a fee that does not cover the pool's fee, if a sponsor pays the gas. */
export const poolFeeTooLow = (failure: DomainError): RpcError =>
  paymasterError('POOL_FEE_TOO_LOW', textOf(failure));

function textOf(failure: DomainError): string {
  const { code, message, details } = failure;
  const advice = isErrorCode(code) ? [ERRORS[code].remedy] : [];
  return [`${code}: ${sentence(message)}`, ...fieldsOf(failure), ...advice]
    .concat(Object.keys(details).length === 0 ? [] : [`details: ${JSON.stringify(details)}`])
    .join(' ');
}

/** Names the fields that are wrong. */
function fieldsOf(failure: DomainError): readonly string[] {
  if (failure instanceof InvalidRequest)
    return failure.issues.map(({ path, message }) => sentence(`${path} ${message}`));
  const { path } = failure.details;
  return failure instanceof InvalidFelt && path !== undefined ? [`The field is ${path}.`] : [];
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
