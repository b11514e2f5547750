import type { Felt } from '@sotto/kernel';
import {
  MAX_RECIPIENT_GAS_FRI,
  WITHDRAW_ENTRYPOINT,
  readWithdrawalCall,
  withRecipientGas,
} from '@sotto/relayer-core';
import type { ContractCall } from './guard-calls.js';
import { selectorOf } from './selectors.js';

/** Names of `transfer` in decoded calls: its name, or its selector if the name is not listed. */
const TRANSFER_NAMES: ReadonlySet<string> = new Set(['transfer', selectorOf('transfer')]);
const TRANSFER_FELTS = 3;

/**
 * Joins a withdrawal and the transfer to its recipient into one call, as the ledger stores it.
 * Other calls are returned unchanged: a transfer of another token, to another address or above the
 * maximum does not belong to this service.
 * @param token STRK token
 */
export function withRecipientGasJoined(
  calls: readonly ContractCall[],
  token: Felt,
): readonly ContractCall[] {
  const [withdrawal, transfer] = calls.slice(-2);
  if (withdrawal === undefined || transfer === undefined) return calls;
  const { target, calldata } = withdrawal;
  const isTransfer =
    target.entrypoint === WITHDRAW_ENTRYPOINT &&
    transfer.target.to === token &&
    TRANSFER_NAMES.has(transfer.target.entrypoint) &&
    transfer.calldata.length === TRANSFER_FELTS;
  if (!isTransfer) return calls;
  const read = readWithdrawalCall(calldata);
  const amountFri = transfer.calldata.at(1);
  const isOwn =
    read !== null &&
    read.recipientGas === null &&
    transfer.calldata.feltAt(0) === read.statement.recipient &&
    amountFri > 0n &&
    amountFri <= MAX_RECIPIENT_GAS_FRI &&
    transfer.calldata.at(2) === 0n;
  if (!isOwn) return calls;
  const { recipient } = read.statement;
  const joined = withRecipientGas(calldata, { token, recipient, amountFri });
  return [...calls.slice(0, -2), { target, calldata: joined }];
}
