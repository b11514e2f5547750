import type { Felt, Felts } from '@sotto/kernel';
import { FeltReader, readServerAction, type ServerAction } from './server-action.js';

/** Entry point of the pool that every account may call with proven actions. */
export const APPLY_ACTIONS_ENTRYPOINT = 'apply_actions';

/**
 * Version of the pool's class. Calls of `2.0` have a screening argument after the actions, calls of
 * the older class have none.
 */
export type PoolVersion = '2.0' | 'before 2.0';

/** Parsed calldata of `apply_actions`. */
export interface ApplyActionsCall {
  /** Version of the class that reads this call. */
  readonly version: PoolVersion;
  readonly actions: readonly ServerAction[];
  /** Felts of the actions with their number. The proof's message hash covers them. */
  readonly actionFelts: Felts;
}

/** Number of felts of an attestation: time, and the signature's two numbers. */
const ATTESTATION_FELTS = 3;
const [SOME, NONE] = ['0x0', '0x1'];

/**
 * Parses the calldata of `apply_actions`.
 * @throws ActionsUnreadable also if felts follow the call
 */
export function readApplyActions(calldata: Felts): ApplyActionsCall {
  const felts = new FeltReader(calldata);
  const count = felts.count();
  const actions = Array.from({ length: count }, () => readServerAction(felts));
  const actionFelts = calldata.slice(0, felts.position);
  const version = felts.left === 0 ? 'before 2.0' : '2.0';
  if (version === '2.0') skipScreening(felts);
  if (felts.left > 0) {
    felts.felt();
    throw felts.unknown('FELTS_AFTER_THE_CALL');
  }
  return { version, actions, actionFelts };
}

function skipScreening(felts: FeltReader): void {
  const variant: string = felts.felt();
  if (variant === NONE) return;
  if (variant !== SOME) throw felts.unknown('UNKNOWN_SCREENING');
  felts.skip(ATTESTATION_FELTS);
}

/** Effects of the actions that a relayer must know. */
export interface ActionEffects {
  /** Storage addresses that the actions write once, sorted and without repetition. */
  readonly writeOnceAddresses: readonly Felt[];
  /** Payments to the relayer, in the order of the actions. */
  readonly fees: readonly { readonly token: Felt; readonly amount: bigint }[];
  /** Accounts whose tokens the actions deposit, without repetition. */
  readonly depositors: readonly Felt[];
  /** Contracts that the pool invokes, without repetition. */
  readonly invokedContracts: readonly Felt[];
}

/** @param feeAddress account that earns the relayer's fees */
export function effectsOf(actions: readonly ServerAction[], feeAddress: Felt): ActionEffects {
  const written = actions.flatMap((action) =>
    action.kind === 'write_once' ? [action.address] : [],
  );
  return {
    writeOnceAddresses: [...new Set(written)].toSorted(),
    fees: actions.flatMap((action) =>
      action.kind === 'transfer_to' && action.to === feeAddress
        ? [{ token: action.token, amount: action.amount }]
        : [],
    ),
    depositors: [
      ...new Set(
        actions.flatMap((action) => (action.kind === 'transfer_from' ? [action.from] : [])),
      ),
    ],
    invokedContracts: [
      ...new Set(actions.flatMap((action) => (action.kind === 'invoke' ? [action.contract] : []))),
    ],
  };
}
