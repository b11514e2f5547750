import type { DomainError, Logger } from '@sotto/kernel';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import * as z from 'zod';
import { InvalidRequest } from './errors.js';
import { inputOf } from './implement.js';
import { noteFields } from './request-context.js';
import type { InputOf, Route, RouteDefinition, RouteLimits, ServedRoute } from './route.js';

/** Error object of JSON-RPC 2.0. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Failure of a JSON-RPC request that is not in the error catalogue. The HTTP status is 200. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(readonly failure: RpcFailure) {
    super(failure.message);
  }
}

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const invalidRequest = (data: string): RpcError =>
  new RpcError({ code: INVALID_REQUEST, message: 'Invalid Request', data });

/** Creates the error of a request with wrong parameters. `data` names the field. */
export const invalidParams = (data: string): RpcError =>
  new RpcError({ code: INVALID_PARAMS, message: 'Invalid params', data });

/** Request data of a method, without its parameters. */
export type RpcInput<D extends RouteDefinition> = Omit<
  InputOf<D>,
  'body' | 'query' | 'params' | 'holder'
>;

/** A method of a JSON-RPC endpoint. */
export interface RpcMethod<D extends RouteDefinition> {
  /** Rate limit group in which requests of this method are counted. */
  readonly limitedAs: string;
  /** @throws RpcError, or an error that the route declares */
  readonly answer: (params: unknown, input: RpcInput<D>) => Promise<unknown>;
}

export interface RpcSchemas {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

/**
 * Returns a function that creates methods of this endpoint. A method's parameters are parsed before
 * its answer, and the result after its answer. An answer must not be an async function if the
 * parameters are long, because its arguments would stay in memory until it resolves.
 */
export const rpcMethodOf =
  <D extends RouteDefinition>(_definition: D) =>
  <const S extends RpcSchemas>(
    limitedAs: string,
    { params: paramsSchema, result }: S,
    answer: (params: z.output<S['params']>, input: RpcInput<D>) => Promise<z.input<S['result']>>,
  ): RpcMethod<D> => ({
    limitedAs,
    answer: (params, input) => {
      const parsed = paramsSchema.safeParse(params);
      if (!parsed.success) throw InvalidRequest.from(parsed.error, 'params');
      // CAST: the value is the output of exactly this schema.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return answer(parsed.data as z.output<S['params']>, input).then((value) =>
        result.parse(value),
      );
    },
  });

export interface JsonRpcOptions<D extends RouteDefinition> {
  readonly methods: Readonly<Record<string, RpcMethod<D>>>;
  /**
   * Size in bytes up to which a body is small. A request with a small body of known size is counted
   * in the group `limitedAs` before its body is read, and in the group of its method afterwards.
   * Every other request is counted in the group of the route first.
   */
  readonly small: { readonly bytes: number; readonly limitedAs: string };
  /** Returns the HTTP status and the error object of an error of the catalogue. */
  readonly errorOf: (failure: DomainError) => {
    readonly status: number;
    readonly error: RpcFailure;
  };
}

type Id = string | number | null;

/** A valid request, until its method starts. */
interface Call {
  readonly method: string;
  readonly params: unknown;
}

const MAX_ID_TEXT = 128;
const Envelope = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.unknown().optional(),
});
const RequestId = z.union([z.string().max(MAX_ID_TEXT), z.number(), z.null()]);

/**
 * Creates a JSON-RPC 2.0 endpoint. Each HTTP request contains one request object: batches are
 * rejected. A notification, which has no id, gets the status 204 and is not executed, because its
 * caller could not learn the outcome. Parameters are named; an empty list counts as no parameters.
 */
export function implementJsonRpc<const D extends RouteDefinition>(
  definition: D,
  { methods, small, errorOf }: JsonRpcOptions<D>,
): Route {
  const byName = new Map(Object.entries(methods));
  const serve = ({ logger }: { readonly logger: Logger }): ServedRoute => ({
    handler: async (request, response) => {
      const id = idOf(response);
      try {
        const result = await begun(definition, byName, request, response, logger);
        response.status(200).json({ jsonrpc: '2.0', id, result });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        sendFailure(response, error);
      }
    },
  });
  const admit = (limits: RouteLimits): readonly RequestHandler[] => {
    const first = {
      small: chain(limits.admission(small.limitedAs, limits.read)),
      large: chain(limits.admission(definition.limitedAs, limits.read)),
    };
    const second = new Map(
      Object.values(methods).map(({ limitedAs }) => [
        limitedAs,
        chain(limits.admission(limitedAs)),
      ]),
    );
    const sizeOf = (request: Request) => (isSmall(request, small.bytes) ? 'small' : 'large');
    return [
      (request, response, next) => first[sizeOf(request)](request, response, next),
      readCall(byName),
      (request, response, next) => {
        const firstGroup = sizeOf(request) === 'small' ? small.limitedAs : definition.limitedAs;
        const group = byName.get(callOf(response).method)?.limitedAs ?? firstGroup;
        const counting = group === firstGroup || group === null ? undefined : second.get(group);
        if (counting === undefined) next();
        else counting(request, response, next);
      },
    ];
  };
  return {
    definition,
    serve,
    admit,
    renderFailure: (failure, response) => {
      const { status, error } = errorOf(failure);
      noteFields(response, { rpcCode: error.code });
      return { status, body: { jsonrpc: '2.0', id: idOf(response), error } };
    },
  };
}

/**
 * Starts the method in a function that does not await the result: see `begun` of `implement`. The
 * response drops its reference to the parameters too.
 */
function begun<const D extends RouteDefinition>(
  definition: D,
  methods: ReadonlyMap<string, RpcMethod<D>>,
  request: Request,
  response: Response,
  logger: Logger,
): Promise<unknown> {
  const { method, params } = callOf(response);
  response.locals['rpcCall'] = undefined;
  const served = methods.get(method);
  if (served === undefined) throw new Error('the method is not served');
  // The definition's schema parses the request object without its parameters, which may be long.
  request.body = { jsonrpc: '2.0', id: idOf(response), method };
  return served.answer(params, inputOf(definition, request, response, logger));
}

/** Creates middleware that checks the request object and stores its id, method and parameters. */
function readCall(methods: ReadonlyMap<string, unknown>): RequestHandler {
  return (request, response, next) => {
    const body: unknown = request.body;
    request.body = undefined;
    const call = parsedCall(body, methods, (id) => {
      response.locals['rpcId'] = id;
    });
    if (call instanceof RpcError) sendFailure(response, call);
    else if (call === null) response.status(204).end();
    else {
      response.locals['rpcCall'] = call;
      noteFields(response, { rpcMethod: call.method });
      next();
    }
  };
}

/** @returns null for a notification */
function parsedCall(
  body: unknown,
  methods: ReadonlyMap<string, unknown>,
  onId: (id: Id) => void,
): Call | RpcError | null {
  if (Array.isArray(body))
    return invalidRequest('batches are not served: send each request separately');
  if (typeof body !== 'object' || body === null) return invalidRequest('the body is no object');
  const isNotification = !('id' in body);
  const id = RequestId.safeParse('id' in body ? body.id : null);
  if (!id.success) return invalidRequest(`id: must be a text (at most ${MAX_ID_TEXT}) or a number`);
  onId(id.data);
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) return invalidRequest('jsonrpc must be "2.0", and method a text');
  if (isNotification) return null;
  const { method, params = {} } = envelope.data;
  if (!methods.has(method))
    return new RpcError({
      code: METHOD_NOT_FOUND,
      message: 'Method not found',
      data: `the methods are ${[...methods.keys()].join(', ')}`,
    });
  const named = Array.isArray(params) && params.length === 0 ? {} : params;
  return Array.isArray(named)
    ? invalidParams('params: must be named, as an object')
    : { method, params: named };
}

function sendFailure(response: Response, { failure }: RpcError): void {
  noteFields(response, { rpcCode: failure.code });
  response.status(200).json({ jsonrpc: '2.0', id: idOf(response), error: failure });
}

/** Returns the id of the request object. Null if it is not known. */
function idOf(response: Response): Id {
  const { rpcId } = response.locals;
  return typeof rpcId === 'string' || typeof rpcId === 'number' ? rpcId : null;
}

function callOf(response: Response): Call {
  const { rpcCall } = response.locals;
  if (!isCall(rpcCall)) throw new Error('the request has no method');
  return rpcCall;
}

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value;

/** Returns true for a small body whose size the header states. */
function isSmall({ headers }: Request, bytes: number): boolean {
  if (headers['content-encoding'] !== undefined) return false;
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= bytes;
}

/** Combines middleware to one. */
function chain(handlers: readonly RequestHandler[]): RequestHandler {
  const router = Router();
  for (const handler of handlers) router.use(handler);
  return router;
}
