/** Timestamps and durations, which CEL borrows from Protocol Buffers, as text. */
import type { CelValue } from '@bufbuild/cel';
import { toJson } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';

/** `2027-01-01T00:00:00Z` for a timestamp, `7200s` for a duration, `null` for anything else. */
export function messageText(value: CelValue): string | null {
  if (isReflectMessage(value, TimestampSchema)) return toJson(TimestampSchema, value.message as Timestamp);
  return isReflectMessage(value, DurationSchema) ? toJson(DurationSchema, value.message as Duration) : null;
}
