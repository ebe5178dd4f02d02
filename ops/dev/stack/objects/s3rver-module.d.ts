/** The part of s3rver 3.7 (which ships no types) that the launcher uses. */
declare module 's3rver' {
  export interface PackageObject {
    bucket: string;
    key: string;
    content: Buffer | import('node:stream').Readable;
    metadata: Record<string, string>;
  }
  export interface PackageStore {
    existsObject(bucket: string, key: string): Promise<boolean>;
    deleteObject(bucket: string, key: string): Promise<void>;
    putObject(object: PackageObject): Promise<{ size: number; md5: string }>;
    putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>;
    /** The path of an object's file. */
    getResourcePath(bucket: string, key: string, resource: 'object'): string;
  }
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      vhostBuckets: boolean;
      configureBuckets?: { name: string }[];
    });
    readonly store: PackageStore;
    configureBuckets(): Promise<unknown>;
    callback(): (
      request: import('node:http').IncomingMessage,
      response: import('node:http').ServerResponse,
    ) => void;
  }
}

declare module 's3rver/lib/models/account.js' {
  const account: {
    DUMMY_ACCOUNT: {
      createKeyPair(accessKeyId: string, secretAccessKey: string): void;
      revokeAccessKey(accessKeyId: string): void;
    };
  };
  export default account;
}
