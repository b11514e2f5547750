import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { tagRoute } from './request-context.js';

/** A built page with its files. */
export interface Site {
  /** Path at which the page is served, such as `/` or `/wallet`. */
  readonly path: string;
  readonly html: string;
  /** Files by their paths relative to {@link path}, such as `assets/index-1a2b.js`. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Origins of other servers that the page may connect to. @default none */
  readonly connectsTo?: readonly string[];
  /** True if the page, or a worker of the page, runs WebAssembly. @default false */
  readonly computes?: boolean;
}

/** Matches files whose names the build derives from their content. */
const HASHED = /^assets\//;

/**
 * Reads a folder of built files. HTML files are pages of other paths, so they are not among the
 * files of the page.
 * @param page name of the page's HTML file
 * @throws Error if the folder can't be read
 */
export function readSite(folder: URL, page = 'index.html'): Pick<Site, 'html' | 'files'> {
  const root = fileURLToPath(folder);
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(root, file).replaceAll(sep, '/'), readFileSync(file));
  }
  const html = files.get(page);
  if (html === undefined) throw new Error(`${root} has no ${page}`);
  for (const name of files.keys()) if (extname(name) === '.html') files.delete(name);
  return { html: html.toString(), files };
}

/**
 * Serves `GET` of each file. Serves the page at its path unless the caller prefers JSON. Such a
 * caller gets the same response as in a service without this page.
 */
export function sitePages(site: Site, limiter: RequestHandler): Router {
  const { path, html, files } = site;
  const router = Router({ caseSensitive: true });
  const shared = [tagRoute(path), limiter, policyOf(site)] as const;
  router.get(path, (request, response, next) => {
    response.vary('Accept');
    // A caller without a preference, such as curl, gets the page: the path has nothing else.
    next(request.accepts(['html', 'json']) === 'html' ? undefined : 'router');
  });
  router.get(path, ...shared, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(html);
  });
  for (const [name, content] of files) {
    const send = sending(content);
    router.get(`${path === '/' ? '' : path}/${name}`, ...shared, async (request, response) => {
      if (HASHED.test(name)) response.set('Cache-Control', 'public, max-age=31536000, immutable');
      response.type(extname(name));
      await send(request, response);
    });
  }
  return router;
}

/**
 * Creates the content security policy of the page. The page runs only its own scripts and styles,
 * and connects only to this service and to the origins in `connectsTo`.
 */
function policyOf({ connectsTo = [], computes = false }: Site): RequestHandler {
  return contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...(computes ? ["'wasm-unsafe-eval'"] : [])],
      ...(computes ? { workerSrc: ["'self'"] } : {}),
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'", ...connectsTo],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
}

const compress = promisify(gzip);

/**
 * Creates a handler that sends a file, compressed if the caller accepts compression. The file is
 * compressed once, at the first request.
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
