import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { load, problemsOf } from './configuration.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const shop = {
  url: 'https://shop.example/hook?key=marker-key',
  secrets: [SECRET],
  events: 'submissions',
};
const endpoints = (value: unknown) => ({ WEBHOOK_ENDPOINTS: JSON.stringify(value) });
const LOCAL = { shop: { ...shop, url: 'http://127.0.0.1:8080/' } };

describe('WEBHOOK_ENDPOINTS', () => {
  it('no webhook endpoints are registered by default', () => {
    expect(load().webhooks).toEqual({
      allowPrivate: false,
      resolveAfterMs: 60_000,
      endpoints: [],
    });
  });

  it('WEBHOOK_ENDPOINTS sets each endpoint’s URL, keys and events', () => {
    const { webhooks } = load(endpoints({ shop, pager: { ...shop, events: 'alerts' } }));
    expect(webhooks.endpoints.map(({ name, events }) => [name, events])).toEqual([
      ['shop', 'submissions'],
      ['pager', 'alerts'],
    ]);
    expect(webhooks.endpoints[0]?.url.reveal()).toBe(shop.url);
    expect(webhooks.endpoints[0]?.secrets).toHaveLength(1);
  });

  it('neither URLs nor secrets of webhook endpoints are printed', () => {
    const { webhooks } = load(endpoints({ shop }));
    const shown = `${JSON.stringify(webhooks)} ${inspect(webhooks, { depth: 9 })}`;
    expect(shown).not.toMatch(/marker-key|whsec_|BwcHBwcH/);
  });

  it('all problems of WEBHOOK_ENDPOINTS are reported at once, without the values', () => {
    const problems = problemsOf(
      endpoints({
        'A name': shop,
        b: { url: 'ftp://marker-key', secrets: ['whsec_marker-key'], events: 'all' },
        c: { ...shop, secrets: [], 'marker-key': 1 },
        d: { ...shop, url: 'https://user:marker-key@shop.example/' },
        e: 'marker-key',
      }),
    );
    const text = problems.join('\n');
    for (const expected of [
      'endpoint 1: name must be',
      'endpoint 2: must be an http or https URL',
      'endpoint 2: a secret must be whsec_',
      'endpoint 2: events must be submissions or alerts',
      'endpoint 3: secrets must have at least one',
      'endpoint 3: must have no fields but url, secrets and events',
      'endpoint 4: url must have no user, password or fragment',
      'endpoint 5: must be an object',
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('marker-key');
  });

  it.each(['not json', '[]', '{}', '"shop"', 'null'])(
    'rejects a text for WEBHOOK_ENDPOINTS that is not an object of endpoints: %s',
    (text) => {
      expect(problemsOf({ WEBHOOK_ENDPOINTS: text })).toEqual([
        expect.stringContaining('WEBHOOK_ENDPOINTS'),
      ]);
    },
  );

  it('webhook endpoints must have https URLs, unless a development configuration allows private URLs', () => {
    expect(problemsOf(endpoints(LOCAL))).toEqual([expect.stringContaining('https URLs only')]);
    expect(problemsOf({ ...endpoints(LOCAL), WEBHOOK_ALLOW_PRIVATE: 'true' })).toEqual([
      expect.stringMatching(/WEBHOOK_ALLOW_PRIVATE.*is for development only/),
    ]);
    const { webhooks } = load({
      ...endpoints(LOCAL),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      MODE: 'development',
    });
    expect(webhooks.allowPrivate).toBe(true);
  });
});
