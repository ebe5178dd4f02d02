import { MAX_HEAD_BYTES, MAX_HEADERS } from '../../src/http/request-guard.ts';
import {
  MAX_INPUT_BYTES,
  MAX_INPUT_DEPTH,
  MAX_INPUT_NOTES,
  MAX_INPUT_VALUES,
} from '../../src/trpc/input-envelope.ts';

const count = (value: number): string => value.toLocaleString('en');
const KIBIBYTE = 1024;

/** Rows of API.md: what is limited, the limit, what is answered beyond it. */
export const REQUEST_LIMITS: readonly (readonly [what: string, limit: string, beyond: string])[] = [
  [
    'request line and headers together',
    `${MAX_HEAD_BYTES / KIBIBYTE} KiB, ${MAX_HEADERS} headers`,
    "431 `REQUEST_HEAD_TOO_LARGE`; the parser's page above 64 KiB or 98 headers",
  ],
  ['body of a procedure', `${MAX_INPUT_BYTES / KIBIBYTE} KiB`, '413 `PAYLOAD_TOO_LARGE`'],
  ['levels of an input, the envelope included', count(MAX_INPUT_DEPTH), '400 `INVALID_INPUT`'],
  ['keys and elements of an input', count(MAX_INPUT_VALUES), '400 `INVALID_INPUT`'],
  ['notes in `meta`', count(MAX_INPUT_NOTES), '400 `INVALID_INPUT`'],
  ['fields that a refusal names', '100', 'the first ones are named'],
  ['body with `Content-Encoding`, on any route', 'none', '415 `UNSUPPORTED_MEDIA_TYPE`'],
  ['bytes in a query or a text body that are no UTF-8', 'none', '400 `BAD_REQUEST`, `INVALID_INPUT`'],
];
