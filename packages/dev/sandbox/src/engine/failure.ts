import { Revert } from './contract.js';
import { shortStringToFelt, toHex, toPaddedHex } from './felt.js';

/** Contract, class and entry point of a failed call. */
export interface FailedFrame {
  readonly address: bigint;
  readonly classHash: bigint;
  readonly selector: bigint;
}

/**
 * CONTRACT_EXECUTION_ERROR of the specification: nested frames from the outermost call to the
 * innermost call, which contains the reason.
 */
export type ContractExecutionError =
  | string
  | {
      readonly contract_address: string;
      readonly class_hash: string;
      readonly selector: string;
      readonly error: ContractExecutionError;
    };

/**
 * Error of a failed call, with the list of the enclosing calls. A model may catch this error as
 * {@link Revert}; then only the changes of the failed call are undone.
 */
export class CallFailure extends Revert {
  constructor(
    readonly frame: FailedFrame,
    readonly inner: CallFailure | string,
  ) {
    super(inner instanceof CallFailure ? inner.message : inner);
    this.name = 'CallFailure';
  }

  /** Returns the error in the format of `starknet_call` and of the simulation's error 41. */
  toWire(): ContractExecutionError {
    return {
      contract_address: toHex(this.frame.address),
      class_hash: toHex(this.frame.classHash),
      selector: toHex(this.frame.selector),
      error: this.inner instanceof CallFailure ? this.inner.toWire() : panicText(this.inner, 0),
    };
  }

  /** Returns the text of a receipt's `revert_reason`. */
  toRevertReason(): string {
    const lines = [
      'Transaction execution has failed:',
      `0: Error in the called contract (${describeFrame(this.frame)}):`,
      'Execution failed. Failure reason:',
      // Nodes list the called contract twice: once for the call and once for the panic.
      `Error in contract (${describeFrame(this.frame)}):`,
    ];
    let inner = this.inner;
    let depth = 0;
    while (inner instanceof CallFailure) {
      lines.push(`Error in contract (${describeFrame(inner.frame)}):`);
      inner = inner.inner;
      depth += 1;
    }
    return `${lines.join('\n')}\n${panicText(inner, depth)}.\n`;
  }
}

/**
 * Error of a transaction or call that exceeds its gas limit. Models cannot catch this error as a
 * {@link Revert}.
 */
export class OutOfGas extends Error {
  constructor() {
    super('Out of gas');
    this.name = 'OutOfGas';
  }
}

/** Formats the position of a failed call as nodes do. */
export function describeFrame({ address, classHash, selector }: FailedFrame): string {
  return `contract address: ${toPaddedHex(address)}, class hash: ${toPaddedHex(classHash)}, selector: ${toPaddedHex(selector)}`;
}

/**
 * Formats a panic as nodes do: the felt as hex with its short string, and one ENTRYPOINT_FAILED for
 * each enclosing call.
 */
function panicText(reason: string, depth: number): string {
  const felt = shortStringToFelt(reason);
  if (felt === undefined) return reason;
  const own = `${toHex(felt)} ('${reason}')`;
  if (depth <= 1) return own;
  const failed = "0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')";
  return `(${[own, ...Array.from({ length: depth - 1 }, () => failed)].join(', ')})`;
}
