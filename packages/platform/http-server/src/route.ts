import type { Caller, Clock, LogFields, Logger } from '@sotto/kernel';
import type { NextFunction, Request, Response } from 'express';
import * as z from 'zod';
import type { CachedResponse } from './cached-response.js';
import { InvalidRequest } from './errors.js';

/** Something that a request or reply can look like, for the OpenAPI document. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

export interface ReplyDefinition {
  readonly description: string;
  /** Text of this type, streamed by `implementStream`. @default JSON */
  readonly contentType?: string;
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}

/**
 * How long an answer of status 200 is cached. Its age counts from the moment in which it was asked
 * for.
 */
interface CachePolicy {
  /** `Cache-Control` of the answer, which has an ETag; a caller that has it gets 304. */
  readonly cacheControl: string;
  /** Younger answers are returned as they are. */
  readonly freshMs: number;
  /**
   * Younger answers are returned while they are renewed; older ones never, even when the renewal
   * failed.
   */
  readonly staleMs: number;
}

/** A route as data: what the router, the checks and the OpenAPI document know of it. */
export interface RouteDefinition {
  readonly method: 'get' | 'post';
  /**
   * Express pattern, such as `/api/things/:id`. Also what the log prints, so that ids stay out of
   * it.
   */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Whose token a request must carry. @default none: any caller may ask */
  readonly credential?: string;
  /** The budget that a caller's requests count against; null for none. */
  readonly limitedAs: string | null;
  readonly body?: {
    readonly schema: z.ZodType;
    /** Largest body in bytes, once decompressed. */
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
  /** What every failure of this route carries besides the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

/** A definition whose answers are cached. */
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

/** The parsed parts of a request. */
export interface PartsOf<D extends RouteDefinition> {
  readonly body: D extends { readonly body: { readonly schema: infer S } } ? Output<S> : undefined;
  readonly query: D extends { readonly query: infer S } ? Output<S> : Record<string, never>;
  readonly params: D extends { readonly params: infer S } ? Output<S> : undefined;
  readonly headers: D extends { readonly headers: infer S } ? Output<S> : undefined;
}

/** What a handler is given of a request. */
export interface InputOf<D extends RouteDefinition> extends PartsOf<D> {
  readonly caller: Caller;
  /** Name of the token that opened the route; null where it asks for none. */
  readonly holder: string | null;
  /** Aborts when the caller has gone, or when the service stops and wants its answers out. */
  readonly signal: AbortSignal;
  /**
   * Adds fields to the request's line in the log, and with a message logs them at once with the
   * request's id.
   */
  readonly note: (fields: LogFields, message?: string) => void;
}

/** What a handler answers: one of the documented statuses with a body of its schema. */
export type AnswerOf<D extends RouteDefinition> = {
  readonly [Status in keyof D['replies'] & number]: {
    readonly status: Status;
    readonly body: Immutable<z.input<D['replies'][Status]['schema']>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof D['replies'] & number];

/** The body of its answer of status 200. */
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

/** What routes are served with. */
export interface RouteDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ServedRoute {
  readonly handler: RouteHandler;
  /** Of a route whose answers are cached. */
  readonly cache?: CachedReplies;
}

/** Answers that are cached. */
export interface CachedReplies {
  /**
   * What a request with this target gets without any further work; undefined when its handler must
   * be asked.
   */
  ready(target: string): CachedResponse | undefined;
}

/** A definition and what answers it. */
export abstract class Route {
  abstract readonly definition: RouteDefinition;
  abstract readonly serve: (deps: RouteDeps) => ServedRoute;
}

/** A reply that its own schema refuses: a bug, answered 500. */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';
}

/** A body as the schema of its status lets it out. @throws ReplyMismatch for what that refuses */
export function checkedReply(definition: RouteDefinition, status: number, body: unknown): unknown {
  const reply = definition.replies[status]?.schema.safeParse(body);
  if (reply?.success !== true)
    throw new ReplyMismatch(`${definition.operationId} made a reply that its schema refuses`);
  return reply.data;
}

/** Whether a request may leave out what this schema is of. */
export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

const NO_QUERY = z.strictObject({});

/** The request's parts, parsed. @throws InvalidRequest for what a schema refuses */
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
