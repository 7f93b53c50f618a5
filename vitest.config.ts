import { defineConfig } from 'vitest/config';

/**
 * Two projects. `unit`: pure and quick, nothing outside the process. `servers`: files named `*.server.test.ts`, on the
 * real Temporal server and the real PostgreSQL that `test/setup/servers.ts` starts once. The quick ones run first.
 */
const conditions = ['fermata-source'];
/** The package runs from source, inside vitest's loader and outside of it. */
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } };
const common = { execArgv: ['--conditions=fermata-source'], setupFiles: ['test/setup/leaked-handles.ts'] };

export default defineConfig({
  test: {
    projects: [
      {
        ...fromSource,
        test: {
          ...common,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/*.server.test.ts'],
        },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: 'servers',
          include: ['test/**/*.server.test.ts', 'examples/**/*.server.test.ts'],
          globalSetup: ['test/setup/servers.ts'],
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
