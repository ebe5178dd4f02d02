import { z } from 'zod';
import { instant } from './text.ts';

/** Messages by input field: a dotted path, `_` for the input as a whole. */
const fields = z.record(z.string(), z.array(z.string()));

/** For QUOTA_REACHED: `limit` and `used`. For STAGING_QUOTA_REACHED: `quota` and `remaining`. */
const details = z.object({
  limit: z.int().optional(),
  used: z.int().optional(),
  quota: z.string().optional(),
  remaining: z.int().optional(),
  resetsAt: instant.nullable(),
});

/**
 * The content of `{error:{json}}` when a procedure fails (docs/contract.md#calling); made in
 * `src/api/error-shape.ts`.
 */
export const procedureError = z.object({
  message: z.string(),
  /** tRPC's number for `data.code`. */
  code: z.int(),
  data: z.object({
    code: z.string(),
    httpStatus: z.int(),
    path: z.string().optional(),
    errorCode: z.string(),
    messageKey: z.string(),
    fields: fields.optional(),
    details: details.optional(),
  }),
});

/** The body of a plain route's error response. */
export const routeError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    messageKey: z.string(),
    fields: fields.optional(),
    details: details.optional(),
  }),
});

/** The body of an error response under `/api/auth`. */
export const signInError = z.object({ message: z.string(), code: z.string(), messageKey: z.string() });

/**
 * The fields of the sign-in answers that clients may rely on, for both ways of signing in; the session is in the
 * Set-Cookie header.
 */
export const signInOutput = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
});
