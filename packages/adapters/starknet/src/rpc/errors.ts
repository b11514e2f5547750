import { UpstreamTimedOut } from '@sotto/http-client';
import { domainError } from '@sotto/kernel';

// Messages and details never contain requests or responses, because requests and responses may
// include calldata.

/** The node cannot respond now: it is unreachable, overloaded, rate limited or behind. */
export class NodeUnavailable extends domainError('NODE_UNAVAILABLE') {}

/** The node's response violates the specification. */
export class NodeMalformedAnswer extends domainError('NODE_MALFORMED_ANSWER') {}

/** The node understood the call and rejected it with a code of the specification. */
export class NodeRefusedCall extends domainError('NODE_REFUSED_CALL') {
  readonly #data: unknown;

  constructor(
    message: string,
    readonly rpcCode: number,
    data: unknown,
  ) {
    super({ message, details: { rpcCode } });
    this.#data = data;
  }

  /** Additional data of the error, unparsed. The data is never logged. */
  get data(): unknown {
    return this.#data;
  }
}

/**
 * Returns the failure of a shared request if one of its reads may have caused the failure by being
 * slow or large; null otherwise. Such a failure is no evidence about the node or the other reads,
 * so circuit breakers and health scores ignore it.
 */
export function sharedFailure(failure: unknown): UpstreamTimedOut | NodeMalformedAnswer | null {
  const isOfTime = failure instanceof UpstreamTimedOut;
  if (!isOfTime && !(failure instanceof NodeMalformedAnswer)) return null;
  const { message } = failure;
  const options = { message, cause: failure, details: { shared: true } };
  return isOfTime ? new UpstreamTimedOut(options) : new NodeMalformedAnswer(options);
}

/** Error codes of the Starknet JSON-RPC specification that the adapters distinguish. */
export const RpcCode = {
  contractNotFound: 20,
  entrypointNotFound: 21,
  blockNotFound: 24,
  transactionNotFound: 29,
  contractError: 40,
  transactionExecutionError: 41,
} as const;

/**
 * Returns true if the node does not have the block. Reasons: the node is behind, a reorg removed
 * the block, or the block never existed.
 */
export function isBlockNotFound(error: unknown): boolean {
  return error instanceof NodeUnavailable && error.details['rpcCode'] === RpcCode.blockNotFound;
}

/**
 * Returns true if only this call failed, with an error or a malformed response. The node may still
 * respond to other calls.
 */
export function isOfOneCall(error: unknown): boolean {
  return (
    error instanceof NodeRefusedCall ||
    error instanceof NodeMalformedAnswer ||
    (error instanceof NodeUnavailable && 'rpcCode' in error.details)
  );
}

/** Returns true if the node rejected the call with this code. */
export function isRejection(error: unknown, rpcCode: number): error is NodeRefusedCall {
  return error instanceof NodeRefusedCall && error.rpcCode === rpcCode;
}
