/** The provider's picture does not match the request; `errorCode` is that of the failed attempt. */
export class OutputRefused extends Error {
  readonly errorCode: 'OUTPUT_INVALID' | 'OUTPUT_TOO_LARGE';

  constructor(errorCode: OutputRefused['errorCode'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutputRefused';
    this.errorCode = errorCode;
  }
}
