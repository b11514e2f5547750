import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '@sotto/relayer';
import { VARIABLES as SIGNER_VARIABLES } from '@sotto/signer/settings';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { exampleSettings, kitFile, unitSettings } from './kit-files.js';

const kit = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Names of settings that belong to Node and other programs, in files that also contain settings of
 * this project.
 */
const OF_OTHERS = /^(?:NODE_(?:ENV|OPTIONS|COMPILE_CACHE)|POSTGRES_\w+|GF_\w+|RUNBOOK_URL)$/;
/** Names of the programs in the bundled folder. */
const PROGRAMS = ['api', 'keeper', 'cli', 'signer'];
const UNITS = [
  'systemd/sotto-api.service',
  'systemd/sotto-keeper.service',
  'systemd/sotto-signer.service',
];
const CHART = 'helm/sotto';

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}
function run(command: string, ...args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: kit, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const VERSION_ARGS: Readonly<Record<string, string>> = { helm: 'version', haproxy: '-v' };

/**
 * Describes tests that run these tools. If a tool is not installed, the tests are skipped and the
 * title contains its name.
 */
function withTools(tools: readonly string[], tests: () => void): void {
  const missing = tools.filter((tool) => run(tool, VERSION_ARGS[tool] ?? '--version').status !== 0);
  const title = missing.length === 0 ? tools.join(', ') : `not installed: ${missing.join(', ')}`;
  (missing.length === 0 ? describe : describe.skip)(title, tests);
}

/** Returns true if the name is a setting of the project, with or without the suffix `_FILE`. */
const isIn = (variables: object, name: string): boolean =>
  OF_OTHERS.test(name) || name in variables || name.replace(/_FILE$/, '') in variables;
const isSetting = (name: string, program = 'api'): boolean =>
  isIn(program === 'signer' ? SIGNER_VARIABLES : VARIABLES, name);
const programsIn = (text: string): readonly (string | undefined)[] =>
  [...text.matchAll(/node_modules\/@sotto\/([a-z%]+)\/dist\/main\.js/g)].map(([, name]) => name);

const Environment = z.record(z.string(), z.string());
const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: Environment.optional(),
      secrets: z.array(z.string()).default([]),
      ports: z.array(z.string()).default([]),
      ulimits: z.object({ core: z.number() }).optional(),
    }),
  ),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

describe('compose', () => {
  const text = kitFile('compose/compose.yaml');
  const { services, secrets } = Compose.parse(parse(text, { merge: true }));

  it('compose sets only existing settings', () => {
    const names = Object.entries(services).flatMap(([service, { environment = {} }]) =>
      Object.keys(environment).map((name) => ({ service, name })),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter(({ service, name }) => !isSetting(name, service))).toEqual([]);
  });

  it('compose mounts each secret file in the services that use it', () => {
    for (const [service, { environment = {}, secrets: given }] of Object.entries(services)) {
      const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
      for (const file of files)
        expect({ service, given }).toEqual({
          service,
          given: expect.arrayContaining([file.slice('/run/secrets/'.length)]),
        });
      expect(given.filter((name) => !(name in secrets))).toEqual([]);
    }
  });

  it('the public port of compose serves operators’ routes only with TLS', () => {
    const published = Object.entries(services).flatMap(([service, { ports }]) =>
      ports.map((port) => `${service} ${port}`),
    );
    expect(published.filter((port) => !port.includes(' 127.0.0.1:'))).toEqual(['proxy 80:8080']);
    expect(published).toContain('proxy 127.0.0.1:8081:8081');
    const [, ofPublic = '', ofOperators = ''] = kitFile('compose/haproxy.cfg').split(/^frontend /m);
    expect(ofPublic).toMatch(/^public\n {2}bind :8080\n/);
    expect(ofOperators).toMatch(/^operators\n {2}bind :8081\n/);
    const denied = [...ofPublic.matchAll(/^ {2}http-request deny .+$/gm)].map(([line]) => line);
    expect(denied).toEqual([
      '  http-request deny deny_status 403 if { path_beg -i /api/operator /console } !{ ssl_fc }',
      '  http-request deny deny_status 403 if { req.hdr(authorization) -m found } !{ ssl_fc }',
    ]);
    expect(ofOperators).not.toContain('deny');
  });

  it('O7: the proxy sends reads to all instances that can serve reads', () => {
    const [frontends = '', ...backends] = kitFile('compose/haproxy.cfg').split(/^backend /m);
    expect(
      backends.map((backend) => /^(\w+)\n[^]*httpchk GET (\S+)/.exec(backend)?.slice(1)),
    ).toEqual([
      ['ready', '/health/ready'],
      ['serving', '/health/serving'],
    ]);
    for (const frontend of frontends.split(/^frontend /m).slice(1)) {
      expect(frontend).toContain('  use_backend serving if METH_GET or !{ nbsrv(ready) gt 0 }\n');
      expect(frontend).toContain('  default_backend ready\n');
    }
  });

  it('O7 the Helm chart’s API pods receive reads while they are not ready for withdrawals', () => {
    expect(kitFile('helm/sotto/templates/api.yaml')).toContain('"readiness" "/health/serving"');
    expect(kitFile('helm/sotto/templates/keeper.yaml')).toContain('"readiness" "/health/ready"');
    expect(kitFile('helm/sotto/templates/_program.tpl')).toContain(
      'readinessProbe:\n      httpGet: { path: {{ .readiness | quote }}, port: http }',
    );
  });

  it('O3: the Helm chart stops all old instances first if the new migration excludes the last release', () => {
    const [current, last] = releasedSchemas();
    const added = migrationHeaders().filter(({ schema }) => schema > (last?.schema ?? 0));
    const runsBeside = Math.max(...added.map((header) => header.runsBeside));
    expect(current).toEqual({ schema: added.at(-1)?.schema, runsBeside });
    const { upgradeStrategy } = z
      .object({ upgradeStrategy: z.string() })
      .parse(parse(kitFile('helm/sotto/values.yaml')));
    expect(upgradeStrategy).toBe(runsBeside <= (last?.schema ?? 0) ? 'RollingUpdate' : 'Recreate');
    for (const program of ['api', 'keeper'])
      expect(kitFile(`helm/sotto/templates/${program}.yaml`)).toContain(
        'strategy:\n    type: {{ .Values.upgradeStrategy }}\n',
      );
  });

  withTools(['haproxy'], () => {
    it('HAProxy accepts the proxy configuration of compose', () => {
      expect(run('haproxy', '-c', '-f', 'compose/haproxy.cfg')).toMatchObject({ status: 0 });
    });
  });

  it('all instances in compose are behind the proxy and among Prometheus’ targets', () => {
    const instances = Object.keys(services).filter((name) => name.startsWith('api-'));
    expect(instances).toHaveLength(2);
    const backends = kitFile('compose/haproxy.cfg')
      .split(/^backend /m)
      .slice(1);
    expect(backends).toHaveLength(2);
    for (const name of instances) {
      for (const backend of backends) expect(backend).toContain(`server ${name} ${name}:3000`);
      expect(kitFile('compose/prometheus.yml')).toContain(`${name}:9464`);
    }
  });
});

interface SchemaRow {
  readonly schema: number;
  readonly runsBeside: number;
}

/** Returns the table of schemas in the release notes, newest first. */
function releasedSchemas(): readonly SchemaRow[] {
  const notes = readFileSync(new URL('../../../../docs/release-notes.md', import.meta.url), 'utf8');
  return [...notes.matchAll(/^\| (\d{4}) +\| (\d{4}) +\|/gm)].map(([, schema, runsBeside]) => ({
    schema: Number(schema),
    runsBeside: Number(runsBeside),
  }));
}

/**
 * Returns the number of each migration, and the oldest schema that may run at the same time
 * according to the migration's header. A migration without this header line excludes all older
 * schemas.
 */
function migrationHeaders(): readonly SchemaRow[] {
  const folder = new URL('../../../../packages/adapters/store/migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.postgres.sql'))
    .toSorted()
    .map((name) => {
      const schema = Number(name.slice(0, 4));
      const stated = /^-- Runs beside: (\d{4})\n/.exec(readFileSync(new URL(name, folder), 'utf8'));
      return { schema, runsBeside: Number(stated?.[1] ?? schema) };
    });
}

/** Names of the compose services that have signing keys, or that may have them. */
const HOLDERS = /^(?:api-\d|keeper|signer)$/;

describe('core dumps', () => {
  it('core dumps are disabled in compose for every program that may have keys', () => {
    const { services } = Compose.parse(parse(kitFile('compose/compose.yaml'), { merge: true }));
    const holders = Object.entries(services).filter(([name]) => HOLDERS.test(name));
    expect(holders.map(([name]) => name)).toEqual(['api-1', 'api-2', 'keeper', 'signer']);
    for (const [name, { ulimits }] of holders)
      expect({ name, ulimits }).toEqual({ name, ulimits: { core: 0 } });
  });

  it.each(UNITS)('core dumps are disabled in the systemd unit %s', (unit) => {
    expect(kitFile(unit).split('\n')).toContain('LimitCORE=0');
  });

  it('core dumps are disabled for every program of the image, in the Helm chart too', () => {
    expect(kitFile('Dockerfile')).toContain('\nENTRYPOINT ["prlimit", "--core=0", "--"]\n');
    for (const template of readdirSync(join(kit, CHART, 'templates')))
      expect(kitFile(`${CHART}/templates/${template}`)).not.toMatch(/^\s+command:/m);
  });

  withTools(['prlimit'], () => {
    it('core dumps are disabled for the process that the image’s entry point starts', () => {
      const [, json = ''] = /^ENTRYPOINT (.+)$/m.exec(kitFile('Dockerfile')) ?? [];
      const [command = '', ...args] = z.array(z.string()).parse(JSON.parse(json));
      const { output } = run(command, ...args, 'cat', '/proc/self/limits');
      expect(output).toMatch(/^Max core file size +0 +0 /m);
    });
  });
});

describe('young generation of the heap', () => {
  it('the image and the units of api and keeper set the same size, which the page on sizing states', () => {
    const [, ofImage = ''] = / NODE_OPTIONS=(\S+)/.exec(kitFile('Dockerfile')) ?? [];
    expect(ofImage).toMatch(/^--max-semi-space-size=\d+$/);
    for (const unit of ['systemd/sotto-api.service', 'systemd/sotto-keeper.service'])
      expect(unitSettings(unit)).toMatchObject({ NODE_OPTIONS: ofImage });
    expect(kitFile('../../docs/operations/sizing.md')).toContain(`\`NODE_OPTIONS=${ofImage}\``);
  });
});

describe('units of systemd', () => {
  it.each(UNITS)(
    'the systemd unit %s sets only existing settings, and loads exactly the credentials that its program uses',
    (unit) => {
      const text = kitFile(unit);
      const settings = unitSettings(unit);
      const [program] = programsIn(text);
      expect(Object.keys(settings).filter((name) => !isSetting(name, program))).toEqual([]);
      const credentials = Object.values(settings).flatMap(
        (value) => /^%d\/(.+)$/.exec(value)?.[1] ?? [],
      );
      const loaded = [...text.matchAll(/^LoadCredential=([^:]+):/gm)].map(([, name]) => name);
      expect(new Set(credentials)).toEqual(new Set(loaded));
      expect(PROGRAMS).toEqual(expect.arrayContaining([...programsIn(text)]));
    },
  );

  withTools(['systemd-analyze'], () => {
    it('the systemd units are valid, and systemd-analyze rates their exposure at most 1.5', () => {
      const folder = mkdtempSync(join(tmpdir(), 'sotto-units-'));
      try {
        for (const unit of UNITS) {
          const file = join(folder, unit.replace(/^.*\//, ''));
          writeFileSync(file, kitFile(unit).replaceAll('/usr/local/bin/node', process.execPath));
          // The output is compared, because the command exits with 0 in any case.
          expect(run('systemd-analyze', 'verify', file).output).toBe('');
          expect(
            run('systemd-analyze', 'security', '--offline=true', '--threshold=15', file),
          ).toEqual(expect.objectContaining({ status: 0 }));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});

describe('examples of settings', () => {
  it.each(['compose/settings.env.example', 'systemd/api.env.example'])(
    'the settings example %s contains only existing settings',
    (file) => {
      const names = Object.keys(exampleSettings(file));
      expect(names).toEqual(expect.arrayContaining(['FEE_ADDRESS', 'SIGNER_URL']));
      expect(names.filter((name) => !isSetting(name))).toEqual([]);
    },
  );
});

describe('the image', () => {
  const text = kitFile('Dockerfile');

  it('the image runs a program of the production folder, not as root, and is stopped by SIGTERM', () => {
    expect(PROGRAMS).toEqual(expect.arrayContaining([...programsIn(text)]));
    expect(text).toMatch(/^USER 10001:10001$/m);
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m);
    // Reads the environment of the final stage. The build stage has a separate environment.
    const stage = text.slice(text.lastIndexOf('\nFROM '));
    const [, settings = ''] = /^ENV (.*)$/m.exec(stage) ?? [];
    const names = settings.split(' ').map((pair) => pair.replace(/=.*/, ''));
    expect(names).toContain('METRICS_PORT');
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  });

  withTools(['hadolint'], () => {
    it('the Dockerfile passes hadolint', () => {
      expect(run('hadolint', 'Dockerfile')).toEqual({ status: 0, output: '' });
    });
  });
});

describe('the chart', () => {
  it('the Helm chart sets only existing settings', () => {
    const values = z
      .object({ secret: z.object({ keys: Environment }), settings: Environment })
      .parse(parse(kitFile(`${CHART}/values.yaml`)));
    const names = [...Object.keys(values.secret.keys), ...Object.keys(values.settings)];
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  });

  it('the Helm chart includes the unchanged alert rules and dashboard', () => {
    for (const name of readdirSync(join(kit, CHART, 'files')))
      expect(kitFile(`${CHART}/files/${name}`)).toBe(
        kitFile(name.endsWith('.yml') ? `prometheus/${name}` : `grafana/${name}`),
      );
  });

  const ALL = ['keeper', 'monitoring', 'signer']
    .flatMap((part) => ['--set', `${part}.enabled=true`])
    .concat(
      '--set',
      'monitoring.runbook=https://docs.example/alerts.md,monitoring.receivers=pagers',
    );
  withTools(['helm'], () => {
    it('helm accepts the Helm chart with all optional parts enabled', () => {
      expect(run('helm', 'lint', '--strict', CHART)).toMatchObject({ status: 0 });
      const { status, stdout } = spawnSync('helm', ['template', 'sotto', CHART, ...ALL], {
        cwd: kit,
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      const kinds = parseAllDocuments(stdout).map((document) => {
        expect(document.errors).toEqual([]);
        return z.object({ kind: z.string() }).parse(document.toJS()).kind;
      });
      expect(stdout).not.toContain('externalLabels');
      expect(stdout).toContain('https://docs.example/alerts.md#servicedown');
      expect(stdout).toContain('/etc/alertmanager/secrets/pagers/pager_url');
      expect(kinds.toSorted()).toEqual([
        'ConfigMap',
        'Deployment',
        'Deployment',
        'NetworkPolicy',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'PodMonitor',
        'PrometheusRule',
        'Secret',
        'Service',
        'Service',
        'ServiceMonitor',
        'StatefulSet',
      ]);
    });
  });

  withTools(['helm', 'kubernetes-validate'], () => {
    it('the Helm chart renders resources that Kubernetes accepts', () => {
      // Resources of the Prometheus Operator are omitted, because no version of Kubernetes defines
      // them.
      const templated = run(
        'helm',
        'template',
        'sotto',
        CHART,
        ...ALL,
        '--set',
        'monitoring.enabled=false',
      );
      expect(templated.status).toBe(0);
      const folder = mkdtempSync(join(tmpdir(), 'sotto-chart-'));
      try {
        const file = join(folder, 'chart.yaml');
        writeFileSync(file, templated.output.replaceAll(/^.*found symbolic link.*$/gm, ''));
        expect(run('kubernetes-validate', '--strict', file)).toMatchObject({ status: 0 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
