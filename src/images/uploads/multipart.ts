/**
 * Reads one photo form (multipart/form-data) into memory with limits on everything: bytes of the body, of the file
 * and of each field, number of parts, size of part headers. Nothing is written to disk, so an aborted upload leaves
 * nothing.
 */
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { PublicError } from '../../errors/errors.ts';
import type { HttpRequest } from '../../http/message.ts';

/** The name of the one file part (docs/contract.md#photos). */
const FILE_FIELD = 'file';
/** Boundaries, part headers and other fields; real forms need well under 4 KiB. */
const MAX_FORM_OVERHEAD_BYTES = 64 * 1024;
const MAX_FIELD_BYTES = 1024;
const MAX_FIELDS = 16;
const MAX_PART_HEADER_BYTES = 8 * 1024;

export interface PhotoUploadLimits {
  maxFileBytes: number;
  /**
   * Called once, when the file begins, with the fields before it. Reading pauses until it resolves. If it throws,
   * the upload is rejected with that error.
   */
  beforeFile(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Text fields that the form may have; any other is rejected. */
  fields: readonly string[];
}

export interface PhotoUpload {
  /** The fields that were sent. */
  fields: Record<string, string>;
  /** Empty as soon as `use` has finished: its memory is freed then. */
  file: Buffer;
}

/**
 * @param request when the upload is rejected, the body's iterator is closed at once.
 * @param use receives the upload; its result is returned.
 * @throws PublicError UNSUPPORTED_MEDIA_TYPE (not a form), INVALID_INPUT (malformed, or without exactly one file)
 *   or PHOTO_TOO_LARGE (file or body). An error of the stream itself, such as a disconnected client, is passed on
 *   unchanged.
 */
export async function withPhotoUpload<T>(
  request: Pick<HttpRequest, 'bodyStream' | 'headers'>,
  limits: PhotoUploadLimits,
  use: (upload: PhotoUpload) => T | Promise<T>,
): Promise<T> {
  const form = openForm(request.headers.get('content-type'), limits);
  let received = 0;
  try {
    for await (const chunk of request.bodyStream()) {
      received += chunk.length;
      if (received > limits.maxFileBytes + MAX_FORM_OVERHEAD_BYTES) throw tooLarge(limits);
      await form.write(chunk);
    }
    return await use(await form.end());
  } finally {
    form.discard();
  }
}

function openForm(contentType: string | undefined, limits: PhotoUploadLimits) {
  const parser = createParser(contentType, limits);
  const fields: Record<string, string> = {};
  const seen = new Set<string>();
  let file: ReturnType<typeof openFile> | null = null;

  const parsed = new Promise<void>((resolve, reject) => {
    const refuse = (message: string): void => reject(invalid(message));
    parser.on('file', (name, part) => {
      part.on('error', () => refuse('The upload ended in the middle of the file. Send it again.'));
      part.on('limit', () => reject(tooLarge(limits)));
      if (name !== FILE_FIELD) {
        part.resume();
        return refuse(`Send the photo in the part named "${FILE_FIELD}".`);
      }
      const opened = openFile(limits, fields);
      file = opened;
      return part.on('data', (chunk: Buffer) => opened.append(chunk));
    });
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) return refuse('A form field is too long.');
      if (!limits.fields.includes(name)) return reject(unknownField(name));
      if (seen.has(name)) return refuse(`The form field "${name}" was sent twice.`);
      seen.add(name);
      fields[name] = value;
    });
    parser.on('filesLimit', () => refuse('Send one photo at a time.'));
    parser.on('fieldsLimit', () => refuse('The form has too many fields.'));
    parser.on('partsLimit', () => refuse('The form has too many parts.'));
    parser.on('error', () => refuse('The form is malformed or incomplete. Send it again.'));
    parser.on('finish', () => resolve());
  });
  // Awaited later, or never when the stream itself fails first.
  parsed.catch(() => {});

  return {
    async write(chunk: Buffer): Promise<void> {
      const taken = new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
      await Promise.race([taken, parsed]);
      await file?.mayGoOn;
    },
    async end(): Promise<PhotoUpload> {
      parser.end();
      await parsed;
      await file?.mayGoOn;
      const bytes = file?.bytes();
      if (bytes === undefined || bytes.length === 0)
        throw invalid(`The form has no photo: the part "${FILE_FIELD}" is missing or empty.`);
      return { fields, file: bytes };
    },
    discard(): void {
      file?.free();
      parser.destroy();
    },
  };
}

/**
 * One growing block of memory for the whole file, so that the file is never in memory twice. `free` returns it to
 * the operating system at once. The garbage collector would do that only later, when other uploads already need the
 * memory.
 */
function openFile(limits: PhotoUploadLimits, fields: Readonly<Record<string, string>>) {
  const whole = new ArrayBuffer(0, { maxByteLength: limits.maxFileBytes });
  const mayGoOn = limits.beforeFile(fields);
  // Awaited later, or never when the stream fails first.
  mayGoOn.catch(() => {});
  return {
    mayGoOn,
    append(chunk: Buffer): void {
      const length = whole.byteLength;
      whole.resize(length + chunk.length);
      new Uint8Array(whole).set(chunk, length);
    },
    bytes: () => Buffer.from(whole, 0, whole.byteLength),
    free: () => whole.resize(0),
  };
}

function createParser(contentType: string | undefined, limits: PhotoUploadLimits): BusboyInstance {
  if (!contentType || !/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    throw new PublicError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the photo as multipart/form-data.' });
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Some clients send the file without a file name, which would make it a text field.
      isPartAFile: (name, type, fileName) =>
        name === FILE_FIELD || fileName !== undefined || type === 'application/octet-stream',
      limits: {
        fileSize: limits.maxFileBytes,
        files: 1,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + 1,
        headerPairs: 16,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    });
  } catch {
    throw invalid('The multipart boundary is missing from the content type.');
  }
}

function tooLarge({ maxFileBytes }: PhotoUploadLimits): PublicError {
  return new PublicError('PHOTO_TOO_LARGE', { details: { maxFileBytes } });
}

function unknownField(name: string): PublicError {
  const shown = /^\w{1,64}$/.test(name) ? name : '_';
  return new PublicError('INVALID_INPUT', {
    fields: { [shown]: ['There is no such field. Leave it out.'] },
  });
}

function invalid(message: string): PublicError {
  return new PublicError('INVALID_INPUT', { message });
}
