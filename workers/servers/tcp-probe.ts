/** Asks whether anything listens at an address, without knowing its protocol. */
import { connect } from 'node:net';

/** Null when a connection opens within `timeoutMs`, otherwise why not. */
export function tcpRefusal(host: string, port: number, timeoutMs = 1000): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const settle = (refusal: string | null) => {
      socket.destroy();
      resolve(refusal);
    };
    socket.once('connect', () => settle(null));
    socket.once('timeout', () => settle(`no answer within ${timeoutMs} ms`));
    socket.once('error', (error) => settle(error.message || 'connection refused'));
  });
}
