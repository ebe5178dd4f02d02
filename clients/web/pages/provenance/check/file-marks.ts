import { indexOfBytes } from './byte-search.ts';
import { latin } from './picture-kinds.ts';
import { sourceTypesIn } from './source-types.ts';

/** What a file says about how it was made, without a signature. Anyone can write it. */
export interface FileMarks {
  /** The IPTC codes of how it was made, in lower case. */
  readonly sourceTypes: readonly string[];
  /** The page that its XMP names as its statement. */
  readonly statement: string | null;
}

const PACKET_START = '<x:xmpmeta';
const PACKET_END = '</x:xmpmeta>';
const PNG_START = '\x89PNG';
const XMP_KEYWORD = 'XML:com.adobe.xmp\0';
/** Packets are a few kilobytes; this is for those of editors that keep a history in them. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The marks in a picture's XMP and IPTC. Of several XMP packets, the first one names the page. */
export async function readMarks(bytes: Uint8Array): Promise<FileMarks> {
  const packed = await packedXmp(bytes);
  const packet = packed === null ? xmpIn(bytes) : packetIn(utf8(packed));
  const source = packet && propertyOf(packet, 'DigitalSourceType')?.split('/').at(-1)?.toLowerCase();
  const named = [...sourceTypesIn(bytes), ...(source ? [source] : [])];
  return {
    sourceTypes: [...new Set(named)],
    statement: packet && propertyOf(packet, 'WebStatement'),
  };
}

/** The first packet of a file; only its own bytes become a text. */
function xmpIn(bytes: Uint8Array): string | null {
  const start = indexOfBytes(bytes, new TextEncoder().encode(PACKET_START));
  return start < 0 ? null : packetIn(utf8(bytes.subarray(start, start + MOST_BYTES)));
}

/** The first packet of a text, in one pass: a pattern would look for the end from each start. */
function packetIn(text: string): string | null {
  const start = text.indexOf(PACKET_START);
  const end = start < 0 ? -1 : text.indexOf(PACKET_END, start);
  return end < 0 ? null : text.slice(start, Math.min(end, start + MOST_BYTES) + PACKET_END.length);
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A property as attribute or as element; its prefix may be any. */
function propertyOf(packet: string, name: string): string | null {
  // Bounded: unbounded, each of a million names without an end would be read to the end of the packet.
  const found = new RegExp(
    `:${name}\\s{0,9}=\\s{0,9}["']([^"']{0,2000})["']|:${name}[^<>]{0,200}>([^<]{0,2000})<`,
  ).exec(packet);
  const value = (found?.[1] ?? found?.[2] ?? '').trim();
  return value === '' ? null : withoutEntities(value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};
const withoutEntities = (text: string): string => text.replace(/&\w+;/g, (one) => ENTITIES[one] ?? one);

/** PNG may keep its packet compressed, in a chunk for text. Null when there is none, or in another kind of file. */
async function packedXmp(bytes: Uint8Array): Promise<Uint8Array | null> {
  const start = Uint8Array.from(PNG_START, (one) => one.charCodeAt(0));
  if (!start.every((byte, index) => bytes[index] === byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const content = bytes.subarray(at + 8, at + 8 + length);
    const packed = packedText(latin(bytes.subarray(at + 4, at + 8)), content);
    if (packed !== null) return inflated(packed);
    at += length + 12;
  }
  return null;
}

/** The compressed packet of a chunk; null for any other chunk. */
function packedText(kind: string, content: Uint8Array): Uint8Array | null {
  const after = XMP_KEYWORD.length;
  if (latin(content.subarray(0, after)) !== XMP_KEYWORD) return null;
  // After the keyword: how it is compressed.
  if (kind === 'zTXt') return content.subarray(after + 1);
  // Whether it is compressed, how, and two texts that end with a zero.
  if (kind !== 'iTXt' || content[after] !== 1) return null;
  const language = content.indexOf(0, after + 2);
  return content.subarray(content.indexOf(0, language + 1) + 1);
}

async function inflated(content: Uint8Array): Promise<Uint8Array | null> {
  const packed = new Blob([content.slice()]).stream();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = packed.pipeThrough(new DecompressionStream('deflate')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      if (size > MOST_BYTES) {
        await reader.cancel();
        break;
      }
    }
  } catch {
    // A broken packet says nothing.
    return null;
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
