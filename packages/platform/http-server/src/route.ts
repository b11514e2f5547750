import type { Caller, Clock, LogFields, Logger } from '@sotto/kernel';
import type { NextFunction, Request, Response } from 'express';
import * as z from 'zod';
import type { CachedResponse } from './cached-response.js';
import { InvalidRequest } from './errors.js';

/** Example of a request or reply, for the OpenAPI document. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

export interface ReplyDefinition {
  readonly description: string;
  /** Content type of a text that is streamed by `implementStream`. @default JSON */
  readonly contentType?: string;
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}

/**
 * Cache durations of a reply of status 200, in ms. The age of a reply counts from the start of its
 * computation.
 */
interface CachePolicy {
  /** `Cache-Control` of the reply, which has an ETag; a caller with the same ETag gets 304. */
  readonly cacheControl: string;
  /** Younger replies are returned unchanged. */
  readonly freshMs: number;
  /**
   * Younger replies are returned while they are renewed; older ones never, even if the renewal
   * failed.
   */
  readonly staleMs: number;
}

/** Route as data, for the router, the checks and the OpenAPI document. */
export interface RouteDefinition {
  readonly method: 'get' | 'post';
  /**
   * Express pattern, such as `/api/things/:id`. The log prints it instead of the URL, which may
   * contain ids.
   */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Kind of token that a request must carry. @default none: any caller may send requests */
  readonly credential?: string;
  /** Rate limit group that a caller's requests count against; null for none. */
  readonly limitedAs: string | null;
  readonly body?: {
    readonly schema: z.ZodType;
    /** Maximum size of the body in bytes, after decompression. */
    readonly limitBytes: number;
    readonly examples: Examples;
  };
  /** @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly replies: Readonly<Record<number, ReplyDefinition>>;
  /** @default no cache: each request runs the handler again and is answered with `no-store` */
  readonly cached?: CachePolicy;
  /** Fields that every failure of this route carries in addition to the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

/** Definition whose replies are cached. */
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

/** Parsed parts of a request. */
export interface PartsOf<D extends RouteDefinition> {
  readonly body: D extends { readonly body: { readonly schema: infer S } } ? Output<S> : undefined;
  readonly query: D extends { readonly query: infer S } ? Output<S> : Record<string, never>;
  readonly params: D extends { readonly params: infer S } ? Output<S> : undefined;
  readonly headers: D extends { readonly headers: infer S } ? Output<S> : undefined;
}

/** Input of a handler. */
export interface InputOf<D extends RouteDefinition> extends PartsOf<D> {
  readonly caller: Caller;
  /** Name of the token that opened the route; null if it requires none. */
  readonly holder: string | null;
  /** Aborts when the caller has disconnected, or when the service stops and needs its replies. */
  readonly signal: AbortSignal;
  /**
   * Adds fields to the request's line in the log. With a message it also logs them at once, with
   * the request's id.
   */
  readonly note: (fields: LogFields, message?: string) => void;
}

/** Result of a handler: one of the documented statuses with a body of its schema. */
export type AnswerOf<D extends RouteDefinition> = {
  readonly [Status in keyof D['replies'] & number]: {
    readonly status: Status;
    readonly body: Immutable<z.input<D['replies'][Status]['schema']>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof D['replies'] & number];

/** Body of its reply of status 200. */
export type BodyOf<D extends RouteDefinition> = Extract<
  AnswerOf<D>,
  { readonly status: 200 }
>['body'];

/** Express' handler, without its type parameters. */
export type RouteHandler = (
  request: Request,
  response: Response,
  next: NextFunction,
) => Promise<void>;

/** Dependencies for serving routes. */
export interface RouteDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ServedRoute {
  readonly handler: RouteHandler;
  /** Cache of a route whose replies are cached. */
  readonly cache?: CachedReplies;
}

/** Replies that are cached. */
export interface CachedReplies {
  /**
   * Returns the reply to a target that needs no further work; undefined if the handler must run.
   */
  ready(target: string): CachedResponse | undefined;
}

/** Definition and its handler. */
export abstract class Route {
  abstract readonly definition: RouteDefinition;
  abstract readonly serve: (deps: RouteDeps) => ServedRoute;
}

/** Reply that does not match its own schema: a bug, answered with 500. */
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

/** True if a request may omit the value of this schema. */
export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

const NO_QUERY = z.strictObject({});

/** Parses the parts of a request. @throws InvalidRequest if a schema rejects one */
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
