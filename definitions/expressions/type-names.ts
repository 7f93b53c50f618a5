import { type CelValue, celType } from '@bufbuild/cel';

const FRIENDLY: Readonly<Record<string, string>> = {
  double: 'a number',
  int: 'an integer',
  uint: 'an unsigned integer',
  bool: 'a boolean',
  string: 'a string',
  bytes: 'bytes',
  null_type: 'null',
  list: 'a list',
  map: 'an object',
  type: 'a type',
  'google.protobuf.Timestamp': 'a timestamp',
  'google.protobuf.Duration': 'a duration',
};

/** The type of a value, as people say it: `a number`, `an object`. */
export function typeName(value: CelValue): string {
  const { name } = celType(value);
  return FRIENDLY[name] ?? name;
}
