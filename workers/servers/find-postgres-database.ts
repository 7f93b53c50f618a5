/** The database that `DATABASE_URL` names, after a look whether its server is there. */
import { FermataError } from '../../definitions/fermata-error.ts';
import type { Environment } from './environment.ts';
import type { Log } from './log.ts';
import { tcpRefusal } from './tcp-probe.ts';

/**
 * Gives the URL, or null when none is set.
 * @throws FermataError `store.unavailable` when its server does not answer; `config.invalid` when it is no URL
 */
export async function findPostgresDatabase(options: {
  env: Environment;
  log: Log;
  refusal?: typeof tcpRefusal;
}): Promise<string | null> {
  const { env, log, refusal = tcpRefusal } = options;
  const url = env['DATABASE_URL'];
  if (!url) return null;
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new FermataError(
      'config.invalid',
      'DATABASE_URL is not a URL such as postgresql://user:password@host:5432/name.',
    );
  }
  const { hostname, port } = new URL(url);
  // Without a host the URL means a socket file, which the driver finds by its own rules.
  if (hostname === '') return url;
  const place = `${hostname}:${port || 5432}`;
  const reason = await refusal(hostname.replace(/^\[|\]$/g, ''), Number(port || 5432), 5000);
  if (reason !== null) {
    const message = `Nothing answers at ${place}, which DATABASE_URL names: ${reason}. Start that server or correct the URL; without one, Fermata starts its own.`;
    throw new FermataError('store.unavailable', message, { place });
  }
  log(`Using PostgreSQL at ${place}`);
  return url;
}
