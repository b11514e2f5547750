import type { IncomingHttpHeaders } from 'node:http';
import type { FaultEntry } from '@sotto/relayer-core';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { InvalidRequest } from './errors.js';
import { stoppingOf } from './middleware/request-context.js';

export interface ReplyDefinition {
  readonly description: string;
  readonly schema: z.ZodType;
  /** Response headers that this reply may carry, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
}
export type Replies = Readonly<Record<number, ReplyDefinition>>;

/** What a handler answers: one of the documented statuses with a body of its schema. */
type ReplyOf<R extends Replies> = {
  readonly [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: Immutable<z.input<R[Status]['schema']>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R & number];

type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type MaybeSchema = z.ZodType | undefined;
type MaybeParams = z.ZodObject | undefined;

interface RouteInput<Body extends MaybeSchema, Query extends MaybeParams, Params extends MaybeParams, Headers extends MaybeParams> {
  readonly body: Parsed<Body>;
  readonly query: Parsed<Query>;
  readonly params: Parsed<Params>;
  readonly headers: Parsed<Headers>;
  /** Aborts when the caller has gone, or when the service stops and wants its answers out. */
  readonly signal: AbortSignal;
}

/** What the router, the reply check and the OpenAPI document know of a route. */
export interface RouteDescription {
  readonly method: 'get' | 'post';
  /** Express pattern, such as `/api/things/:id`. Also what the log prints, so that ids stay out of it. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly body?: z.ZodType | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly params?: z.ZodObject | undefined;
  readonly headers?: z.ZodObject | undefined;
  readonly replies: Replies;
  /** Faults of the use case behind it; those of the HTTP boundary are added by themselves. */
  readonly faults: readonly FaultEntry[];
}

export interface RouteDefinition<
  Body extends MaybeSchema,
  Query extends MaybeParams,
  Params extends MaybeParams,
  Headers extends MaybeParams,
  R extends Replies,
> extends RouteDescription {
  readonly body?: Body;
  readonly query?: Query;
  readonly params?: Params;
  readonly headers?: Headers;
  readonly replies: R;
  handle(input: RouteInput<Body, Query, Params, Headers>): Promise<ReplyOf<NoInfer<R>>>;
}

/** A route with its types erased. */
export interface Route {
  readonly definition: RouteDescription;
  readonly handler: RequestHandler;
}

/** A reply that its own schema refuses: a bug, answered 500. */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';
}

/**
 * One definition feeds the router, the reply check and OpenAPI. Parsed input is an argument of the handler;
 * a reply is parsed against the schema of its status before it is sent, so that unknown keys never leak.
 */
export function defineRoute<
  const R extends Replies,
  Body extends MaybeSchema = undefined,
  Query extends MaybeParams = undefined,
  Params extends MaybeParams = undefined,
  Headers extends MaybeParams = undefined,
>(definition: RouteDefinition<Body, Query, Params, Headers, R>): Route {
  const handler = async (request: Request, response: Response): Promise<void> => {
    const { status, body, headers } = await definition.handle({
      body: parsePart<Body>(definition.body, request.body, 'body'),
      query: parsePart<Query>(definition.query, request.query, 'query'),
      params: parsePart<Params>(definition.params, request.params, 'path'),
      headers: parsePart<Headers>(definition.headers, headersOf(request.headers), 'headers'),
      signal: AbortSignal.any([stoppingOf(response), goneOf(response)]),
    });
    const reply = definition.replies[status]?.schema.safeParse(body);
    if (reply?.success !== true) throw new ReplyMismatch(`${definition.operationId} made a reply that its schema refuses`);
    response
      .status(status)
      .set({ ...headers })
      .json(reply.data);
  };
  return { definition, handler };
}

function parsePart<S extends MaybeSchema>(schema: S | undefined, value: unknown, part: string): Parsed<S> {
  const result = schema?.safeParse(value);
  if (result?.success === false) throw InvalidRequest.from(result.error, part);
  // CAST: TypeScript does not resolve the conditional type Parsed for an open S; the value is exactly z.output<S>, or undefined without a schema.
  return result?.data as Parsed<S>;
}

/** Repeated headers come as arrays only for set-cookie, which no route reads. */
function headersOf(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  return headers;
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
