import { UpstreamTimedOut } from '@sotto/http-client';
import { domainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered: both can hold calldata.

/** The node can't answer now: not reached, overloaded, limited, or behind. */
export class NodeUnavailable extends domainError('NODE_UNAVAILABLE') {}

/** The node's answer is not what the specification says. */
export class NodeMalformedAnswer extends domainError('NODE_MALFORMED_ANSWER') {}

/** The node understood the call and refuses it with a code of the specification. */
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

  /** What the node adds to the code, not parsed. Kept out of logs. */
  get data(): unknown {
    return this.#data;
  }
}

/**
 * Returns the failure of a request that several reads shared, if one of them can have caused it by
 * being slow or large; null otherwise. It says nothing of the node or of the other reads, so no
 * circuit breaker and no health counts it.
 */
export function sharedFailure(failure: unknown): UpstreamTimedOut | NodeMalformedAnswer | null {
  const isOfTime = failure instanceof UpstreamTimedOut;
  if (!isOfTime && !(failure instanceof NodeMalformedAnswer)) return null;
  const { message } = failure;
  const options = { message, cause: failure, details: { shared: true } };
  return isOfTime ? new UpstreamTimedOut(options) : new NodeMalformedAnswer(options);
}

/** Codes of the Starknet JSON-RPC specification that the adapters look at. */
export const RpcCode = {
  contractNotFound: 20,
  entrypointNotFound: 21,
  blockNotFound: 24,
  transactionNotFound: 29,
  contractError: 40,
  transactionExecutionError: 41,
} as const;

/** The node does not have the block: it is behind, a reorg took it, or it never was. */
export function isBlockNotFound(error: unknown): boolean {
  return error instanceof NodeUnavailable && error.details['rpcCode'] === RpcCode.blockNotFound;
}

/**
 * Whether this one call was answered, with an error or with nonsense: the node as a whole may well
 * work.
 */
export function isOfOneCall(error: unknown): boolean {
  return (
    error instanceof NodeRefusedCall ||
    error instanceof NodeMalformedAnswer ||
    (error instanceof NodeUnavailable && 'rpcCode' in error.details)
  );
}

/** Whether the node refused with this code. */
export function isRefusal(error: unknown, rpcCode: number): error is NodeRefusedCall {
  return error instanceof NodeRefusedCall && error.rpcCode === rpcCode;
}
