import { createHash } from 'node:crypto';
import { divideUp } from '@sotto/kernel';
import type { GasUsed, ResourceLimits, SimulationResult } from '@sotto/submission-core';
import type { PrivateActionCost } from '../domain/private-action-cost.js';
import type { PrivateActionFacts, PrivateActionRequest } from './private-action-facts.js';

/** Time that a transaction may need from its last send until it is included, in milliseconds. */
const INCLUSION_MS = 60_000;

/** Gas of the account's validation and of the fee transfer, which a simulation does not contain. */
const SPARE_L2_GAS = 5_000_000n;
const SPARE_DATA_GAS = 512n;

/**
 * Returns limits a quarter above the gas of the simulation. Contracts that the caller chose may use
 * more gas on chain than in the simulation. The limits bound this cost.
 * @param most limits of every transaction
 */
export function limitsFor(simulation: SimulationResult, most: ResourceLimits): ResourceLimits {
  const gas = simulation.ok ? simulation.gas : undefined;
  if (gas === undefined) return most;
  return {
    ...most,
    l2Gas: limitOf(gas.l2Gas, SPARE_L2_GAS, most.l2Gas),
    l1DataGas: limitOf(gas.l1DataGas, SPARE_DATA_GAS, most.l1DataGas),
  };
}

/**
 * Returns the cost in fri of a transaction that uses the whole gas limit at the present price. The
 * budget of a sponsor is charged with this cost, because contracts that the caller chose may use
 * the whole limit.
 */
export function ceilingFri(
  { gasFri, poolFeeFri }: Pick<PrivateActionCost, 'gasFri' | 'poolFeeFri'>,
  simulation: SimulationResult,
  { l2Gas: limit }: Pick<ResourceLimits, 'l2Gas'>,
): bigint {
  const used = simulation.ok ? simulation.gas?.l2Gas : undefined;
  const wholeFri = used === undefined || used === 0n ? gasFri : divideUp(gasFri * limit, used);
  return (wholeFri > gasFri ? wholeFri : gasFri) + poolFeeFri;
}

function limitOf(used: bigint, spare: bigint, most: bigint): bigint {
  const wanted = (used * 5n) / 4n + spare;
  return wanted < most ? wanted : most;
}

/** True if a transaction that uses this gas in its simulation can run within the limits. */
export function fitsLimits(
  gas: GasUsed | undefined,
  { l2Gas, l1DataGas }: ResourceLimits,
): boolean {
  return (
    gas === undefined ||
    (gas.l2Gas + SPARE_L2_GAS <= l2Gas && gas.l1DataGas + SPARE_DATA_GAS <= l1DataGas)
  );
}

/**
 * Returns the time after which the transaction is not sent any more, because the user's account
 * would refuse its calls, in Unix milliseconds. Infinity without such calls.
 */
export function latestSendMs({ outsideCalls }: PrivateActionRequest): number {
  return outsideCalls === null
    ? Infinity
    : Number(outsideCalls.executeBefore) * 1_000 - INCLUSION_MS;
}

/** Returns the names of the locks that a submission of the request needs. */
export function lockNamesOf({
  pool,
  effects,
  outsideCalls: calls,
}: PrivateActionRequest): readonly string[] {
  return [
    ...effects.writeOnceAddresses.map((address) => `write_once|${pool.address}|${address}`),
    ...(calls === null ? [] : [`outside_calls|${calls.account}|${calls.nonce}`]),
  ];
}

/** Returns a digest of everything in the request that a check may judge. */
export function digestOf(
  { payload, feeMode }: PrivateActionRequest,
  { sponsor }: Pick<PrivateActionFacts, 'sponsor'>,
): string {
  const { calldata, facts, outsideExecution: outside, proof } = payload;
  const payer = sponsor?.known === true ? sponsor.value?.name : undefined;
  // The lengths separate the parts: equal bytes can be divided in several ways.
  const lengths = [calldata, facts, outside?.calldata, proof].map((part) => part?.length);
  const hash = createHash('sha256').update(
    JSON.stringify([feeMode, payer, outside?.account, lengths]),
  );
  for (const felts of [calldata, facts, outside?.calldata]) hash.update(felts?.toBytes() ?? '');
  return hash.update(proof).digest('hex');
}
