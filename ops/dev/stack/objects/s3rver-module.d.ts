/** The part of s3rver 3.7 (which ships no types) that the launcher uses. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      vhostBuckets: boolean;
      configureBuckets?: { name: string }[];
    });
    readonly store: {
      existsObject(bucket: string, key: string): Promise<boolean>;
      deleteObject(bucket: string, key: string): Promise<void>;
    };
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
