import { isSharedFailure, type DomainError } from '@sotto/kernel';
import { PriceUnavailable } from '@sotto/market-core';
import type { NotePool } from '../../pools/domain/pool.js';
import type { AdmissionFacts } from './admission-facts.js';

/**
 * Whether node and prices answered, as far as they were asked; a refusal by either is an answer.
 * Null if all failures say nothing: reads that shared their request with others, and the missing
 * price of a swap output, whose token is the caller's choice.
 */
export function couldBeRead(
  { kind }: NotePool,
  { chain, cost, simulation }: AdmissionFacts,
): boolean | null {
  const failures = [chain, cost, simulation].flatMap((finding) =>
    finding?.known === false && finding.failure.kind !== 'unprocessable' ? [finding.failure] : [],
  );
  if (failures.length === 0) return true;
  const isOfToken = (failure: DomainError): boolean =>
    kind === 'swap_output' && failure.code === PriceUnavailable.code;
  return failures.every((failure) => isSharedFailure(failure) || isOfToken(failure)) ? null : false;
}
