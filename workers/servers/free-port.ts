/**
 * Picks TCP ports on the loopback interface. Not a reservation: the port is free at the time of asking.
 */
import { createServer } from 'node:net';

/** The host that every server we start listens on; nothing we start is reachable from another machine. */
export const LOOPBACK = '127.0.0.1';

/** Gives `preferred` when nothing listens there, otherwise a port that the operating system picks. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await tryPort(preferred);
    if (port !== null) return port;
  }
  const port = await tryPort(0);
  if (port === null) throw new Error(`No free TCP port on ${LOOPBACK}.`);
  return port;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const address = server.address();
      const found = address !== null && typeof address === 'object' ? address.port : null;
      server.close(() => resolve(found));
    });
  });
}
