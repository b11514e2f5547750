import { DomainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered: both can hold calldata.

/** The node can't answer now: not reached, overloaded, limited, or behind. */
export class NodeUnavailable extends DomainError {
  readonly code = 'NODE_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** The node's answer is not what the specification says. */
export class NodeMalformedAnswer extends DomainError {
  readonly code = 'NODE_MALFORMED_ANSWER';
  readonly kind = 'upstream_failed';
}

/** The node understood the call and refuses it with a code of the specification. */
export class NodeRefusedCall extends DomainError {
  readonly code = 'NODE_REFUSED_CALL';
  readonly kind = 'upstream_failed';
  readonly #data: unknown;

  constructor(
    message: string,
    readonly rpcCode: number,
    data: unknown,
  ) {
    super(message, { details: { rpcCode } });
    this.#data = data;
  }

  /** What the node adds to the code, not parsed. Kept out of logs. */
  get data(): unknown {
    return this.#data;
  }
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
