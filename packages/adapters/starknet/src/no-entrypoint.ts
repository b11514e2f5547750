import { isRejection, RpcCode } from './rpc/errors.js';

/**
 * Panic that reports a missing entry point, as text or as a felt. Some nodes report it as a
 * contract error.
 */
const NO_ENTRYPOINT =
  /ENTRYPOINT_NOT_FOUND|0x454e545259504f494e545f4e4f545f464f554e44|EntryPointNotFound/i;

/** Returns true if a call was rejected because the contract lacks the entry point. */
export function hasNoEntrypoint(error: unknown): boolean {
  if (isRejection(error, RpcCode.entrypointNotFound)) return true;
  return (
    isRejection(error, RpcCode.contractError) &&
    NO_ENTRYPOINT.test(JSON.stringify(error.data) ?? '')
  );
}
