/** The fields of the feed's resources: their types in `$metadata`, and the SQL that gives them. One table for both. */

export type FieldType = 'key' | 'string' | 'strings' | 'int' | 'decimal' | 'date' | 'instant' | 'boolean';

export interface Field {
  readonly type: FieldType;
  /** Never made of anything but constants. */
  readonly sql: string;
  /** Most characters of a string. */
  readonly max?: number;
  /** Its lookup, whose values `Lookup` lists. */
  readonly lookup?: string;
  readonly precision?: number;
  readonly scale?: number;
  /** Never null. The fields of a key, and times that order all rows. */
  readonly isGiven?: true;
}

/** A collection or a record that `$expand` reads with the records of a page, by one statement. */
export interface Expansion {
  readonly resource: string;
  readonly isCollection: boolean;
  /** The field of this resource, and the one of the other that equals it. Both are keys. */
  readonly from: string;
  readonly to: string;
  readonly order?: string;
}

export interface Resource {
  readonly name: string;
  readonly key: string;
  /** SQL after FROM, with the condition of what is served. */
  readonly from: string;
  readonly where: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly expansions: Readonly<Record<string, Expansion>>;
}

/** What the SQL of the fields contains of this installation. */
export interface FeedSite {
  /** Of the site's pages and pictures, without a slash at its end. */
  readonly origin: string;
  readonly name: string;
}

/** A string of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const key = (sql: string, more: Partial<Field> = {}): Field => ({
  type: 'key',
  sql,
  max: 255,
  ...more,
});
export const text = (sql: string, max: number, more: Partial<Field> = {}): Field => ({
  type: 'string',
  sql,
  max,
  ...more,
});
export const int = (sql: string): Field => ({ type: 'int', sql });
export const decimal = (sql: string, scale = 2, precision = 14): Field => ({
  type: 'decimal',
  sql,
  scale,
  precision,
});
export const date = (sql: string): Field => ({ type: 'date', sql });
export const flag = (sql: string): Field => ({ type: 'boolean', sql });
/** In milliseconds, so that what is compared is what is shown. */
export const instant = (sql: string): Field => ({
  type: 'instant',
  sql: `date_trunc('milliseconds', ${sql})`,
});
/** A value of a lookup; others are not served. */
export const oneValue = (
  sql: string,
  lookup: string,
  values: readonly string[] | null = null,
  max = 50,
): Field => ({
  type: 'string',
  sql: values === null ? sql : `CASE WHEN ${sql} IN (${values.map(quoted).join(', ')}) THEN ${sql} END`,
  lookup,
  max,
});
export const manyValues = (sql: string, lookup: string): Field => ({ type: 'strings', sql, lookup });

/** The columns of `published_records r`. */
export const MODIFIED: Field = { type: 'instant', sql: 'r."modifiedAt"', isGiven: true };
/** SQL condition: the record `r` of this resource has its number. */
export const numbered = (resource: string): string => `r.resource = '${resource}' AND r."goneAt" IS NULL`;
