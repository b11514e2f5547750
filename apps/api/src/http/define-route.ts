import type { FaultEntry } from '@sotto/kernel';
import type { RouteDefinition } from '@sotto/http-server';
import type { Credential } from './credentials.js';

/** Something that a request or reply can look like. Tests parse each with its schema. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/**
 * Budgets that requests count against, by what they cost: a read, a promise that is signed and
 * stored or asked of others, a transaction.
 */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

export interface RouteDescription extends RouteDefinition {
  readonly credential?: Credential;
  readonly limitedAs: LimitedGroup | null;
  /** Faults of the use case behind it; those of the HTTP boundary are added by themselves. */
  readonly faults: readonly FaultEntry[];
}

/** Keeps the exact types of a description. */
export function describeRoute<const D extends RouteDescription>(description: D): D {
  return description;
}
