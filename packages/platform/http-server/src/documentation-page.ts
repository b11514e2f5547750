import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { ERROR_PAGE, errorPage, type DocumentedError } from './error-page.js';
import { RouteNotFound } from './errors.js';
import { PAGE_ICON, PAGE_STYLE, pageOf } from './page.js';
import { tagRoute } from './request-context.js';

/** Content of the documentation's pages that the OpenAPI document does not contain. */
export interface Documentation {
  readonly title: string;
  /** Every error whose code a response can contain. */
  readonly errors: readonly DocumentedError[];
}

/** Content security policy of the pages, which run no scripts and connect to nothing. */
const pagePolicy = contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Serves {@link ERROR_PAGE} and the files that it needs. */
export function documentationPages(
  { title, errors }: Documentation,
  limiter: RequestHandler,
): Router {
  const router = Router({ caseSensitive: true });
  const files = [
    [ERROR_PAGE, 'html', errorPage(title, errors)],
    ['/docs/page.css', 'css', PAGE_STYLE],
    ['/docs/icon.svg', 'svg', PAGE_ICON],
  ] as const;
  for (const [path, type, content] of files)
    router.get(path, tagRoute('/docs'), limiter, pagePolicy, (_request, response) => {
      response.type(type).send(content);
    });
  return router;
}

/** Path prefix of the interface for programs, whose responses are always JSON. */
const PROGRAMS = /^\/api(?:\/|$)/;

/**
 * Answers a request for an unknown path with a page if the caller prefers HTML, as browsers do.
 * Other errors, and other callers, are left to the next error handler.
 */
export function notFoundPage({ title }: Documentation): ErrorRequestHandler {
  const page = pageOf({
    title: `${title}: no such page`,
    body: `    <main>
      <h1>There is no such page</h1>
      <p>The address may be mistyped. Go to <a href="/">the start page</a>, the <a href="/docs">interface</a> or the <a href="${ERROR_PAGE}">errors, by code</a>.</p>
    </main>`,
  });
  return (error: unknown, request, response, next) => {
    if (!(error instanceof RouteNotFound) || PROGRAMS.test(request.path)) return next(error);
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next(error);
    response.locals['code'] = error.code;
    pagePolicy(request, response, (problem) => {
      if (problem !== undefined) return next(problem);
      response.status(404).type('html').send(page);
    });
  };
}
