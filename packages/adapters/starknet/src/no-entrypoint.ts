import { isRefusal, RpcCode } from './rpc/errors.js';

/**
 * The panic of a contract without the entry point, which some nodes report as a contract error: its
 * words, and their felt.
 */
const NO_ENTRYPOINT =
  /ENTRYPOINT_NOT_FOUND|0x454e545259504f494e545f4e4f545f464f554e44|EntryPointNotFound/i;

/** Whether a call was refused because the contract has no such entry point. */
export function hasNoEntrypoint(error: unknown): boolean {
  if (isRefusal(error, RpcCode.entrypointNotFound)) return true;
  return (
    isRefusal(error, RpcCode.contractError) && NO_ENTRYPOINT.test(JSON.stringify(error.data) ?? '')
  );
}
