import { defineConfig } from 'vitest/config';

/** `npm run soak`: what takes too long for the suite. One at a time, so that figures are not each other's noise. */
const conditions = ['fermata-source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'soak',
    include: ['test/soak/**/*.soak.ts'],
    globalSetup: ['test/setup/servers.ts'],
    execArgv: ['--conditions=fermata-source'],
    setupFiles: ['test/setup/leaked-handles.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
});
