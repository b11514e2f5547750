import { UpstreamAnswerTooLarge, UpstreamAnswered, UpstreamUnreachable } from '@sotto/http-client';
import type { DomainError } from '@sotto/kernel';
import type { RpcErrorObject } from './envelope.js';
import { NodeMalformedAnswer, NodeRefusedCall, NodeUnavailable, RpcCode } from './errors.js';

const INTERNAL_ERROR = -32_603;
/** Range of error codes that JSON-RPC reserves for servers: rate limits, timeouts, overload. */
const SERVER_ERRORS = { from: -32_099, to: -32_000 };
/** Code of a rate limit: some providers return the HTTP status as the JSON-RPC code. */
const TOO_MANY_REQUESTS = 429;

/** Maps the error of a failed read to a domain error, by the error's code and never by its text. */
export function classifyNodeFailure({ code, data }: RpcErrorObject): DomainError {
  const serverError = code >= SERVER_ERRORS.from && code <= SERVER_ERRORS.to;
  if (
    serverError ||
    code === INTERNAL_ERROR ||
    code === RpcCode.blockNotFound ||
    code === TOO_MANY_REQUESTS
  ) {
    return new NodeUnavailable({
      message: 'the node can not answer now',
      details: { rpcCode: code },
    });
  }
  return new NodeRefusedCall('the node refuses the call', code, data);
}

/** Maps the error of a failed HTTP exchange to a domain error. A timeout is returned unchanged. */
export function classifyTransportFailure(error: unknown): unknown {
  if (error instanceof UpstreamUnreachable)
    return new NodeUnavailable({ message: 'the node can not be reached', cause: error });
  if (error instanceof UpstreamAnswerTooLarge)
    return new NodeMalformedAnswer({ message: 'the node’s answer is too large', cause: error });
  if (error instanceof UpstreamAnswered) {
    const { retryAfterSeconds, details } = error;
    return new NodeUnavailable({
      message: 'the node rejects requests',
      cause: error,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return error;
}
