import type { ErrorCode } from '@sotto/facts';
import type * as z from 'zod';
import type { Tag } from './tags.js';

/** Something that a request or reply can look like. Tests parse each with its schema. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}
type Examples = Readonly<Record<string, Example>>;

interface ReplyDefinition {
  readonly description: string;
  /** Text of this type, streamed as it comes. @default JSON */
  readonly contentType?: 'text/csv' | 'text/event-stream';
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}

/** Whose token a route asks for. */
export type Credential = 'curator' | 'operator';

/**
 * Budgets that requests count against, by what they cost: a read, a promise that is signed and
 * stored or asked of others, a transaction.
 */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

/** A route of the service as data. */
export interface RouteDefinition {
  readonly method: 'get' | 'post';
  /** With parameters as `:name`. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** @default none: any caller may ask */
  readonly credential?: Credential;
  /** The budget that a caller's requests count against; null for none. */
  readonly limitedAs: LimitedGroup | null;
  /** Present if a field of the request is a felt: then `INVALID_FELT` can be the answer. */
  readonly felts?: true;
  /** A JSON body, and the bytes that it may have once decompressed. */
  readonly body?: {
    readonly schema: z.ZodType;
    readonly limitBytes: number;
    readonly examples: Examples;
  };
  /** @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** By status. */
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
  /**
   * How long an answer may be served from memory: at once while it is fresh (about as long as a
   * block is taken for the latest, where the answer is of a block), while it is renewed until it
   * is stale.
   * @default each request is answered by itself
   */
  readonly cached?: {
    readonly cacheControl: string;
    readonly freshMs: number;
    readonly staleMs: number;
  };
  /** Codes of the use case behind it; those of the HTTP boundary are added by themselves. */
  readonly errors: readonly ErrorCode[];
  /** What every failure of this route carries besides the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

/** Keeps the exact types of a definition: types of handlers and of the client come from it. */
export function describeRoute<const D extends RouteDefinition>(definition: D): D {
  return definition;
}
