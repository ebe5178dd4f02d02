export interface FilePart {
  readonly bytes: Uint8Array;
  /** The server looks at the bytes, not at this. */
  readonly contentType: string;
  readonly fileName: string;
}

/**
 * A multipart/form-data body: text fields in order, then the file under the name `file`. `random` makes the boundary,
 * which is 30 digits long so that it does not occur in the file.
 */
export function multipart(
  given: { fields: Readonly<Record<string, string>>; file: FilePart },
  random: () => number,
): { contentType: string; body: Uint8Array } {
  const boundary = `part-${Array.from({ length: 30 }, () => Math.floor(random() * 10)).join('')}`;
  const { file } = given;
  const texts = Object.entries(given.fields).map(
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\n${disposition('file')}; filename="${quoted(file.fileName)}"\r\ncontent-type: ${file.contentType}\r\n\r\n`;
  const encoder = new TextEncoder();
  const parts = [
    encoder.encode(texts.join('') + head),
    file.bytes,
    encoder.encode(`\r\n--${boundary}--\r\n`),
  ];
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: joined(parts) };
}

const disposition = (name: string): string => `content-disposition: form-data; name="${quoted(name)}"`;

/** As browsers write names: quotes and line breaks percent-encoded. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, (sign) => ({ '"': '%22', '\r': '%0D' })[sign] ?? '%0A');

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
