import type { ErrorEntry } from '@sotto/kernel';
import type { Caller } from '@sotto/relayer-core';
import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import { InvalidRequest } from './errors.js';
import type { Credential } from './middleware/authorization.js';
import type { LimitedGroup } from './middleware/rate-limits.js';
import { callerOf, stoppingOf } from './middleware/request-context.js';
import type { CachedResponse } from './cached-response.js';

/**
 * Something that a request or reply can look like, for the OpenAPI document. Tests parse each with
 * its schema.
 */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

export interface ReplyDefinition {
  readonly description: string;
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Examples;
}
type Replies = Readonly<Record<number, ReplyDefinition>>;

/** A JSON body and what bounds it. */
interface BodyDefinition {
  readonly schema: z.ZodType;
  /** Largest body in bytes, once decompressed. */
  readonly limitBytes: number;
  readonly examples: Examples;
}

/**
 * How long an answer of status 200 is cached. Its age counts from the moment in which it was asked
 * for.
 */
export interface KeptFor {
  /** `Cache-Control` of the answer, which has an ETag; a caller that has it gets 304. */
  readonly cacheControl: string;
  /**
   * Younger answers are returned as they are: about as long as a block is taken for the latest,
   * where the answer is of a block.
   */
  readonly freshMs: number;
  /**
   * Younger answers are returned while they are renewed; older ones never, even when the renewal
   * failed.
   */
  readonly staleMs: number;
}

/** What the router, the reply check and the OpenAPI document know of a route. */
export interface RouteDescription {
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
  readonly credential?: Credential;
  /** The budget that a caller's requests count against; null for none. */
  readonly limitedAs: LimitedGroup | null;
  readonly body?: BodyDefinition;
  /** @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly replies: Replies;
  /** @default no cache: each request runs the use case again and is answered with `no-store` */
  readonly kept?: KeptFor;
  /** Errors of the use case behind it; those of the HTTP boundary are added by themselves. */
  readonly errors: readonly ErrorEntry[];
  /** What every failure of this route carries besides the usual body. */
  readonly failure?: {
    readonly schema: z.ZodType;
    readonly fields: Readonly<Record<string, string | number>>;
  };
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** The parsed parts of a request. */
export interface PartsOf<D extends RouteDescription> {
  readonly body: D extends { readonly body: { readonly schema: infer S } } ? Output<S> : undefined;
  readonly query: D extends { readonly query: infer S } ? Output<S> : Record<string, never>;
  readonly params: D extends { readonly params: infer S } ? Output<S> : undefined;
  readonly headers: D extends { readonly headers: infer S } ? Output<S> : undefined;
}

/** Input of a handler that answers this one request. */
export interface InputOf<D extends RouteDescription> extends PartsOf<D> {
  readonly caller: Caller;
  /** Aborts when the caller has gone, or when the service stops and wants its answers out. */
  readonly signal: AbortSignal;
}

/** What a handler answers: one of the documented statuses with a body of its schema. */
export type AnswerOf<D extends RouteDescription> = {
  readonly [Status in keyof D['replies'] & number]: {
    readonly status: Status;
    readonly body: Immutable<z.input<D['replies'][Status]['schema']>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof D['replies'] & number];

/** Express' handler, without its type parameters. */
export type RouteHandler = (
  request: Request,
  response: Response,
  next: NextFunction,
) => Promise<void>;

/** A route that is ready to be served. */
export abstract class Route {
  abstract readonly definition: RouteDescription;
  abstract readonly handler: RouteHandler;
  /** Of a route whose answers are kept. */
  abstract readonly kept?: KeptRoute;
}

/** Answers that are held. */
export interface KeptRoute {
  /**
   * What a request with this target gets without any further work; undefined when its handler must
   * be asked.
   */
  ready(target: string): CachedResponse | undefined;
}

/**
 * Keeps the exact types of a description. One description feeds the router, the checks of requests
 * and replies, and OpenAPI.
 */
export function describeRoute<const D extends RouteDescription>(description: D): D {
  return description;
}

/** A reply that its own schema refuses: a bug, answered 500. */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';
}

const NO_QUERY = z.strictObject({});

/**
 * The handler of a described route: parses the request, and parses the reply against the schema of
 * its status before it is sent, so that unknown keys never leak.
 */
export function handlerFor<D extends RouteDescription>(
  definition: D,
  answer: (input: InputOf<D>) => Promise<AnswerOf<NoInfer<D>>>,
): RouteHandler {
  return async (request, response) => {
    const signal = AbortSignal.any([stoppingOf(response), goneOf(response)]);
    const { status, body, headers } = await answer({
      ...partsOf(definition, request),
      caller: callerOf(response),
      signal,
    });
    const reply = checkedReply(definition, status, body);
    response
      .status(status)
      .set({ ...headers })
      .json(reply);
  };
}

/** A body as the schema of its status lets it out. @throws ReplyMismatch for what that refuses */
export function checkedReply(definition: RouteDescription, status: number, body: unknown): unknown {
  const reply = definition.replies[status]?.schema.safeParse(body);
  if (reply?.success !== true)
    throw new ReplyMismatch(`${definition.operationId} made a reply that its schema refuses`);
  return reply.data;
}

/** The request's parts, parsed. @throws InvalidRequest for what a schema refuses */
export function partsOf<D extends RouteDescription>(definition: D, request: Request): PartsOf<D> {
  const parts = {
    body: parsePart(definition.body?.schema, request.body, 'body'),
    query: parsePart(definition.query ?? NO_QUERY, request.query, 'query'),
    params: parsePart(definition.params, request.params, 'path'),
    headers: parsePart(definition.headers, request.headers, 'headers'),
  };
  // CAST: TypeScript does not resolve conditional types for an open D; each part is the output of
  // exactly the schema that D names.
  return parts as PartsOf<D>;
}

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  const result = schema?.safeParse(value);
  if (result?.success === false) throw InvalidRequest.from(result.error, part);
  return result?.data;
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
