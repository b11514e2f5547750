import { Revert } from './contract.js';
import { shortStringToFelt, toHex, toPaddedHex } from './felt.js';

/** Where a call failed. */
export interface FailedFrame {
  readonly address: bigint;
  readonly classHash: bigint;
  readonly selector: bigint;
}

/**
 * The specification's CONTRACT_EXECUTION_ERROR: frames from the outside in, the reason innermost.
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
 * A failed call with the frames around it. Models may catch it as {@link Revert}: the failed call
 * has left nothing behind.
 */
export class CallFailure extends Revert {
  constructor(
    readonly frame: FailedFrame,
    readonly inner: CallFailure | string,
  ) {
    super(inner instanceof CallFailure ? inner.message : inner);
    this.name = 'CallFailure';
  }

  /** As `starknet_call` and the simulation's error 41 report it. */
  toWire(): ContractExecutionError {
    return {
      contract_address: toHex(this.frame.address),
      class_hash: toHex(this.frame.classHash),
      selector: toHex(this.frame.selector),
      error: this.inner instanceof CallFailure ? this.inner.toWire() : panicText(this.inner, 0),
    };
  }

  /** As a receipt's `revert_reason` words it. */
  toRevertReason(): string {
    const lines = [
      'Transaction execution has failed:',
      `0: Error in the called contract (${describeFrame(this.frame)}):`,
      'Execution failed. Failure reason:',
      // The stack of the panic begins with the called contract again.
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
 * The gas limit of the transaction or call is used up; models cannot catch it as a {@link Revert}.
 */
export class OutOfGas extends Error {
  constructor() {
    super('Out of gas');
    this.name = 'OutOfGas';
  }
}

/** Where a call failed, as nodes print it. */
export function describeFrame({ address, classHash, selector }: FailedFrame): string {
  return `contract address: ${toPaddedHex(address)}, class hash: ${toPaddedHex(classHash)}, selector: ${toPaddedHex(selector)}`;
}

/**
 * A panic as nodes print it: each felt as hex with its short string; every call around it adds
 * ENTRYPOINT_FAILED.
 */
function panicText(reason: string, depth: number): string {
  const felt = shortStringToFelt(reason);
  if (felt === undefined) return reason;
  const own = `${toHex(felt)} ('${reason}')`;
  if (depth <= 1) return own;
  const failed = "0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')";
  return `(${[own, ...Array.from({ length: depth - 1 }, () => failed)].join(', ')})`;
}
