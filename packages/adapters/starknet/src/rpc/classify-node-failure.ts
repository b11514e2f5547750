import { UpstreamAnswerTooLarge, UpstreamAnswered, UpstreamUnreachable } from '@sotto/http-client';
import type { DomainError } from '@sotto/kernel';
import type { RpcErrorObject } from './envelope.js';
import { NodeMalformedAnswer, NodeRefusedCall, NodeUnavailable, RpcCode } from './errors.js';

const INTERNAL_ERROR = -32_603;
/** Range that JSON-RPC leaves to servers: rate limits, time-outs, overload. */
const SERVER_ERRORS = { from: -32_099, to: -32_000 };
/** Some providers put the HTTP status of a rate limit where the code belongs. */
const TOO_MANY_REQUESTS = 429;

/** The error that a failed read ends in, judged by its code and never by its text. */
export function classifyNodeFailure({ code, data }: RpcErrorObject): DomainError {
  const serverError = code >= SERVER_ERRORS.from && code <= SERVER_ERRORS.to;
  if (
    serverError ||
    code === INTERNAL_ERROR ||
    code === RpcCode.blockNotFound ||
    code === TOO_MANY_REQUESTS
  ) {
    return new NodeUnavailable('the node can not answer now', { details: { rpcCode: code } });
  }
  return new NodeRefusedCall('the node refuses the call', code, data);
}

/** The error that a failed exchange ends in. A time-out stays what it is. */
export function classifyTransportFailure(error: unknown): unknown {
  if (error instanceof UpstreamUnreachable)
    return new NodeUnavailable('the node can not be reached', { cause: error });
  if (error instanceof UpstreamAnswerTooLarge)
    return new NodeMalformedAnswer('the node answers too much', { cause: error });
  if (error instanceof UpstreamAnswered) {
    const { retryAfterSeconds, details } = error;
    return new NodeUnavailable('the node turns requests away', {
      cause: error,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return error;
}
