import fc from 'fast-check';
import { hostileText } from './hostile-values.ts';

/** A multipart body and the content type that announces it. */
export interface MultipartForm {
  readonly contentType: string;
  readonly body: Buffer;
}

interface Part {
  readonly headers: readonly string[];
  readonly content: Buffer;
}

const CRLF = '\r\n';
const disposition = (rest: string): string => `Content-Disposition: form-data${rest}`;
const fileHeaders = [disposition('; name="file"; filename="room.jpg"'), 'Content-Type: image/jpeg'];

const oddHeader = fc.oneof(
  fc.constantFrom(
    'Content-Disposition: attachment',
    disposition(''),
    disposition('; name'),
    disposition('; name=""'),
    disposition('; name="file"; name="propertyId"'),
    disposition("; name*=utf-8''file%00"),
    ': x',
    'x',
    '',
    'Content-Transfer-Encoding: base64',
    'Content-Type: multipart/mixed; boundary=inner',
    'Content-Type: ;;;=',
    disposition('; name="file"; filename="../../etc/passwd\0.jpg"'),
    disposition('; name="__proto__"'),
    disposition('; name="file"; filename*=utf-16\'\'%ff%fe'),
    `X-Long: ${'a'.repeat(9_000)}`,
  ),
  hostileText.map((text) => disposition(`; name="${text}"`)),
);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  hostileText.map((text) => Buffer.from(text)),
  fc.constantFrom('\r\n--', '--b', '\r\n--b', '\r\n--b--\r\n').map((text) => Buffer.from(text)),
);

/**
 * Forms with a photo: valid ones, and ones with odd parts, boundaries, ends and content types.
 * @param photo what the file part holds
 * @param propertyId what the field of that name holds in a valid form
 */
export function multipartForms(
  photo: fc.Arbitrary<Buffer>,
  propertyId: fc.Arbitrary<string>,
): fc.Arbitrary<MultipartForm> {
  const file = photo.map((bytes): Part => ({ headers: fileHeaders, content: bytes }));
  const property = propertyId.map(
    (id): Part => ({ headers: [disposition('; name="propertyId"')], content: Buffer.from(id) }),
  );
  const odd = fc.record({ headers: fc.array(oddHeader, { maxLength: 3 }), content });
  const many = fc.constantFrom(15, 18, 400).map((count) => Array.from({ length: count }, () => fieldPart));
  const parts = fc.oneof(
    { arbitrary: fc.tuple(property, file), weight: 10 },
    { arbitrary: fc.tuple(property, file, odd), weight: 2 },
    { arbitrary: fc.tuple(odd, property, file), weight: 2 },
    { arbitrary: fc.tuple(file, file, property), weight: 1 },
    { arbitrary: fc.tuple(property, file, property), weight: 1 },
    { arbitrary: fc.array(odd, { maxLength: 4 }), weight: 1 },
    { arbitrary: fc.tuple(many, property, file).map(([fields, ...rest]) => [...fields, ...rest]), weight: 1 },
  );
  return fc.record({
    contentType: fc.oneof(
      { arbitrary: fc.constant('multipart/form-data; boundary=b'), weight: 8 },
      oddContentType,
    ),
    body: fc.tuple(parts, ends).map(([list, end]) => bodyOf(list, end)),
  });
}

const ends = fc.oneof(
  { arbitrary: fc.constant(`${CRLF}--b--${CRLF}`), weight: 8 },
  { arbitrary: fc.constantFrom('', `${CRLF}--b`, `${CRLF}--b-`), weight: 1 },
);
const fieldPart: Part = { headers: [disposition('; name="other"')], content: Buffer.from('x') };
const oddContentType = fc.constantFrom(
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="b',
  'text/plain',
  'multipart/form-data; boundary="b"; boundary=c',
  'multipart/mixed; boundary=b',
  'multipart/form-data; charset=x',
  `multipart/form-data; boundary=${'b'.repeat(3_000)}`,
);

function bodyOf(parts: readonly Part[], end: string): Buffer {
  const written = parts.flatMap(({ headers, content: bytes }, index) => [
    Buffer.from(
      `${index === 0 ? '' : CRLF}--b${CRLF}${headers.map((line) => `${line}${CRLF}`).join('')}${CRLF}`,
    ),
    bytes,
  ]);
  return Buffer.concat([...written, Buffer.from(end)]);
}
