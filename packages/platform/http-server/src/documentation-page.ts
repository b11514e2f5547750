import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { ERROR_PAGE, errorPage, type DocumentedError } from './error-page.js';
import { PAGE_STYLE, pageOf } from './page.js';
import { tagRoute } from './request-context.js';
import { sending } from './site.js';

/** Content of the documentation's pages that the OpenAPI document does not contain. */
export interface Documentation {
  readonly title: string;
  /** Every error whose code a response can contain. */
  readonly errors: readonly DocumentedError[];
}

const documentPage = (title: string): string =>
  pageOf({
    title,
    body: `    <script src="/docs/scheme.js"></script>
    <p class="links"><a href="${ERROR_PAGE}">Errors, by code</a></p>
    <main id="document"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>`,
  });

/**
 * Script that follows the reader's colour scheme, needed because the renderer uses dark colours
 * only if a CSS class is set.
 */
const SCHEME = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#document',
  // A validator would send requests about the document to a host on the internet.
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
});
`;

/** Files of the renderer that the page needs. */
const RENDERER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/**
 * Content security policy of the page. The page runs only its own scripts and connects only to this
 * service. The renderer uses inline styles and icons.
 */
const pagePolicy = contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/**
 * Serves {@link ERROR_PAGE} and `GET /docs`, a page that renders the OpenAPI document at
 * `/openapi.json`. The service itself serves all files of the pages.
 */
export function documentationPages(
  { title, errors }: Documentation,
  limiter: RequestHandler,
): Router {
  const folder = import.meta.resolve('swagger-ui-dist/package.json');
  const router = Router({ caseSensitive: true });
  const shared = [tagRoute('/docs'), limiter, pagePolicy] as const;
  router.get('/docs', ...shared, (_request, response) => {
    response.type('html').send(documentPage(title));
  });
  const listed = errorPage(title, errors);
  router.get(ERROR_PAGE, ...shared, (_request, response) => {
    response.type('html').send(listed);
  });
  router.get('/docs/page.css', ...shared, (_request, response) => {
    response.type('css').send(PAGE_STYLE);
  });
  for (const [name, script] of Object.entries({ scheme: SCHEME, start: START }))
    router.get(`/docs/${name}.js`, ...shared, (_request, response) => {
      response.type('text/javascript').send(script);
    });
  for (const file of RENDERER_FILES) {
    const send = sending(readFileSync(new URL(file, folder)));
    router.get(`/docs/${file}`, ...shared, async (request, response) => {
      response.set('Cache-Control', 'public, max-age=86400').type(extname(file));
      await send(request, response);
    });
  }
  return router;
}
