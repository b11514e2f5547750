import { runCall, framed, type CallEnvironment, type Invocation } from './call.js';
import { Revert } from './contract.js';
import type { FailedFrame } from './failure.js';
import { selectorOf } from './felt.js';
import type { Overlay } from './state.js';

/** Call in the calldata of a Cairo 1 account's `__execute__`. */
interface AccountCall {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
}

/** Caller address that an account sees when the protocol calls it. */
const PROTOCOL = 0n;

/**
 * Runs the account's calls in order, with the account as the caller.
 * @throws CallFailure if a call fails, OutOfGas if the limit is exceeded
 */
export function runMulticall(
  environment: CallEnvironment,
  state: Overlay,
  account: bigint,
  calldata: readonly bigint[],
): Invocation {
  const selector = selectorOf('__execute__');
  const classHash = environment.world.contractAt(account, state)?.model.classHash ?? 0n;
  const frame: FailedFrame = { address: account, classHash, selector };
  const gasBefore = environment.gas.used;
  const calls = framed(frame, () =>
    decodeCalls(calldata).map(({ to, selector: target, calldata: data }) =>
      runCall(environment, state, { to, selector: target, calldata: data, caller: account }),
    ),
  );
  const result = [
    BigInt(calls.length),
    ...calls.flatMap((call) => [BigInt(call.result.length), ...call.result]),
  ];
  return {
    to: account,
    selector,
    calldata,
    caller: PROTOCOL,
    classHash,
    result,
    calls,
    events: [],
    l2Gas: environment.gas.used - gasBefore,
  };
}

/**
 * Decodes `[n, (to, selector, length, …data) × n]`.
 * @throws Revert if the felts do not have this format, as in a Cairo account
 */
function decodeCalls(calldata: readonly bigint[]): AccountCall[] {
  let position = 0;
  const next = (): bigint => {
    const felt = calldata[position];
    if (felt === undefined) throw new Revert('Failed to deserialize param #1');
    position += 1;
    return felt;
  };
  const length = (): number => {
    const felt = next();
    if (felt > BigInt(calldata.length)) throw new Revert('Failed to deserialize param #1');
    return Number(felt);
  };
  const calls = Array.from({ length: length() }, () => {
    const to = next();
    const selector = next();
    return { to, selector, calldata: Array.from({ length: length() }, next) };
  });
  if (position !== calldata.length) throw new Revert('Input too long for arguments');
  return calls;
}
