import { createHash } from 'node:crypto';
import type { FaultEntry } from '@sotto/kernel';
import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import { InvalidRequest } from './errors.js';
import type { Credential } from './middleware/authorization.js';
import type { LimitedGroup } from './middleware/rate-limits.js';
import { stoppingOf } from './middleware/request-context.js';

/** Something that a request or reply can look like, for the OpenAPI document. Tests parse each with its schema. */
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

/** What the router, the reply check and the OpenAPI document know of a route. */
export interface RouteDescription {
  readonly method: 'get' | 'post';
  /** Express pattern, such as `/api/things/:id`. Also what the log prints, so that ids stay out of it. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Whose token a request must carry. @default nobody's: anybody may ask */
  readonly credential?: Credential;
  /** The budget that a caller's requests count against; null for none. */
  readonly limitedAs: LimitedGroup | null;
  readonly body?: BodyDefinition;
  /** @default no query keys are allowed */
  readonly query?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly replies: Replies;
  /** `Cache-Control` of status 200, which then has an ETag and is answered 304 to whoever has it. @default `no-store` */
  readonly cacheControl?: string;
  /** Faults of the use case behind it; those of the HTTP boundary are added by themselves. */
  readonly faults: readonly FaultEntry[];
  /** What every failure of this route carries besides the usual body. */
  readonly failure?: { readonly schema: z.ZodType; readonly fields: Readonly<Record<string, string | number>> };
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** Parsed input of a route's handler. */
export interface InputOf<D extends RouteDescription> {
  readonly body: D extends { readonly body: { readonly schema: infer S } } ? Output<S> : undefined;
  readonly query: D extends { readonly query: infer S } ? Output<S> : Record<string, never>;
  readonly params: D extends { readonly params: infer S } ? Output<S> : undefined;
  readonly headers: D extends { readonly headers: infer S } ? Output<S> : undefined;
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
export type RouteHandler = (request: Request, response: Response, next: NextFunction) => Promise<void>;

/** A route that is ready to be served. */
export interface Route {
  readonly definition: RouteDescription;
  readonly handler: RouteHandler;
}

/** Keeps the exact types of a description. One description feeds the router, the checks of requests and replies, and OpenAPI. */
export function describeRoute<const D extends RouteDescription>(description: D): D {
  return description;
}

/** A reply that its own schema refuses: a bug, answered 500. */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';
}

const NO_QUERY = z.strictObject({});

/**
 * The handler of a described route: parses the request, and parses the reply against the schema of its status before it is sent,
 * so that unknown keys never leak.
 */
export function handlerFor<D extends RouteDescription>(
  definition: D,
  answer: (input: InputOf<D>) => Promise<AnswerOf<NoInfer<D>>>,
): RouteHandler {
  return async (request, response) => {
    const { status, body, headers } = await answer(inputOf(definition, request, response));
    const reply = definition.replies[status].schema.safeParse(body);
    if (!reply.success) throw new ReplyMismatch(`${definition.operationId} made a reply that its schema refuses`);
    if (definition.cacheControl !== undefined && status === 200) {
      response.set({ 'Cache-Control': definition.cacheControl, ETag: etagOf(reply.data) });
    }
    response
      .status(status)
      .set({ ...headers })
      .json(reply.data);
  };
}

function inputOf<D extends RouteDescription>(definition: D, request: Request, response: Response): InputOf<D> {
  const input = {
    body: parsePart(definition.body?.schema, request.body, 'body'),
    query: parsePart(definition.query ?? NO_QUERY, request.query, 'query'),
    params: parsePart(definition.params, request.params, 'path'),
    headers: parsePart(definition.headers, request.headers, 'headers'),
    signal: AbortSignal.any([stoppingOf(response), goneOf(response)]),
  };
  // CAST: TypeScript does not resolve conditional types for an open D; each part is the output of exactly the schema that D names.
  return input as InputOf<D>;
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

/** Weak: compression may change the bytes, never what they say. */
function etagOf(body: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`;
}
