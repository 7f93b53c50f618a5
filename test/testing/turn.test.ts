import { afterAll, describe, expect, it } from 'vitest';
import { nextTurn, turnsThrough } from '../../testing/turn.ts';

const channel = new MessageChannel();
const takeTurn = turnsThrough(channel);
afterAll(() => channel.port1.close());

describe('the next turn of the host', () => {
  const hosts = { Node: nextTurn, 'a browser': () => new Promise<void>((resolve) => takeTurn(resolve)) };
  for (const [host, turn] of Object.entries(hosts)) {
    it(`comes after all promises that can go on by themselves, in ${host}`, async () => {
      let steps = 0;
      const walk = async () => {
        for (let step = 0; step < 1000; step++) {
          await Promise.resolve();
          steps++;
        }
      };
      const walking = walk();
      await turn();
      expect(steps).toBe(1000);
      await walking;
    });

    it(`comes to everybody who waits for it, in order, in ${host}`, async () => {
      const came: number[] = [];
      const waiters = [1, 2, 3].map(async (number) => {
        await turn();
        came.push(number);
      });
      await Promise.all(waiters);
      expect(came).toEqual([1, 2, 3]);
    });
  }
});
