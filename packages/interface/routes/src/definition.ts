import type { ErrorCode } from '@sotto/facts';
import type * as z from 'zod';
import type { Tag } from './tags.js';

/** Example of a request or reply. Tests parse each example with its schema. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}
type Examples = Readonly<Record<string, Example>>;

interface ReplyDefinition {
  readonly description: string;
  /** Content type of a reply that is streamed as text. @default JSON */
  readonly contentType?: 'text/csv' | 'text/event-stream';
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}

/** Kind of API token that a route requires. */
export type Credential = 'curator' | 'operator';

/**
 * Rate limit groups, by the cost of a request. `reads` are cheap. `quotes` are signed and stored,
 * or requested from external services. `submissions` send a transaction.
 */
export type LimitedGroup = 'reads' | 'quotes' | 'submissions';

/** A route of the service as data. */
export interface RouteDefinition {
  readonly method: 'get' | 'post';
  /** Path with parameters as `:name`. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /**
   * Kind of API token that the caller must send. @default no token: any caller may send requests
   */
  readonly credential?: Credential;
  /**
   * Rate limit group in which the route's requests are counted; null if the route has no rate
   * limit.
   */
  readonly limitedAs: LimitedGroup | null;
  /** Set if a field of the request is a felt; `INVALID_FELT` is then a possible error. */
  readonly felts?: true;
  /** JSON body, with its maximum size in bytes after decompression. */
  readonly body?: {
    readonly schema: z.ZodType;
    readonly limitBytes: number;
    /**
     * Set if a body can be large. The budget of all large bodies then counts the body's bytes until
     * the response closes.
     */
    readonly isLarge?: true;
    readonly examples: Examples;
  };
  /** Schema of the query. @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** Replies by HTTP status. */
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
  /**
   * Durations, in milliseconds, for which a reply may be served from memory. A fresh reply is
   * served directly. A stale reply is still served while a new reply is computed. For data of a
   * block, `freshMs` is about the time between two blocks.
   * @default each request is computed separately
   */
  readonly cached?: {
    readonly cacheControl: string;
    readonly freshMs: number;
    readonly staleMs: number;
  };
  /** Error codes of the use case. Codes of the HTTP boundary are added automatically. */
  readonly errors: readonly ErrorCode[];
  /**
   * Set for a JSON-RPC endpoint. Failures of such an endpoint are error objects with status 200,
   * except failures of limits and the codes in `errors` of the definition. The codes in
   * `rpc.errors` appear in error objects.
   */
  readonly rpc?: { readonly errors: readonly ErrorCode[] };
  /** Fields that every failure of this route carries in addition to the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

/**
 * Returns the definition with its exact type: types of handlers and of the client are derived from
 * this type.
 */
export function describeRoute<const D extends RouteDefinition>(definition: D): D {
  return definition;
}
