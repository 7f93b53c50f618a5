import { defineConfig } from 'vitest/config';

/**
 * Two projects. `unit`: pure and quick, nothing outside the process. `servers`: files named `*.server.test.ts`, on the
 * real Temporal server and the real PostgreSQL that `test/setup/servers.ts` starts once.
 */
const conditions = ['fermata-source'];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions } } };

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/*.server.test.ts'],
          execArgv: ['--conditions=fermata-source'],
        },
      },
      {
        ...shared,
        test: {
          name: 'servers',
          include: ['test/**/*.server.test.ts', 'examples/**/*.server.test.ts'],
          globalSetup: ['test/setup/servers.ts'],
          execArgv: ['--conditions=fermata-source'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
