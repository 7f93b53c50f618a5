/** The builder: definitions in TypeScript. Guide: `docs/guide/builder.md`. */
export { define } from './define.ts';
export { type EventOf, type EventType, eventType } from './event-type.ts';
export { cel, get, has, secret, text } from './expressions.ts';
export type { DefinitionOptions, Head } from './head.ts';
export type { Names } from './names.ts';
export type { Built } from './node-options.ts';
export { at } from './reference.ts';
export { type SourceOptions, toBuilderSource } from './source/builder-source.ts';
export type { Finished, Steps } from './steps.ts';
export type { Expr, Ref, Typed, Value } from './typed.ts';
