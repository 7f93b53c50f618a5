/**
 * The types of what a builder is given: references, expressions and the values of templates.
 *
 * What it is: types alone. What it is not: how they are made (`reference.ts`) or written down (`render.ts`).
 *
 * Invariants:
 * 1. A value that may be absent (`T | undefined`) fits no field that needs one, and neither do its fields:
 *    reading what is absent is an error of the run, so the compiler asks for `get(value, default)` first.
 * 2. What has no type (`unknown`) is not checked; everything else is.
 */
import type { Scalar } from '../types.ts';

/** Where the type of a value is kept; nothing has it at run time. */
export declare const TYPE: unique symbol;

/** Something that will be a `T` in a run: a reference or an expression. */
export interface Typed<T> {
  readonly [TYPE]: T;
}

/** What nobody gave a type: any path of it can be read, and it fits everywhere. */
// oxlint-disable-next-line typescript/no-explicit-any -- only `any` has every field under every compiler option
export type Untyped = any;

/** A path to a `T`, with its fields as properties. Items of lists and keys of maps are read by `at`. */
export type Ref<T> = unknown extends T ? Untyped : Typed<T> & Fields<NonNullable<T>, AbsenceOf<T>>;

type Fields<T, Absence> = T extends readonly unknown[]
  ? unknown
  : T extends object
    ? { readonly [Key in keyof T]-?: Ref<T[Key] | Absence> }
    : unknown;

type AbsenceOf<T> = [Extract<T, null | undefined>] extends [never] ? never : undefined;

/** A reference to each field. */
export type Refs<T> = { readonly [Key in keyof T]: Ref<T[Key]> };

/** What may be written where a run needs a `T`: the thing itself, a reference, or an object of such. */
export type Value<T> = unknown extends T ? AnyValue : Typed<Exclude<T, undefined>> | Literal<T>;

type Literal<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Value<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Value<T[Key]> }
      : never;

/** Any template. */
export type AnyValue = Typed<unknown> | Scalar | readonly AnyValue[] | { readonly [key: string]: AnyValue | undefined };

/** A condition: an expression, or its text in CEL. */
export type Condition = Typed<boolean> | string;

/** The type that a value has in a run; the reverse of {@link Value}. */
export type Plain<T> = unknown extends T
  ? unknown
  : T extends Typed<infer Inner>
    ? Inner
    : T extends Scalar | undefined
      ? Widened<T>
      : T extends readonly (infer Item)[]
        ? readonly Plain<Item>[]
        : { readonly [Key in keyof T]: Plain<T[Key]> };

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

/** What an expression of type `T` gives; one of no known type fits everywhere. */
export type Expr<T> = Typed<unknown extends T ? Untyped : T>;
