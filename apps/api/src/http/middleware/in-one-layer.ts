import type { RequestHandler } from 'express';

/**
 * Handlers as one, in their order. The router's work for a layer costs more than most of them do.
 */
export function compose(
  ...handlers: readonly [RequestHandler, ...RequestHandler[]]
): RequestHandler {
  return handlers.reduceRight((after, handler) => (request, response, next) => {
    const goOn: typeof next = (...failure: readonly unknown[]) => {
      if (failure.length === 0 || failure[0] === undefined) void after(request, response, next);
      else next(failure[0]);
    };
    void handler(request, response, goOn);
  });
}
