import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Secret } from '../../src/config/secret.js';
import { BearerTokens } from '../../src/http/bearer-tokens.js';
import type { RouteDescription } from '../../src/http/define-route.js';
import { ROUTES } from '../../src/http/routes.js';
import { answeringApp, callRoute } from './call-route.js';
import { CURATOR_TOKEN, testApp } from './test-app.js';

const OTHER_TOKEN = 'marker-token-of-another';

/** Authorization headers, whether they open what is closed, and what is said of those that don't. */
const HEADERS = [
  ['no header', undefined, false, 'Bearer realm="curator"'],
  ['the right token', `Bearer ${CURATOR_TOKEN}`, true, null],
  ['the right token and a scheme in capitals', `BEARER ${CURATOR_TOKEN}`, true, null],
  ['a wrong token', `Bearer ${OTHER_TOKEN}`, false, 'Bearer realm="curator", error="invalid_token"'],
  ['a part of the token', `Bearer ${CURATOR_TOKEN.slice(0, -1)}`, false, 'Bearer realm="curator", error="invalid_token"'],
  ['more than the token', `Bearer ${CURATOR_TOKEN}x`, false, 'Bearer realm="curator", error="invalid_token"'],
  ['the token in other letters', `Bearer ${CURATOR_TOKEN.toUpperCase()}`, false, 'Bearer realm="curator", error="invalid_token"'],
  ['two tokens', `Bearer ${CURATOR_TOKEN}, Bearer ${OTHER_TOKEN}`, false, 'Bearer realm="curator", error="invalid_token"'],
  [
    'another scheme',
    `Basic ${Buffer.from(`keeper:${CURATOR_TOKEN}`).toString('base64')}`,
    false,
    'Bearer realm="curator", error="invalid_token"',
  ],
  ['the token without a scheme', CURATOR_TOKEN, false, 'Bearer realm="curator", error="invalid_token"'],
  ['the scheme without a token', 'Bearer', false, 'Bearer realm="curator", error="invalid_token"'],
  ['an empty header', '', false, 'Bearer realm="curator", error="invalid_token"'],
] as const;

const definitions: readonly RouteDescription[] = ROUTES.map(({ definition }) => definition);
const OPEN = definitions.filter(({ credential }) => credential === undefined);
const CLOSED = definitions.filter(({ credential }) => credential !== undefined);
const named = (routes: readonly RouteDescription[]) => routes.map((route) => [`${route.method} ${route.path}`, route] as const);

it('closes one route: the curator’s', () => {
  expect(named(CLOSED).map(([name]) => name)).toEqual(['post /api/curator']);
});

describe.each(HEADERS)('with %s', (_name, authorization, opens, challenge) => {
  it.each(named(OPEN))('%s answers as ever', async (_route, definition) => {
    const response = await callRoute(await answeringApp(), definition, { authorization });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  it.each(named(CLOSED))(`%s is ${opens ? 'open' : 'closed'}`, async (_route, definition) => {
    const test = await answeringApp();
    const response = await callRoute(test, definition, { authorization });
    expect([response.status, response.body.code, response.headers['www-authenticate'] ?? null]).toEqual(
      opens ? [200, undefined, null] : [401, 'CURATOR_UNAUTHORIZED', challenge],
    );
    expect(test.useCases.deployments).toHaveLength(opens ? 1 : 0);
    expect(`${response.text}${test.logged.join('')}`).not.toContain('marker');
  });

  it.each(named(CLOSED))('%s says that it is disabled where nobody has a token', async (_route, definition) => {
    const test = await answeringApp({ app: { curatorTokens: new BearerTokens([]) } });
    const { status, body, headers } = await callRoute(test, definition, { authorization });
    expect([status, body.code, test.useCases.deployments]).toEqual([503, 'CURATOR_DISABLED', []]);
    expect(headers).not.toHaveProperty('www-authenticate');
  });
});

describe('several tokens', () => {
  const tokens = new BearerTokens([
    { name: 'old', token: new Secret('marker-old') },
    { name: 'new', token: new Secret('marker-new') },
  ]);

  it('all open the route while they are there, each under its name', () => {
    expect(['Bearer marker-old', 'bearer  marker-new', 'Bearer marker-', 'Bearer '].map((text) => tokens.holderOf(text))).toEqual([
      'old',
      'new',
      null,
      null,
    ]);
  });
});

describe('without the right token', () => {
  it('a body is not read: what is wrong with it is not told', async () => {
    const { app } = await testApp();
    const response = await request(app).post('/api/curator').set('Content-Type', 'application/json').send('{"vaultId": ');
    expect([response.status, response.body.code]).toEqual([401, 'CURATOR_UNAUTHORIZED']);
  });

  it('guesses count against the budget of their address', async () => {
    const perMinute = { reads: 10, quotes: 10, submissions: 2 };
    const { app } = await testApp({ app: { rateLimits: { perMinute, maxClients: 3 } } });
    const guess = async (): Promise<number> =>
      (await request(app).post('/api/curator').set('Authorization', 'Bearer guess').send({})).status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });

  it.each(['get', 'put', 'patch', 'delete'] as const)('%s finds no other way in', async (method) => {
    const { app, useCases } = await testApp();
    const response = await request(app)[method]('/api/curator').send({ vaultId: 'sentinel' });
    expect([response.status, response.body.code, response.headers['allow']]).toEqual([404, 'METHOD_NOT_ALLOWED', 'POST']);
    expect(useCases.deployments).toEqual([]);
  });

  it.each(['/api/curator/', '/API/CURATOR', '/api//curator', '/api/curator?token=x'])('the spelling %s opens nothing', async (path) => {
    const { app, useCases } = await testApp();
    const { status } = await request(app).post(path).send({ vaultId: 'sentinel' });
    expect([401, 404]).toContain(status);
    expect(useCases.deployments).toEqual([]);
  });
});
