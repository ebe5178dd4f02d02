import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { headerCells } from './table-file.ts';

/** A file that cannot be imported at all; the message is for the person who entered its name. */
export class FileProblem extends Error {}

/** The kinds of files that the importer supports: their identifying columns and all required ones. */
const TABLE_KINDS = {
  'king-county-sales': {
    title: 'King County house sales',
    signature: ['id', 'date', 'price', 'sqft_living'],
    columns: [
      'id',
      'date',
      'price',
      'bedrooms',
      'bathrooms',
      'sqft_living',
      'sqft_lot',
      'floors',
      'waterfront',
      'yr_built',
      'yr_renovated',
      'zipcode',
      'lat',
      'long',
    ],
  },
  'postal-code-boxes': {
    title: 'postal codes with bounding boxes',
    signature: ['zipcode', 'lat_min', 'lon_max'],
    columns: ['zipcode', 'city', 'state', 'lat', 'lon', 'sales', 'lat_min', 'lat_max', 'lon_min', 'lon_max'],
  },
  'us-postal-codes': {
    title: 'postal codes of the United States',
    signature: ['code', 'county', 'state', 'city'],
    columns: ['code', 'city', 'state', 'county', 'lat', 'lon'],
  },
  'us-cities': {
    title: 'cities of the United States',
    signature: ['state_code', 'city', 'county'],
    columns: ['state_code', 'state_name', 'city', 'county', 'latitude', 'longitude'],
  },
} as const satisfies Record<string, { title: string; signature: string[]; columns: string[] }>;

export type TableKind = keyof typeof TABLE_KINDS;

interface Named {
  /** Its name in reports. */
  name: string;
  title: string;
}
export interface TableSource extends Named {
  kind: TableKind;
  /** The index of each column. */
  columns: ReadonlyMap<string, number>;
  width: number;
  /** The lines after the header. */
  lines: readonly string[];
  /** The number of the first of them. */
  firstLine: number;
}
export interface NeighborhoodSource extends Named {
  kind: 'neighborhoods';
  features: readonly unknown[];
}
export type SourceFile = TableSource | NeighborhoodSource;

/** The whole file is held in memory while it is imported. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The supported files, for `--help` and error messages. */
export const KNOWN_FILES = [
  ...Object.values(TABLE_KINDS).map(({ title, columns }) => `${title} (CSV: ${columns.join(', ')})`),
  'neighborhoods (GeoJSON with neighbourhood and neighbourhood_group)',
];

/**
 * Opens a file and detects its kind by header or structure, never by name.
 * @throws FileProblem when it cannot be read, has no supported kind, or lacks columns
 */
export function openSource(path: string): SourceFile {
  const text = readText(path);
  const name = basename(path);
  if (text.trimStart().startsWith('{')) return neighborhoods(text, name);
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const headerAt = lines.findIndex((line) => line.trim() !== '');
  const header = headerCells(lines[headerAt] ?? '');
  if (header === null || header.length === 0) throw new FileProblem(`${name} is empty.`);
  const kind = (Object.keys(TABLE_KINDS) as TableKind[]).find((key) =>
    TABLE_KINDS[key].signature.every((column) => header.includes(column)),
  );
  if (kind === undefined) throw unknown(name, `Its first line is ${shortened(lines[headerAt] ?? '')}`);
  const { title, columns: wanted } = TABLE_KINDS[kind];
  const missing = wanted.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FileProblem(
      `${name} looks like ${title}, but these columns are missing: ${missing.join(', ')}.`,
    );
  }
  const columns = new Map(header.map((column, index) => [column, index]));
  if (columns.size < header.length) throw new FileProblem(`${name} has two columns of the same name.`);
  return {
    kind,
    name,
    title,
    columns,
    width: header.length,
    lines: lines.slice(headerAt + 1),
    firstLine: headerAt + 2,
  };
}

function neighborhoods(text: string, name: string): NeighborhoodSource {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new FileProblem(`${name} begins like JSON, but it is not: it may have been cut off.`);
  }
  const { type, features } = parsed as { type?: unknown; features?: unknown };
  if (type !== 'FeatureCollection' || !Array.isArray(features)) {
    throw unknown(name, 'It is JSON, but no GeoJSON FeatureCollection');
  }
  const known = features.some((feature) => feature?.properties?.neighbourhood !== undefined);
  if (!known) throw unknown(name, 'It is GeoJSON, but no feature has a "neighbourhood"');
  return { kind: 'neighborhoods', name, title: 'neighborhoods', features };
}

function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new FileProblem(`${path} is larger than 256 MiB. Split it.`);
    // A byte order mark is dropped. Bytes that are not UTF-8 become a replacement character, which the row's reader
    // rejects.
    return new TextDecoder('utf-8').decode(readFileSync(path));
  } catch (error) {
    if (error instanceof FileProblem || !(error instanceof Error && 'code' in error)) throw error;
    const why: Record<string, string> = {
      ENOENT: 'does not exist',
      EISDIR: 'is a folder, not a file',
      EACCES: 'may not be read',
    };
    throw new FileProblem(`${path} ${why[String(error.code)] ?? `cannot be read (${String(error.code)})`}.`);
  }
}

function unknown(name: string, what: string): FileProblem {
  const known = KNOWN_FILES.map((file) => `  - ${file}`).join('\n');
  return new FileProblem(`${name} is none of the files that are known. ${what}. Known are:\n${known}`);
}

function shortened(line: string): string {
  const text = line.length > 100 ? `${line.slice(0, 100)}…` : line;
  return JSON.stringify(text);
}
