import { once } from 'node:events';
import type { Logger } from '@sotto/kernel';
import type { Request, Response } from 'express';
import { callerOf, holderOf, noteFields, requestIdOf, signalOf } from './request-context.js';
import { ResponseCache, type CacheKey, type CacheSource } from './response-cache.js';
import {
  checkedReply,
  partsOf,
  type AnswerOf,
  type CachedDefinition,
  type InputOf,
  type Route,
  type RouteDefinition,
  type RouteDeps,
  type ServedRoute,
} from './route.js';

/**
 * Creates the route of a definition. The route parses each request. Before it sends a response, it
 * parses the body with the schema of the status, so that unknown keys are never sent.
 * @param answer must not be an async function if the body is long, because its arguments would stay
 *   in memory until it resolves
 */
export function implement<const D extends RouteDefinition, const A extends AnswerOf<D>>(
  definition: D,
  answer: (input: InputOf<D>) => Promise<A>,
): Route {
  const serve = ({ logger }: RouteDeps): ServedRoute => ({
    handler: async (request, response) => {
      const { status, body, headers } = await begun(definition, answer, request, response, logger);
      const reply = checkedReply(definition, status, body);
      response
        .status(status)
        .set({ ...headers })
        .json(reply);
    },
  });
  return { definition, serve };
}

/**
 * Starts the handler in a function that does not await the handler's result. If this function
 * awaited the result, all its values would stay in memory, and the input contains thousands of
 * texts.
 */
function begun<const D extends RouteDefinition, const A>(
  definition: D,
  answer: (input: InputOf<D>) => Promise<A>,
  request: Request,
  response: Response,
  logger: Logger,
): Promise<A> {
  return answer(inputOf(definition, request, response, logger));
}

/** Result of a route that streams: the headers without the content type, and the text in parts. */
export interface StreamedAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly parts: AsyncIterable<string>;
}

/** Time in ms after which a caller that reads no data is disconnected. */
const STALLED_MS = 30_000;

/**
 * Creates the route of a definition whose response of status 200 is streamed text. The text is sent
 * no faster than the caller reads. If an error occurs before the first part, the caller gets the
 * usual error response. If an error occurs later, the connection breaks, so that a truncated text
 * never appears complete.
 */
export function implementStream<const D extends RouteDefinition>(
  definition: D,
  answer: (input: InputOf<D>) => StreamedAnswer | Promise<StreamedAnswer>,
): Route {
  const contentType = definition.replies[200]?.contentType;
  if (contentType === undefined) throw new Error(`${definition.operationId} streams no text`);
  const serve = ({ clock, logger }: RouteDeps): ServedRoute => ({
    handler: async (request, response) => {
      const input = inputOf(definition, request, response, logger);
      const begin = (headers: StreamedAnswer['headers']): void => {
        response.status(200).set({ ...headers, 'Content-Type': `${contentType}; charset=utf-8` });
        response.flushHeaders();
      };
      if (request.method === 'HEAD') {
        begin({});
        response.end();
        return;
      }
      const { headers, parts } = await answer(input);
      let hasBegun = false;
      for await (const part of parts) {
        if (!hasBegun) begin(headers);
        hasBegun = true;
        if (input.signal.aborted) {
          response.destroy();
          return;
        }
        if (!response.write(part)) await drained(response, clock, input.signal);
      }
      if (!hasBegun) begin(headers);
      response.end();
    },
  });
  return { definition, serve };
}

/** Resolves when the response can accept more data, or when no more data will be sent. */
async function drained(
  response: Response,
  clock: RouteDeps['clock'],
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, signal]);
  const stalled = async (): Promise<void> => {
    await clock.sleep(STALLED_MS, ended);
    if (!ended.aborted) response.destroy();
  };
  try {
    await Promise.race([once(response, 'drain', { signal: ended }), stalled()]);
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    over.abort();
  }
}

/** Creates the route of a definition whose responses are cached. */
export function implementCached<const D extends CachedDefinition, K extends CacheKey>(
  definition: D,
  source: CacheSource<NoInfer<D>, K>,
): Route {
  const serve = (deps: RouteDeps): ServedRoute => {
    const cache = new ResponseCache(definition, source, deps);
    return { handler: cache.handler, cache };
  };
  return { definition, serve };
}

/** Parses a request, and drops its body. */
export function inputOf<D extends RouteDefinition>(
  definition: D,
  request: Request,
  response: Response,
  logger: Logger,
): InputOf<D> {
  const parts = partsOf(definition, request);
  // The body is removed because no code reads it again, while the request stays in memory until the
  // response.
  request.body = undefined;
  const signal = AbortSignal.any([signalOf(response, 'stopping'), goneOf(response)]);
  return {
    ...parts,
    caller: callerOf(response),
    holder: holderOf(response),
    signal,
    closing: AbortSignal.any([signalOf(response, 'closing'), signal]),
    note: (fields, message) => {
      noteFields(response, fields);
      if (message !== undefined)
        logger.info({ requestId: requestIdOf(response), ...fields }, message);
    },
  };
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  // Earlier middleware may have waited, and the caller may have disconnected in the meantime.
  if (response.closed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
