import {
  eventsOf,
  GasMeter,
  runCall,
  type CallEnvironment,
  type Invocation,
  type OrderedEvent,
} from './call.js';
import { NO_TRANSACTION, type BlockContext, type TransactionContext } from './contract.js';
import { CallFailure, OutOfGas } from './failure.js';
import {
  balanceOf,
  dataGasOf,
  feeOf,
  intrinsicL2Gas,
  transfer,
  type GasPrices,
  type GasUsed,
} from './fee.js';
import { selectorOf, shortStringToFelt } from './felt.js';
import { runMulticall } from './multicall.js';
import { Overlay } from './state.js';
import { maximalFee, type InvokeFields } from './transaction.js';
import type { World } from './world.js';

/**
 * Maximum L2 gas of one transaction. The limit applies even if the transaction's resource bounds
 * are higher.
 */
const EXECUTION_L2_GAS_CAP = 1_100_000_000n;

/** Address that receives the fees. */
export const SEQUENCER_ADDRESS = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n;

/** Properties of the chain and the block that an execution uses. */
export interface ExecutionContext {
  readonly world: World;
  readonly chainId: bigint;
  readonly feeToken: bigint;
  readonly block: BlockContext;
  readonly prices: GasPrices;
}

/**
 * Result of a transaction's execution. A reverted result has no invocation, because its effects are
 * undone.
 */
type ExecutionOutcome =
  | { readonly status: 'SUCCEEDED'; readonly invocation: Invocation }
  | {
      readonly status: 'REVERTED';
      readonly reason: string;
      readonly failure: CallFailure | undefined;
    };

/** Executed transaction: outcome, gas, fee and events. The events include the fee transfer. */
export interface ExecutionResult {
  readonly outcome: ExecutionOutcome;
  readonly used: GasUsed;
  /** Cost of the used gas at the block's prices, in fri. Charged only if `chargeFee` is set. */
  readonly fee: bigint;
  readonly feeTransfer: Invocation | undefined;
  readonly events: readonly OrderedEvent[];
}

export interface ExecutionOptions {
  /** True if the fee is charged and the sender's resource bounds are enforced. */
  readonly chargeFee: boolean;
  /**
   * Reason with which the transaction reverts. If it is set, the transaction's calls are not
   * executed.
   */
  readonly forcedRevert?: string | undefined;
}

/**
 * Increments the sender's nonce, runs the calls and charges the fee, all on `state`. Precondition:
 * the transaction has been validated.
 */
export function executeInvoke(
  state: Overlay,
  fields: InvokeFields,
  context: ExecutionContext,
  options: ExecutionOptions,
): ExecutionResult {
  state.setNonce(fields.sender, fields.nonce + 1n);
  const environment = environmentOf(
    context,
    options.chargeFee ? fields.bounds.l2Gas.maxAmount : EXECUTION_L2_GAS_CAP,
    {
      version: BigInt(fields.version),
      signature: fields.signature,
      proofFacts: fields.proofFacts,
    },
  );
  const changes = new Overlay(state);
  const ran = run(environment, changes, fields, options.forcedRevert);
  const used = (l1DataGas: bigint): GasUsed => ({
    l1Gas: 0n,
    l1DataGas,
    l2Gas: environment.gas.used,
  });

  const fullGas = used(dataGasOf(changes.countChangedSlots()));
  const shortfall =
    ran.status === 'SUCCEEDED' && options.chargeFee
      ? findShortfall(changes, fields, context, fullGas)
      : undefined;
  const outcome: ExecutionOutcome =
    shortfall === undefined ? ran : { status: 'REVERTED', reason: shortfall, failure: undefined };
  if (outcome.status === 'SUCCEEDED') changes.mergeInto(state);

  const gas = outcome.status === 'SUCCEEDED' ? fullGas : used(dataGasOf(0));
  const fee = feeOf(gas, context.prices, fields.tip);
  const feeTransfer = options.chargeFee
    ? takeFee(state, context, environment, fields.sender, fee)
    : undefined;
  const events = [
    ...(outcome.status === 'SUCCEEDED' ? eventsOf(outcome.invocation) : []),
    ...(feeTransfer?.events ?? []),
  ];
  return { outcome, used: gas, fee, feeTransfer, events };
}

/**
 * Runs a view call on `state`, an overlay that the caller discards. @throws CallFailure, OutOfGas
 */
export function executeCall(
  state: Overlay,
  request: { readonly to: bigint; readonly selector: bigint; readonly calldata: readonly bigint[] },
  context: ExecutionContext,
): readonly bigint[] {
  const environment = environmentOf(context, EXECUTION_L2_GAS_CAP, NO_TRANSACTION);
  return runCall(environment, state, { ...request, caller: 0n }).result;
}

/** Returns true if the sender's balance covers the maximum fee of the resource bounds. */
export function canPayBounds(state: Overlay, feeToken: bigint, fields: InvokeFields): boolean {
  return balanceOf(state, feeToken, fields.sender) >= maximalFee(fields);
}

function environmentOf(
  { world, chainId, block }: ExecutionContext,
  l2GasLimit: bigint,
  transaction: TransactionContext,
): CallEnvironment {
  const limit = l2GasLimit < EXECUTION_L2_GAS_CAP ? l2GasLimit : EXECUTION_L2_GAS_CAP;
  return { world, chainId, block, transaction, gas: new GasMeter(limit), nextEvent: 0 };
}

function run(
  environment: CallEnvironment,
  state: Overlay,
  fields: InvokeFields,
  forcedRevert: string | undefined,
): ExecutionOutcome {
  try {
    environment.gas.use(intrinsicL2Gas(fields));
    if (forcedRevert !== undefined)
      return { status: 'REVERTED', reason: forcedRevert, failure: undefined };
    return {
      status: 'SUCCEEDED',
      invocation: runMulticall(environment, state, fields.sender, fields.calldata),
    };
  } catch (error) {
    if (error instanceof CallFailure)
      return { status: 'REVERTED', reason: error.toRevertReason(), failure: error };
    if (error instanceof OutOfGas) {
      const reason = `Insufficient max L2Gas: max amount: ${environment.gas.limit}, actual used: more (${error.message}).`;
      return { status: 'REVERTED', reason, failure: undefined };
    }
    throw error;
  }
}

/**
 * Returns the reason why the fee of a finished execution cannot be paid; undefined if it can be
 * paid.
 */
function findShortfall(
  changes: Overlay,
  fields: InvokeFields,
  context: ExecutionContext,
  gas: GasUsed,
): string | undefined {
  const max = fields.bounds.l1DataGas.maxAmount;
  if (gas.l1DataGas > max)
    return `Insufficient max L1DataGas: max amount: ${max}, actual used: ${gas.l1DataGas}.`;
  const fee = feeOf(gas, context.prices, fields.tip);
  const balance = balanceOf(changes, context.feeToken, fields.sender);
  return balance < fee
    ? `Insufficient fee token balance. Fee: ${fee}, balance: ${balance}.`
    : undefined;
}

function takeFee(
  state: Overlay,
  context: ExecutionContext,
  environment: CallEnvironment,
  sender: bigint,
  fee: bigint,
): Invocation {
  transfer(state, context.feeToken, sender, SEQUENCER_ADDRESS, fee);
  const amount = [fee & ((1n << 128n) - 1n), fee >> 128n];
  return {
    to: context.feeToken,
    selector: selectorOf('transfer'),
    calldata: [SEQUENCER_ADDRESS, ...amount],
    caller: sender,
    classHash: context.world.contractAt(context.feeToken)?.model.classHash ?? 0n,
    result: [1n],
    calls: [],
    events: [
      {
        order: environment.nextEvent,
        from: context.feeToken,
        keys: [selectorOf('Transfer'), sender, SEQUENCER_ADDRESS],
        data: amount,
      },
    ],
    l2Gas: 0n,
  };
}

/** Felt that an account returns for a valid signature. */
const VALID = shortStringToFelt('VALID') ?? 0n;

/**
 * Returns the trace of a successful validation. The engine validates without running the account's
 * `__validate__`, so this function constructs the trace.
 */
export function validateInvocation(fields: InvokeFields, context: ExecutionContext): Invocation {
  return {
    to: fields.sender,
    selector: selectorOf('__validate__'),
    calldata: fields.calldata,
    caller: 0n,
    classHash: context.world.contractAt(fields.sender)?.model.classHash ?? 0n,
    result: [VALID],
    calls: [],
    events: [],
    l2Gas: 0n,
  };
}
