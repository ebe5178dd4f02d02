/**
 * What an uploaded file says about itself, read before its metadata is removed (docs/contract.md#intake): marks of our
 * own staged pictures, the press vocabulary's kind of source in XMP, IPTC and C2PA, and the credentials of a camera.
 * All of it is a statement: anyone can remove it from a file.
 */
import type { Metadata } from 'sharp';
import type { MediaAlteration } from '../../../machines/disclosure/alterations.ts';
import type { PhotoKind } from '../../../machines/vocabulary.ts';
import { readCredentials } from './credentials.ts';
import { manifestStoreOf } from './manifest-store.ts';

export interface FileStatements {
  /** Ids in it that may be those of our staged pictures. */
  readonly pictureIds: readonly string[];
  /** Ids of its C2PA manifests, ours among them. */
  readonly manifestIds: readonly string[];
  /** How it was altered; null when it does not say so. */
  readonly alteration: MediaAlteration | null;
  readonly credentials: FileCredentials | null;
}

/** The C2PA manifests of a file, as they were. */
interface FileCredentials {
  readonly store: Uint8Array;
  readonly generator: string | null;
  readonly signer: string | null;
}

/** Far more than the manifests of a camera with their thumbnails. */
const LARGEST_STORE = 2 * 1024 * 1024;
/** More ids than an honest file has; a query with all of a hostile one would be long. */
const MOST_IDS = 64;
const SOURCE_TYPE = /digitalsourcetype\/([a-z]{3,60})/gi;
/** Composites, and whatever a program made: everything but captures and edits by people. */
const NO_CAPTURE = /^(?:composite|trained|algorithmicmedia$)/i;
const ADDED_BY_MODEL = 'compositewithtrainedalgorithmicmedia';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The address of a provenance page, and the name of the instance in our manifests of old releases. */
const PICTURE_ID = new RegExp(`(?:/provenance/|urn:uuid:)(${UUID})`, 'gi');

const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, one = '']) => one.toLowerCase()))].slice(0, MOST_IDS);

export function readStatements(
  file: Buffer,
  { kind, header }: { kind: PhotoKind; header: Pick<Metadata, 'xmp' | 'iptc'> },
): FileStatements {
  const store = manifestStoreOf(file, kind);
  const credentials = store && readCredentials(store);
  const text = [header.xmp, header.iptc, store].map((bytes) => bytes?.toString('latin1') ?? '').join('\n');
  return {
    pictureIds: found(text, PICTURE_ID),
    manifestIds: credentials?.manifestIds.slice(0, MOST_IDS) ?? [],
    alteration: alterationOf(found(text, SOURCE_TYPE)),
    credentials:
      store === null || credentials === null || store.length > LARGEST_STORE
        ? null
        : { store, generator: credentials.generator, signer: credentials.signer },
  };
}

function alterationOf(sourceTypes: readonly string[]): MediaAlteration | null {
  const altered = sourceTypes.filter((one) => NO_CAPTURE.test(one));
  if (altered.length === 0) return null;
  return altered.includes(ADDED_BY_MODEL) ? 'Virtual Staging - Item Addition' : 'Other Media Modification';
}
