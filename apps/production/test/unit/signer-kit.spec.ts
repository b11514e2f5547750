import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { environment, files } from '@sotto/process-kit/environment';
import { loadConfig } from '@sotto/relayer';
import { loadSettings, type Permissions } from '@sotto/signer/settings';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { exampleSettings, kitFile, unitSettings } from './kit-files.js';

type Variables = Readonly<Record<string, string>>;

const kit = fileURLToPath(new URL('../..', import.meta.url));
const KEY = '0x31f8c5d0a7b2e94613fd08ac57b6e21904dd3c8b5fa7e6120c9b84d3a5e7f01';
/** Account settings of `environment`, without their private keys. */
const KEYLESS = {
  RELAY_ACCOUNTS: JSON.stringify([{ address: '0xacc1' }]),
  SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0xacc5' }),
  CURATOR_ACCOUNT: JSON.stringify({ address: '0xacc7' }),
};
const POLICY = JSON.stringify({
  version: 1,
  chainId: 'SN_TEST',
  budget: { perHourFri: '1000', perDayFri: '3000' },
  accounts: [
    {
      address: '0xacc1',
      calls: [{ contract: '0xaa1', entrypoint: 'withdraw', opaque: true }],
      bounds: {
        l2Gas: { maxAmount: '1', maxPriceFri: '1' },
        l1Gas: { maxAmount: '1', maxPriceFri: '1' },
        l1DataGas: { maxAmount: '1', maxPriceFri: '1' },
      },
    },
  ],
});
/**
 * Permissions of a systemd credential. Root owns the file, and an ACL entry lets the signer's user
 * read it.
 */
const CREDENTIAL = { gid: 10_001, secrets: { uid: 0, gid: 0, mode: 0o440 } };
const OWN = { gid: 10_001, secrets: { uid: 10_002, gid: 0, mode: 0o400 } };
/** Permissions of the files of a Kubernetes Secret with `fsGroup`. */
const OF_FS_GROUP = { gid: 10_002, secrets: { uid: 0, gid: 10_002, mode: 0o440 } };
const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

/**
 * Loads a signer's settings. The content of each file is selected by the end of its path, and the
 * secret files have the given permissions.
 */
const signerOf = (
  env: Variables,
  { gid, secrets }: { readonly gid: number; readonly secrets: Permissions },
) =>
  loadSettings({
    env,
    process: { uid: 10_002, gid },
    permissionsOf: (path) =>
      Object.entries(env).some(([name, file]) => name.endsWith('_FILE') && file === path)
        ? secrets
        : { uid: 0, gid: 0, mode: path.endsWith('.sqlite') ? 0o600 : 0o755 },
    readFile: (path) => {
      if (path.endsWith('policy.json')) return POLICY;
      if (/(?:\.crt|\.key)$/.test(path)) return PEM;
      return JSON.stringify([{ address: '0xacc1', privateKey: KEY }]);
    },
  });

/**
 * Loads the settings of a service that has no private key and uses the signer of the production
 * files.
 */
const serviceOf = (env: Variables): object => {
  const certificates = Object.entries(env).filter(([name]) => name.endsWith('_FILE'));
  const readFile = files(Object.fromEntries(certificates.map(([, path]) => [path, PEM])));
  return loadConfig({
    env: { ...environment, ...KEYLESS, ...env },
    readFile,
    modeOf: () => 0o400,
  });
};

/** Returns the lines of a unit that contain its sandboxing settings. */
const sealed = (text: string): string[] =>
  text.slice(text.indexOf('CapabilityBoundingSet='), text.indexOf('[Install]')).split('\n');

/**
 * Returns the names of volumes or of mounted files: the text before the first colon of each entry.
 */
const namesOf = (list: readonly string[]): string[] => list.map((text) => text.split(':')[0] ?? '');

describe('the signer as a unit', () => {
  const unit = kitFile('systemd/sotto-signer.service');
  const lines = unit.split('\n');
  const added = kitFile('systemd/with-signer.conf');

  it('the settings in the systemd units of the signer and of the service are valid', () => {
    const env = unitSettings('systemd/sotto-signer.service');
    const { place } = signerOf(env, CREDENTIAL);
    const { SIGNER_URL } = unitSettings('systemd/with-signer.conf');
    expect(place).toEqual({ kind: 'unix', path: SIGNER_URL?.slice('unix:'.length), mode: 0o660 });
    expect(() => serviceOf({ SIGNER_URL: SIGNER_URL ?? '' })).not.toThrow();
  });

  it('the service’s group can access only the signer’s socket', () => {
    const [, user = ''] = /^User=(.+)$/m.exec(unit) ?? [];
    const [, group = ''] = /^Group=(.+)$/m.exec(unit) ?? [];
    expect(added).toContain(`\nSupplementaryGroups=${group}\n`);
    const made = kitFile('systemd/sotto-signer.sysusers');
    expect(made).toContain(`\ng ${group} `);
    expect(made).toContain(`\nu ${user} `);
    expect(lines).toEqual(
      expect.arrayContaining([
        'RuntimeDirectory=sotto-signer',
        'RuntimeDirectoryMode=0750',
        'StateDirectory=sotto-signer',
        'StateDirectoryMode=0700',
        'UMask=0077',
        'PrivateNetwork=yes',
        'RestrictAddressFamilies=AF_UNIX',
        'LimitCORE=0',
      ]),
    );
  });

  it('the signer’s systemd unit is sandboxed at least as strictly as the service’s unit', () => {
    const ofService = sealed(kitFile('systemd/sotto-api.service')).filter(
      (line) => !line.startsWith('RestrictAddressFamilies='),
    );
    expect(ofService.length).toBeGreaterThan(20);
    expect(sealed(unit)).toEqual(expect.arrayContaining(ofService));
  });
});

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()).default({}),
      secrets: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      network_mode: z.string().optional(),
      user: z.string().optional(),
    }),
  ),
  volumes: z.record(
    z.string(),
    z.object({ driver_opts: z.record(z.string(), z.string()) }).nullable(),
  ),
});

describe('the signer in compose', () => {
  const { services, volumes } = Compose.parse(
    parse(kitFile('compose/compose.yaml'), { merge: true }),
  );
  const { signer, ...others } = services;

  it('the settings in compose of the signer and of the services are valid', () => {
    const { place } = signerOf(signer?.environment ?? {}, OWN);
    const { SIGNER_URL } = exampleSettings('compose/settings.env.example');
    expect(place).toEqual({ kind: 'unix', path: SIGNER_URL?.slice('unix:'.length), mode: 0o660 });
    expect(() => serviceOf({ SIGNER_URL: SIGNER_URL ?? '' })).not.toThrow();
  });

  it('the signer in compose has no network, and shares only its socket’s volume with the services', () => {
    expect(signer).toMatchObject({ profiles: ['signer'], network_mode: 'none' });
    for (const [name, { secrets, volumes: mounted }] of Object.entries(others)) {
      const shared = namesOf(mounted).filter((one) => namesOf(signer?.volumes ?? []).includes(one));
      const isOfOurs = /^(?:api|keeper)/.test(name);
      expect({ name, shared }).toEqual({ name, shared: isOfOurs ? ['signer-socket'] : [] });
      expect(secrets.filter((secret) => signer?.secrets.includes(secret))).toEqual([]);
    }
  });

  it('the signer in compose runs as a different user than the services', () => {
    const [, ofImage = ''] = /^USER (.+)$/m.exec(kitFile('Dockerfile')) ?? [];
    const [uid, gid] = (signer?.user ?? '').split(':');
    expect(uid).not.toBe(ofImage.split(':')[0]);
    expect(gid).toBe(ofImage.split(':')[1]);
    expect(volumes['signer-socket']?.driver_opts['o']).toBe(`uid=${uid},gid=${gid},mode=0750`);
    // A new volume has the owner and mode of the image's folder.
    expect(kitFile('Dockerfile')).toContain(
      `install -d -o ${uid} -g ${gid} -m 0700 /var/lib/sotto-signer\n`,
    );
    expect(signer?.volumes).toContain('signer-book:/var/lib/sotto-signer');
  });
});

const Rendered = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  spec: z.unknown(),
});
const Workload = z.object({
  template: z.object({
    spec: z.object({
      containers: z.tuple([
        z.object({
          env: z.array(z.object({ name: z.string(), value: z.string().default('') })),
        }),
      ]),
    }),
  }),
});
const Ports = z.object({ ports: z.array(z.object({ port: z.number() })) });

/**
 * Renders the chart with a signer. Returns a function that finds a specification by kind and name.
 */
const rendered = () => {
  const args = ['template', 'sotto', 'helm/sotto', '--set', 'signer.enabled=true'];
  const { stdout } = spawnSync('helm', args, { cwd: kit, encoding: 'utf8' });
  const documents = parseAllDocuments(stdout).map((document) => Rendered.parse(document.toJS()));
  return (kind: string, name: string): unknown =>
    documents.find((one) => one.kind === kind && one.metadata.name === name)?.spec;
};
const environmentOf = (spec: unknown): Variables =>
  Object.fromEntries(
    Workload.parse(spec).template.spec.containers[0].env.map(({ name, value }) => [name, value]),
  );

const hasHelm = spawnSync('helm', ['version']).status === 0;
(hasHelm ? describe : describe.skip)('the signer in the chart', () => {
  it('the settings of the signer in the Helm chart are valid', () => {
    const find = rendered();
    const { place } = signerOf(environmentOf(find('StatefulSet', 'sotto-signer')), OF_FS_GROUP);
    const env = environmentOf(find('Deployment', 'sotto-api'));
    const url = new URL(env['SIGNER_URL'] ?? '');
    expect(place).toMatchObject({ kind: 'https', port: Number(url.port) });
    const { ports } = Ports.parse(find('Service', url.hostname));
    expect(ports).toEqual([expect.objectContaining({ port: Number(url.port) })]);
    const ofSigner = Object.entries(env).filter(([name]) => name.startsWith('SIGNER_'));
    expect(ofSigner).toHaveLength(4);
    expect(() => serviceOf(Object.fromEntries(ofSigner))).not.toThrow();
  });

  it('the signer in the Helm chart accepts only the service and the keeper, and can connect to no host', () => {
    const find = rendered();
    expect(find('NetworkPolicy', 'sotto-signer')).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [],
      ingress: [{ from: [{ podSelector: { matchExpressions: [{ values: ['api', 'keeper'] }] } }] }],
    });
    expect(find('StatefulSet', 'sotto-signer')).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'book' } }],
    });
  });
});

describe('the page of keys elsewhere', () => {
  const page = kitFile('../../docs/operations/keys-elsewhere.md');
  const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text);

  it.each(blocks.map((text) => [text.replace(/\n[^]*/, ''), text]))(
    'the page about keys outside the service contains only valid shell commands: %s',
    (_, text) => {
      const { status, stderr } = spawnSync('bash', ['-n', '-c', text], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );

  it('the page about keys outside the service installs existing files of the production kit', () => {
    const places = [...page.matchAll(/"\$CHECKOUT\/apps\/production\/([^"]+)"/g)];
    expect(places.map(([, place = '']) => existsSync(`${kit}${place}`))).toEqual([
      true,
      true,
      true,
    ]);
    const units = [...page.matchAll(/(?:sotto|with)-signer\.(?:sysusers|service|conf)(?= \/etc)/g)];
    expect(units.length).toBeGreaterThan(2);
    for (const [file] of units) expect(existsSync(`${kit}systemd/${file}`)).toBe(true);
  });

  it('the page about keys outside the service drafts a signer policy with options that the signer supports', () => {
    const requested = blocks.find((text) => text.includes('sotto-signer policy')) ?? '';
    const options = [...requested.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    const command = readFileSync(
      new URL('../../../signer/src/policy/policy-command.ts', import.meta.url),
      'utf8',
    );
    expect(options.length).toBeGreaterThan(3);
    for (const option of options) expect(command).toContain(`  ${option} <`);
  });
});
