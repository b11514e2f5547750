import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ROUTES, type Credential, type RouteDefinition } from '@sotto/routes';
import { CuratorTokens, OperatorTokens } from '../../src/http/credentials.js';
import { answeringApp, callRoute } from './call-route.js';
import { CURATOR_TOKEN, OPERATOR_TOKEN, testApp, tokenFor, type TestApp } from './test-app.js';

const OTHER_TOKEN = 'marker-token-of-another';
const INVALID = ', error="invalid_token"';

/**
 * Authorization headers that are derived from the route's API token. Fields: name of the case,
 * header, and true if the header is accepted. If it is rejected, the last field is the error in the
 * response's challenge.
 */
const HEADERS: readonly (readonly [
  string,
  (token: string) => string | undefined,
  boolean,
  string,
])[] = [
  ['no header', () => undefined, false, ''],
  ['the right token', (token) => `Bearer ${token}`, true, ''],
  ['the right token and a scheme in capitals', (token) => `BEARER ${token}`, true, ''],
  ['a wrong token', () => `Bearer ${OTHER_TOKEN}`, false, INVALID],
  [
    'the token of another role',
    (token) => `Bearer ${token === CURATOR_TOKEN ? OPERATOR_TOKEN : CURATOR_TOKEN}`,
    false,
    INVALID,
  ],
  ['a part of the token', (token) => `Bearer ${token.slice(0, -1)}`, false, INVALID],
  ['more than the token', (token) => `Bearer ${token}x`, false, INVALID],
  ['the token in other letters', (token) => `Bearer ${token.toUpperCase()}`, false, INVALID],
  ['two tokens', (token) => `Bearer ${token}, Bearer ${OTHER_TOKEN}`, false, INVALID],
  [
    'another scheme',
    (token) => `Basic ${Buffer.from(`keeper:${token}`).toString('base64')}`,
    false,
    INVALID,
  ],
  ['the token without a scheme', (token) => token, false, INVALID],
  ['the scheme without a token', () => 'Bearer', false, INVALID],
  ['an empty header', () => '', false, INVALID],
];

const definitions: readonly RouteDefinition[] = ROUTES;
const OPEN = definitions.filter(({ credential }) => credential === undefined);
const CLOSED = definitions.filter(({ credential }) => credential !== undefined);
const named = (routes: readonly RouteDefinition[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

const CODES = {
  curator: { unauthorized: 'CURATOR_UNAUTHORIZED', disabled: 'CURATOR_DISABLED' },
  operator: { unauthorized: 'OPERATOR_UNAUTHORIZED', disabled: 'OPERATOR_DISABLED' },
} as const satisfies Record<Credential, object>;

/** Number of use-case calls that routes with a credential have made. */
const done = ({ useCases }: TestApp): number =>
  useCases.deployments.length +
  useCases.controls.length +
  useCases.laneControls.length +
  useCases.taskControls.length +
  useCases.leverage.length +
  useCases.operators.requested +
  useCases.operationsRequested;

it('only the routes of the curator and of the operator require a credential', () => {
  expect(named(CLOSED).map(([name, { credential }]) => `${name}: ${credential}`)).toEqual([
    'post /api/curator: curator',
    'get /api/operator/status: operator',
    'post /api/operator/pools/:pool/pause: operator',
    'post /api/operator/pools/:pool/resume: operator',
    'post /api/operator/lanes/:lane/pause: operator',
    'post /api/operator/lanes/:lane/resume: operator',
    'get /api/operator/submissions: operator',
    'get /api/operator/submissions.csv: operator',
    'post /api/operator/submissions/search: operator',
    'get /api/operator/submissions/:id: operator',
    'post /api/operator/submissions/:id/retry: operator',
    'post /api/operator/submissions/:id/cancel: operator',
    'get /api/operator/events: operator',
    'get /api/operator/series: operator',
    'get /api/operator/audit-log: operator',
    'post /api/operator/tasks/:task/pause: operator',
    'post /api/operator/tasks/:task/resume: operator',
    'post /api/operator/leverage/:vault: operator',
  ]);
});

describe.each(HEADERS)('with %s', (_name, header, opens, error) => {
  it.each(named(OPEN))(
    'the public route %s ignores the Authorization header',
    async (_route, definition) => {
      const response = await callRoute(await answeringApp(), definition, {
        authorization: header(OPERATOR_TOKEN),
      });
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('www-authenticate');
    },
  );

  it.each(named(CLOSED))(
    `the route %s with a required API token is ${opens ? 'open' : 'closed'} to a request with the tested Authorization header`,
    async (_route, definition) => {
      const { credential = 'curator' } = definition;
      const test = await answeringApp();
      const response = await callRoute(test, definition, {
        authorization: header(tokenFor(credential)),
      });
      expect([
        response.status,
        opens ? undefined : response.body.code,
        response.headers['www-authenticate'] ?? null,
      ]).toEqual(
        opens
          ? [200, undefined, null]
          : [401, CODES[credential].unauthorized, `Bearer realm="${credential}"${error}`],
      );
      expect(done(test) > 0).toBe(opens);
      expect(`${response.text}${test.logged.join('')}`).not.toContain('marker');
    },
  );

  it.each(named(CLOSED))(
    'the route %s responds with the error code for disabled routes if no API tokens are configured',
    async (_route, definition) => {
      const { credential = 'curator' } = definition;
      const test = await answeringApp({
        app: { curatorTokens: new CuratorTokens([]), operatorTokens: new OperatorTokens([]) },
      });
      const { status, body, headers } = await callRoute(test, definition, {
        authorization: header(tokenFor(credential)),
      });
      expect([status, body.code, done(test)]).toEqual([503, CODES[credential].disabled, 0]);
      expect(headers).not.toHaveProperty('www-authenticate');
    },
  );
});

describe('without the right token', () => {
  it('rejects a request without a valid API token before reading its body', async () => {
    const { app } = await testApp();
    const response = await request(app)
      .post('/api/curator')
      .set('Content-Type', 'application/json')
      .send('{"vaultId": ');
    expect([response.status, response.body.code]).toEqual([401, 'CURATOR_UNAUTHORIZED']);
  });

  it('requests with a wrong API token count towards the rate limit of the caller’s address', async () => {
    const perMinute = { reads: 10, quotes: 10, submissions: 2 };
    const { app } = await testApp({ app: { rateLimits: { perMinute, maxClients: 3 } } });
    const guess = async (): Promise<number> =>
      (await request(app).post('/api/curator').set('Authorization', 'Bearer guess').send({}))
        .status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });

  it.each(['get', 'put', 'patch', 'delete'] as const)(
    'a request with the method %s does not bypass the check of the API token',
    async (method) => {
      const { app, useCases } = await testApp();
      const response = await request(app)[method]('/api/curator').send({ vaultId: 'sentinel' });
      expect([response.status, response.body.code, response.headers['allow']]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'POST',
      ]);
      expect(useCases.deployments).toEqual([]);
    },
  );

  it.each(['/api/curator/', '/API/CURATOR', '/api//curator', '/api/curator?token=x'])(
    'a path with the spelling %s does not bypass the check of the API token',
    async (path) => {
      const { app, useCases } = await testApp();
      const { status } = await request(app).post(path).send({ vaultId: 'sentinel' });
      expect(status).toBe(path.includes('?') ? 401 : 404);
      expect(useCases.deployments).toEqual([]);
    },
  );
});
