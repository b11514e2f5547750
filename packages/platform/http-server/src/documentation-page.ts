import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { tagRoute } from './request-context.js';

const page = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <main id="document"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#document',
  // It would ask a host on the internet about the document.
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
 * The page runs its own scripts and talks to this service alone; the renderer sets styles and draws
 * icons from within.
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
 * `GET /docs`: the OpenAPI document at `/openapi.json` as a page, from files of this machine only.
 */
export function documentationPage(title: string, limiter: RequestHandler): Router {
  const folder = import.meta.resolve('swagger-ui-dist/package.json');
  const router = Router({ caseSensitive: true });
  const shared = [tagRoute('/docs'), limiter, pagePolicy] as const;
  router.get('/docs', ...shared, (_request, response) => {
    response.type('html').send(page(title));
  });
  router.get('/docs/start.js', ...shared, (_request, response) => {
    response.type('text/javascript').send(START);
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

const compress = promisify(gzip);

/**
 * Sends a file, compressed where the caller can read that. It is compressed once, when it is first
 * asked for.
 */
function sending(content: Buffer): (request: Request, response: Response) => Promise<void> {
  let compressed: Promise<Buffer> | undefined;
  return async (request, response) => {
    response.vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip') !== 'gzip') {
      response.send(content);
      return;
    }
    compressed ??= compress(content);
    response.set('Content-Encoding', 'gzip').send(await compressed);
  };
}
