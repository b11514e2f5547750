import { isSharedFailure, type DomainError } from '@sotto/kernel';
import { PriceUnavailable } from '@sotto/market-core';
import { RecipientGasUnavailable } from '../../errors.js';
import type { NotePool } from '../../pools/domain/pool.js';
import type { AdmissionFacts } from './admission-facts.js';

/**
 * True if every queried service (node, price source) responded; a rejection is a response, too.
 * Null if all failures are inconclusive. Two kinds of failures are inconclusive: a failed read that
 * was shared with other requests, and a missing price of a swap output, whose token the caller
 * chose.
 */
export function couldBeRead(
  { kind }: NotePool,
  { chain, cost, simulation }: AdmissionFacts,
): boolean | null {
  const failures = [chain, cost, simulation].flatMap((finding) =>
    // A node that reverts only the transfer of STRK has responded.
    finding?.known === false &&
    finding.failure.kind !== 'unprocessable' &&
    finding.failure.code !== RecipientGasUnavailable.code
      ? [finding.failure]
      : [],
  );
  if (failures.length === 0) return true;
  const isOfToken = (failure: DomainError): boolean =>
    kind === 'swap_output' && failure.code === PriceUnavailable.code;
  return failures.every((failure) => isSharedFailure(failure) || isOfToken(failure)) ? null : false;
}
