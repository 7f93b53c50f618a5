import type { Json } from '../types.ts';

/** Sets an own property, whatever the key is called: an assignment to `__proto__` would set the prototype. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
