import type pg from 'pg';

/** What PostgreSQL says of a statement without running it. */
export interface Described {
  /** The types of its parameters, by OID. */
  readonly parameters: readonly number[];
  readonly columns: readonly DescribedColumn[];
}
export interface DescribedColumn {
  readonly name: string;
  /** The type's OID. */
  readonly dataTypeID: number;
}

/** The driver's connection: to describe is part of the protocol, and no part of the driver's public functions. */
interface Wire extends NodeJS.EventEmitter {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Has the server parse the statement and describe it. @throws the server's error */
export function describeStatement(client: pg.Client, text: string): Promise<Described> {
  const { promise, resolve, reject } = Promise.withResolvers<Described>();
  let parameters: number[] = [];
  let columns: DescribedColumn[] = [];
  const statement = {
    submit(wire: Wire) {
      wire.removeAllListeners('parameterDescription');
      wire.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
        parameters = dataTypeIDs;
      });
      wire.parse({ name: '', text, types: [] });
      wire.describe({ type: 'S', name: '' });
      wire.sync();
    },
    handleRowDescription({ fields }: { fields: DescribedColumn[] }) {
      columns = fields;
    },
    // The driver takes the statement for ended then, and the next one waits for the server's readiness.
    handleError: reject,
    handleReadyForQuery: () => resolve({ parameters, columns }),
  };
  // The driver's types have no connection with `parse`.
  client.query(statement as unknown as pg.Submittable);
  return promise;
}
