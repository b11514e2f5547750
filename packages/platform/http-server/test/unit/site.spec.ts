import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { readSite } from '../../src/index.js';
import { sitePages, type Site } from '../../src/site.js';

const SCRIPT = 'export const answer = 42;\n'.repeat(100);

describe('a built page', () => {
  let folder: string;
  beforeAll(() => {
    // The name contains a space, which must be percent-encoded in a URL.
    folder = mkdtempSync(join(tmpdir(), 'sotto site-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Wallet</title>');
    writeFileSync(join(folder, 'assets', 'index-1a2b.js'), SCRIPT);
    writeFileSync(join(folder, 'settings.json'), '{}');
    writeFileSync(join(folder, 'docs.html'), '<!doctype html><title>Docs</title>');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const appOf = (site: Omit<Site, 'html' | 'files'>): Express => {
    const app = express();
    app.use(
      sitePages(
        { ...site, ...readSite(pathToFileURL(`${folder}/`)) },
        (_request, _response, next) => next(),
      ),
    );
    app.use((_request, response) => void response.status(404).json({ code: 'ROUTE_NOT_FOUND' }));
    return app;
  };

  const policyOf = async (site: Omit<Site, 'html' | 'files'>): Promise<unknown> => {
    const { headers } = await request(appOf(site)).get('/').set('accept', 'text/html');
    return headers['content-security-policy'];
  };

  it('an app serves a built page to callers that do not prefer JSON, and serves all files of the page', async () => {
    const app = appOf({ path: '/wallet' });
    const page = await request(app).get('/wallet').set('accept', 'text/html,*/*;q=0.8');
    expect([page.status, page.type, page.text]).toEqual([
      200,
      'text/html',
      '<!doctype html><title>Wallet</title>',
    ]);
    for (const [accept, status] of [
      ['*/*', 200],
      ['text/*', 200],
      ['application/json', 404],
      ['application/json, text/plain, */*', 404],
    ] as const) {
      const answer = await request(app).get('/wallet').set('accept', accept);
      expect([accept, answer.status, answer.headers['vary']]).toEqual([accept, status, 'Accept']);
    }
    expect((await request(app).get('/wallet')).text).toBe(page.text);
    const script = await request(app).get('/wallet/assets/index-1a2b.js');
    expect([script.type, script.text]).toEqual(['text/javascript', SCRIPT]);
    expect(script.headers['content-encoding']).toBe('gzip');
    expect(script.headers['cache-control']).toContain('immutable');
    const settings = await request(app).get('/wallet/settings.json');
    expect([settings.type, settings.headers['cache-control']]).toEqual([
      'application/json',
      undefined,
    ]);
    for (const path of [
      '/wallet/index.html',
      '/wallet/docs.html',
      '/wallet/../package.json',
      '/assets/index-1a2b.js',
    ])
      expect((await request(app).get(path)).status).toBe(404);
  });

  it('a built page may run WebAssembly only if its site settings allow this', async () => {
    expect(await policyOf({ path: '/' })).toContain("script-src 'self';style-src");
    expect(await policyOf({ path: '/' })).toContain("connect-src 'self';form");
    const policy = await policyOf({
      path: '/',
      computes: true,
      connectsTo: ['http://127.0.0.1:5050'],
    });
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';worker-src 'self';");
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:5050;form");
  });

  it('readSite reads another page of the same folder by its name', () => {
    const { html, files } = readSite(pathToFileURL(`${folder}/`), 'docs.html');
    expect([html, [...files.keys()].toSorted()]).toEqual([
      '<!doctype html><title>Docs</title>',
      ['assets/index-1a2b.js', 'settings.json'],
    ]);
  });

  it('readSite rejects a folder without index.html', () => {
    expect(() => readSite(pathToFileURL(join(folder, 'assets/')))).toThrow('has no index.html');
  });
});
