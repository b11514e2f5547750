import type { Caller, Clock, DomainError, LogFields, Logger } from '@sotto/kernel';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import type { CachedResponse } from './cached-response.js';
import { InvalidRequest } from './errors.js';

/** Example of a request or response in the OpenAPI document. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

export interface ReplyDefinition {
  readonly description: string;
  /** Content type of a text that `implementStream` streams. @default JSON */
  readonly contentType?: string;
  readonly schema: z.ZodType;
  /** Headers that this response may have, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}

/**
 * Cache durations of a response with status 200, in ms. The age of a response is measured from the
 * start of its computation.
 */
interface CachePolicy {
  /**
   * Value of the header `Cache-Control`. The response also has an ETag, and a caller with the same
   * ETag gets 304.
   */
  readonly cacheControl: string;
  /** Age in ms below which a response is returned without a renewal. */
  readonly freshMs: number;
  /**
   * Age in ms below which a response is returned while it is being renewed. An older response is
   * never returned, even if the renewal failed.
   */
  readonly staleMs: number;
}

/** A route as data. The router, the checks and the OpenAPI document use the definition. */
export interface RouteDefinition {
  readonly method: 'get' | 'post';
  /**
   * Express pattern of the path, such as `/api/things/:id`. The log contains the pattern instead of
   * the URL, because a URL may contain ids.
   */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Kind of API token that a request must have. @default none: any caller may send requests */
  readonly credential?: string;
  /** Rate limit group in which a caller's requests are counted. Null if they are not counted. */
  readonly limitedAs: string | null;
  readonly body?: {
    readonly schema: z.ZodType;
    /** Maximum size of the body in bytes, after decompression. */
    readonly limitBytes: number;
    /**
     * Set if a body can be large. The budget of all large bodies then counts the body's bytes until
     * the response closes.
     */
    readonly isLarge?: true;
    readonly examples: Examples;
  };
  /** @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
  /** @default no cache: each request runs the handler, and its response has `no-store` */
  readonly cached?: CachePolicy;
  /** Fields that every error response of this route has in addition to the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

/** Definition of a route whose responses are cached. */
export type CachedDefinition = RouteDefinition & {
  readonly method: 'get';
  readonly cached: CachePolicy;
};

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** Parts of a request, as parsed by the schemas of the definition. */
export interface PartsOf<D extends RouteDefinition> {
  readonly body: D extends { readonly body: { readonly schema: infer S } } ? Output<S> : undefined;
  readonly query: D extends { readonly query: infer S } ? Output<S> : Record<string, never>;
  readonly params: D extends { readonly params: infer S } ? Output<S> : undefined;
  readonly headers: D extends { readonly headers: infer S } ? Output<S> : undefined;
}

/** Input of a handler. */
export interface InputOf<D extends RouteDefinition> extends PartsOf<D> {
  readonly caller: Caller;
  /** Name of the holder of the request's API token. Null if the route requires no token. */
  readonly holder: string | null;
  /**
   * Aborts when the caller has disconnected, or when the service stops and waiting requests must
   * respond.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when `signal` does, and when the service accepts no more connections. A request that
   * only waits for a change then responds, so that it does not delay the stop.
   */
  readonly closing: AbortSignal;
  /**
   * Adds fields to the log line of the request. If a message is given, the fields are also logged
   * at once, with the request's id.
   */
  readonly note: (fields: LogFields, message?: string) => void;
}

/**
 * Result of a handler: one of the documented statuses, with a body that matches the schema of that
 * status.
 */
export type AnswerOf<D extends RouteDefinition> = {
  readonly [Status in keyof D['replies'] & number]: {
    readonly status: Status;
    readonly body: Immutable<z.input<D['replies'][Status]['schema']>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof D['replies'] & number];

/** Body of the route's response with status 200. */
export type BodyOf<D extends RouteDefinition> = Extract<
  AnswerOf<D>,
  { readonly status: 200 }
>['body'];

/** Type of an Express handler, without type parameters. */
export type RouteHandler = (
  request: Request,
  response: Response,
  next: NextFunction,
) => Promise<void>;

/** Dependencies that routes need to serve requests. */
export interface RouteDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ServedRoute {
  readonly handler: RouteHandler;
  /** Cache of the route's responses. Undefined for a route without a cache. */
  readonly cache?: CachedReplies;
}

/** Cached responses of one route. */
export interface CachedReplies {
  /**
   * Returns the cached response for a request target, if it can be sent without running the
   * handler. Undefined if the handler must run.
   */
  ready(target: string): CachedResponse | undefined;
}

/** Limits that a route applies in its own sequence. */
export interface RouteLimits {
  /**
   * Returns the middleware that counts a request in a rate limit group and, if the group sends
   * transactions, among the requests in flight. If `read` is given, the middleware reads the body
   * in between.
   */
  readonly admission: (group: string | null, read?: RequestHandler) => readonly RequestHandler[];
  /** Middleware that reads the body. Undefined for a route without a body. */
  readonly read: RequestHandler | undefined;
}

/** Error response of a route whose errors do not have the usual body. */
export interface RenderedFailure {
  readonly status: number;
  readonly body: object;
}

/**
 * Converts an error to the response of a route. Receives `InternalError` for a bug.
 * @param response response whose `locals` the route's middleware has set
 */
export type RenderFailure = (failure: DomainError, response: Response) => RenderedFailure;

/** A definition with its handler. */
export abstract class Route {
  abstract readonly definition: RouteDefinition;
  abstract readonly serve: (deps: RouteDeps) => ServedRoute;
  /** @default one admission in the group of the definition */
  abstract readonly admit?: (limits: RouteLimits) => readonly RequestHandler[];
  /** @default the usual body and the status of the error's kind */
  abstract readonly renderFailure?: RenderFailure;
}

/**
 * Error for a response that does not match its schema. Such a response is a bug of the service, and
 * the caller gets status 500.
 */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';
}

/** Parses a body with the schema of its status. @throws ReplyMismatch if the schema rejects it */
export function checkedReply(definition: RouteDefinition, status: number, body: unknown): unknown {
  const reply = definition.replies[status]?.schema.safeParse(body);
  if (reply?.success !== true)
    throw new ReplyMismatch(`${definition.operationId} made a reply that its schema refuses`);
  return reply.data;
}

/** Returns true if a request may omit the value of this schema. */
export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

const NO_QUERY = z.strictObject({});

/** Parses the parts of a request. @throws InvalidRequest if a schema rejects a part */
export function partsOf<D extends RouteDefinition>(definition: D, request: Request): PartsOf<D> {
  const parts = {
    body: parsed(definition.body?.schema, request.body, 'body'),
    query: parsed(definition.query ?? NO_QUERY, request.query, 'query'),
    params: parsed(definition.params, request.params, 'path'),
    headers: parsed(definition.headers, request.headers, 'headers'),
  };
  // CAST: TypeScript does not resolve conditional types for an open D; each part is the output of
  // exactly the schema that D names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parts as PartsOf<D>;
}

function parsed(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  const result = schema?.safeParse(value);
  if (result?.success === false) throw InvalidRequest.from(result.error, part);
  return result?.data;
}
